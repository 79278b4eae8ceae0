import type { Capability } from '@ambit/core';

/** What was found on the way, and how much more looking there may be. */
export interface Report {
  readonly capabilities: readonly Capability[];
  add(capability: Capability): void;
  /** Something that cannot be known before it runs. */
  opaque(text: string, why: string): void;
  /** Whether it is the first time that this is asked about. */
  isFirst(key: string): boolean;
  /** Counts work; says whether there may be more. Once there may not, that is reported. */
  spend(steps: number): boolean;
}

/** The most steps of one walk: a command is about ten. */
const mostSteps = 60_000;

/** The most that is reported. More is not told apart. */
const mostCapabilities = 5_000;

/** The most characters of a text that is shown. */
const mostText = 500;

export function newReport(): Report {
  const capabilities: Capability[] = [];
  const seen = new Set<string>();
  const asked = new Set<string>();
  let left = mostSteps;
  const add = (capability: Capability) => {
    const key = JSON.stringify(capability);
    if (seen.has(key) || seen.size > mostCapabilities) return;
    seen.add(key);
    capabilities.push(capability);
    if (seen.size === mostCapabilities) opaque('', 'it does more than is told apart');
  };
  const opaque = (text: string, why: string) => add({ name: 'proc.exec.opaque', text: shortened(text), why });
  return {
    capabilities,
    add,
    opaque,
    isFirst: (key) => asked.size < asked.add(key).size,
    spend: (steps) => {
      if (left <= 0) return false;
      left -= steps;
      if (left <= 0) opaque('', 'it is too much to look through');
      return left > 0;
    },
  };
}

function shortened(text: string): string {
  const start = text.length <= mostText ? text : `${text.slice(0, mostText)}…`;
  // Half a character is none.
  return start.replace(/\p{Surrogate}/gu, '\ufffd');
}
