import { type Capability, createRequest, equalJson, ladder, membersIn, remembered } from '@ambit/core';
import type { Judge } from '../replay/replay.js';
import type { NewlyCovered, Subject } from './learning.js';
import { entryOf, type PastCall } from './past-calls.js';
import { coverage, type ProposedRule } from './proposed-rule.js';

const most = 3;

/** The capabilities of all calls; the same for each rule. */
const knownIn = new WeakMap<Subject['all'], ReadonlySet<string>>();

/** Unanswered calls that a rule permits: first calls of the logs, then generated ones. Both are judged again. */
export function coveredExamples(
  { all, base: { judge: base } }: Subject,
  { rule, source, after }: { rule: ProposedRule; source: PastCall | null; after: Judge },
) {
  const isPermitted = (call: PastCall, capability: Capability) =>
    asks(call, capability, base) && !asks(call, capability, after);
  const logged: NewlyCovered[] = [];
  for (const { call, decision } of all) {
    if (call.fate !== 'none' || decision.decision !== 'needs_approval') continue;
    for (const capability of membersIn(decision.capabilities)) {
      if (logged.length >= most) break;
      const isKnown = logged.some((one) => equalJson(one.capability, capability));
      if (isKnown || coverage(rule, { ...call.request, capability }) !== 'yes') continue;
      if (isPermitted(call, capability)) logged.push({ capability, entry: entryOf(call) });
    }
  }
  if (source === null) return { covers: logged, not: null };
  const shown = membersIn(source.request.capabilities).find(
    (capability) => coverage(rule, { ...source.request, capability }) === 'yes',
  );
  const rung =
    shown === undefined
      ? undefined
      : ladder(
          { chain: source.request.chain, tool: source.request.tool, args: {}, capabilities: [shown] },
          rule.reach,
        ).find(({ reach }) => reach === rule.reach);
  const made = (rung?.covers ?? [])
    .map(({ capabilities }) => capabilities[0])
    .filter((capability) => !equalJson(capability, shown ?? null));
  const known = remembered(knownIn, all, () => {
    const capabilities = all.flatMap(({ call }) => membersIn(call.request.capabilities));
    return new Set(capabilities.map((one) => JSON.stringify(one)));
  });
  const isNewlyCovered = (capability: Capability) =>
    !known.has(JSON.stringify(capability)) && isPermitted(source, capability);
  const covers = [
    ...logged,
    ...made.filter(isNewlyCovered).map((capability) => ({ capability, entry: null })),
  ];
  const outside = rung?.not.capabilities.find(
    (capability) =>
      capability.name === rule.name && asks(source, capability, base) && asks(source, capability, after),
  );
  return { covers: covers.slice(0, most), not: outside ?? null };
}

/** Whether a call like this logged one needs approval if it carries only this capability. */
function asks({ request }: PastCall, capability: Capability, judge: Judge): boolean {
  const call = createRequest({ ...request, history: [], capabilities: [capability] });
  return judge.decide(call, []).decision === 'needs_approval';
}
