import type { Capability } from '../../words/capability.js';
import type { NonEmpty } from '../../words/decision.js';
import type { JsonObject } from '../../words/json.js';

export interface ShownCall {
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly capabilities: NonEmpty<Capability>;
}
