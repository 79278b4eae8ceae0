import type { KeptAnswer } from '../decide/grant.js';
import type { Authority } from '../guard/authority.js';
import type { Tool } from '../tool/tool.js';

/** A tool with its caller. */
export interface ToolInUse {
  readonly authority: Authority;
  /** Full name. */
  readonly name: string;
  readonly tool: Tool;
}

/** Keeps answers longer than a run. */
export interface Keeper {
  /** The answers for this tool that still count: unchanged tool and policies, and not revoked. */
  kept(of: ToolInUse): Promise<readonly KeptAnswer[]>;
  /** Resolves when the answer is durable. A rejection stops the run. */
  keep(answer: KeptAnswer, of: ToolInUse): Promise<void>;
}
