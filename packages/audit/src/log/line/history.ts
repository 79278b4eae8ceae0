import { type Capability, isWithin, type LogEvent, permitsBefore, remembered } from '@ambit/core';

type Own = 'call' | 'decision' | 'code' | 'capabilities' | 'history' | 'approved';
type Entry = { readonly event: string } & { readonly [member in Own]?: unknown };

type Permit = readonly Capability[];

class RunHistory {
  /** By the name of their first capability, each in order. */
  readonly permits = new Map<string, Permit[]>();
  now: Capability[] = [];
  /** The number of visited permits, and whether one brought untrusted content. */
  looked = 0;
  isUntrusted = false;
  /** Permitted by the last entry. */
  next: Permit = [];
  readonly asked = new Map<unknown, Permit>();
}

/** Follows the permits of each run. A decision that was recorded with names gets the facts of earlier permits. */
export function createHistories() {
  const runs = new Map<string, RunHistory>();
  const at = (run: string): RunHistory => {
    const of = remembered(runs, run, () => new RunHistory());
    const [first] = of.next;
    if (first !== undefined) remembered(of.permits, first.name, () => []).push(of.next);
    for (const capability of of.next) of.now.push(capability);
    of.next = [];
    return of;
  };
  return {
    /** Takes the next entry. The earlier history is copied when it is requested. */
    accept: (run: string, entry: Entry): (() => readonly Capability[]) => {
      const of = at(run);
      const { event, history, capabilities, decision, code, call } = entry;
      if (event === 'decision') {
        if (Array.isArray(history))
          Object.assign(of, { now: taken(of.permits, history.map(String)), looked: 0, isUntrusted: false });
        const carried = Array.isArray(capabilities) ? (capabilities as Capability[]) : [];
        if (isPermit(decision, code)) of.next = carried;
        else if (decision === 'needs_approval') of.asked.set(call, carried);
      } else if (event === 'approval' && entry.approved === true) {
        of.next = of.asked.get(call) ?? [];
        of.asked.delete(call);
      }
      const { now } = of;
      const { length } = now;
      return () => now.slice(0, length);
    },
    /** Whether untrusted content is in the history before a run's last entry; visits each permit once. */
    isUntrusted: (run: string): boolean => {
      const of = runs.get(run);
      if (of === undefined) return false;
      for (; !of.isUntrusted && of.looked < of.now.length; of.looked += 1)
        of.isUntrusted = isFromOutside(of.now[of.looked] as Capability);
      return of.isUntrusted;
    },
  };
}

/** The additions of a decision to the history, and whether earlier entries already contain that history. */
export interface Added {
  readonly isTold: boolean;
  readonly names: readonly string[];
}

/** Takes the events of a run in order; null for events other than decisions. */
export function createAdding(): (event: LogEvent) => Added | null {
  let told: string[] = [];
  /** The list of the run, and the number of its permits that begin the given history. */
  let compared: Partial<ReturnType<typeof permitsBefore>> = {};
  const asked = new Map<string, readonly string[]>();
  return (event) => {
    if (event.event === 'approval' && event.approved) {
      told.push(...(asked.get(event.call) ?? []));
      asked.delete(event.call);
    }
    if (event.event !== 'decision') return null;
    const permits = permitsBefore(event);
    const { history, count } = permits;
    // The log lacks entries of the run, or the host counts differently.
    let isOther = count !== told.length;
    let at = compared.history === history ? (compared.count ?? 0) : 0;
    for (; !isOther && at < count; at += 1) isOther = history[at]?.name !== told[at];
    if (isOther) told = [...event.history];
    compared = permits;
    const names = event.decision === null ? [] : event.capabilities.map(({ name }) => name);
    const added = isPermit(event.decision, event.code) ? names : [];
    told.push(...added);
    if (event.decision === 'needs_approval') asked.set(event.call, names);
    return { isTold: !isOther, names: added };
  };
}

export function isFromOutside({ name }: { readonly name: string }): boolean {
  return isWithin(name, 'content.untrusted');
}

function isPermit(decision: unknown, code: unknown): boolean {
  return decision === 'pre_approved' && code === undefined;
}

/** Answers need not have come in the order of the calls. */
function taken(permits: ReadonlyMap<string, readonly Permit[]>, names: readonly string[]): Capability[] {
  const left = new Map<string, Permit[]>();
  const history: Capability[] = [];
  while (history.length < names.length) {
    const first = names[history.length] as string;
    const alike = remembered(left, first, () => [...(permits.get(first) ?? [])]);
    const index = alike.findIndex((permit) =>
      permit.every(({ name }, offset) => name === names[history.length + offset]),
    );
    const [next] = index === -1 ? [] : alike.splice(index, 1);
    if (next === undefined) return names.map((name) => ({ name }));
    history.push(...next);
  }
  return history;
}
