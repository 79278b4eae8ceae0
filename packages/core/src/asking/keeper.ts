import type { KeptAnswer } from '../decide/grant.js';
import type { Authority } from '../guard/authority.js';
import type { Tool } from '../tool/tool.js';

/** A tool as somebody calls it. */
export interface ToolInUse {
  readonly authority: Authority;
  /** Full name. */
  readonly name: string;
  readonly tool: Tool;
}

/** Keeps answers longer than a run. */
export interface Keeper {
  /** Those for this tool that still count: what they were given to has not changed, and nobody has revoked them. */
  kept(of: ToolInUse): Promise<readonly KeptAnswer[]>;
  /** Resolves when the answer is durable. Where it rejects, the run stops. */
  keep(answer: KeptAnswer, of: ToolInUse): Promise<void>;
}
