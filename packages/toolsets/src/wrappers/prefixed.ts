import type { Toolset } from '@ambit/core';
import { withTools } from './with-tools.js';

/** Puts a prefix before each tool's name for the model. Policies, logs and people see the full name. */
export function prefixed(toolset: Toolset, prefix: string): Toolset {
  return withTools(toolset, ({ name, offered_as = name }) => ({ offered_as: `${prefix}${offered_as}` }));
}
