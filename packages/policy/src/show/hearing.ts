import { type Acting, isAboutName, isAboutTool, isForChain, isWithin } from '@ambit/core';
import type { WrittenRule } from '../document/document.js';

/** The relation of a rule to one capability of a call, before its condition. */
export type Hearing =
  | { readonly speaks: true }
  /** It is about this name or tool, but not for this call; `why` says so. */
  | { readonly speaks: false; readonly why: string }
  /** It is about something else. */
  | null;

/** Whether a rule concerns a capability of a call, with the reason if it nearly does. */
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
