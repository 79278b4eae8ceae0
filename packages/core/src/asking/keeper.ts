import type { KeptAnswer } from '../decide/grant.js';
import type { Policy } from '../decide/policy.js';
import type { Tool } from '../tool/tool.js';
import type { NonEmpty } from '../words/decision.js';

/** A tool with its caller. */
export interface ToolInUse {
  /** Root first; the last one acts. */
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly name: string;
  readonly tool: Tool;
  /** Those that judge its calls now: more may come while the run goes on. */
  readonly policies: () => NonEmpty<Policy>;
}

/** Keeps answers longer than a run. */
export interface Keeper {
  /** The answers for this tool that still count: unchanged tool and policies, and not revoked. */
  kept(of: ToolInUse): Promise<readonly KeptAnswer[]>;
  /** Resolves when the answer is durable. A rejection stops the run. */
  keep(answer: KeptAnswer, of: ToolInUse): Promise<void>;
}
