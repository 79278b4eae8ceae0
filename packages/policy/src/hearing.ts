import { createdPrefix, isWithin, namesTool, type Request } from '@ambit/core';
import type { WrittenNamedRule, WrittenRule } from './document.js';

/** What a rule has to do with one capability of a call, before its condition is looked at. */
export type Hearing =
  | { readonly speaks: true }
  /** It is about this name or tool, but not for this call; `why` says so. */
  | { readonly speaks: false; readonly why: string }
  /** It is about something else. */
  | null;

/** Whether a rule speaks about a capability of a call: the same as core's `decide` finds, with the reason where it does not. */
export function hear(rule: WrittenRule, capability: string, request: Request): Hearing {
  if (rule.about === 'combination')
    return rule.members.some(({ name }) => isWithin(capability, name)) ? { speaks: true } : null;
  if (rule.about === 'tool' && !namesTool(rule.name, request.tool)) return null;
  if (rule.about === 'capability' && !isWithin(capability, rule.name)) return null;
  if (
    rule.about === 'capability' &&
    capability !== rule.name &&
    rule.decision === 'pre_approved' &&
    !rule.below
  )
    return { speaks: false, why: `a permission speaks about ${rule.name} alone, not what is under it` };
  return isForChain(rule, request)
    ? { speaks: true }
    : { speaks: false, why: `it is for the worker ${rule.worker}` };
}

function isForChain({ worker, decision, inherit }: WrittenNamedRule, request: Request): boolean {
  if (worker === null || worker === request.worker) return true;
  if (decision === 'pre_approved') return false;
  return (inherit ? request.chain : [request.worker]).some(
    (member) =>
      member === worker ||
      (member.startsWith(createdPrefix) && (worker === 'created' || member === `${createdPrefix}${worker}`)),
  );
}
