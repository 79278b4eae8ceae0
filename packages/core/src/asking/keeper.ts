import type { KeptAnswer } from '../decide/grant.js';
import type { Policy } from '../decide/policy.js';
import type { Tool } from '../tool/tool.js';
import type { NonEmpty } from '../words/decision.js';

export interface ToolInUse {
  /** Root first; the last one acts. */
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly name: string;
  readonly tool: Tool;
  /** More may come during the run. */
  readonly policies: () => NonEmpty<Policy>;
}

export interface Keeper {
  /** Only if tool and policies are unchanged, and if not revoked. */
  kept(of: ToolInUse): Promise<readonly KeptAnswer[]>;
  /** Durable when it resolves. A rejection stops the run. */
  keep(answer: KeptAnswer, of: ToolInUse): Promise<void>;
}
