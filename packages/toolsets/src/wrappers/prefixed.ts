import type { Toolset } from '@ambit/core';
import { withTools } from './with-tools.js';

/**
 * Offers each tool to the model with something before its name, for two toolsets that call a tool alike.
 * Policies, logs and people see the full name that it has always had.
 */
export function prefixed(toolset: Toolset, prefix: string): Toolset {
  return withTools(toolset, ({ name, offered_as = name }) => ({ offered_as: `${prefix}${offered_as}` }));
}
