import { type Acting, isAboutName, isAboutTool, isForChain, isWithin } from '@ambit/core';
import type { WrittenRule } from '../document/document.js';

/** The relation of a rule to one capability of a call, before its condition. */
export type Hearing =
  | { readonly speaks: true }
  /** The rule names this capability or tool, but is not for this call; `why` is the reason. */
  | { readonly speaks: false; readonly why: string }
  /** The rule is for another capability or tool. */
  | null;

/**
 * Whether a rule concerns a capability of a call, and the reason if the rule names it but is not for this
 * call.
 */
export function hear(
  rule: WrittenRule,
  capability: string,
  call: Acting & { readonly tool: string },
): Hearing {
  if (!isAboutTool(rule, call.tool)) return null;
  if (!isAboutName(rule, capability))
    return rule.about === 'capability' && isWithin(capability, rule.name)
      ? { speaks: false, why: `a permission speaks about ${rule.name} alone, not what is under it` }
      : null;
  return isForChain(rule, call)
    ? { speaks: true }
    : { speaks: false, why: `it is for the worker ${rule.worker}` };
}
