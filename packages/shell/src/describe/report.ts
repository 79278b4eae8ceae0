import { type Capability, fileSetOf, type JsonObject } from '@ambit/core';
import { Outside } from '../read/outside.js';

/** What was found on the way, and how much more looking there may be. */
export interface Report {
  readonly capabilities: readonly Capability[];
  add(capability: Capability): void;
  /** Something that cannot be known before it runs. */
  opaque(facts: JsonObject, why: string): void;
  /** Counts work: a simple command is about ten steps. Throws `Outside` where it is too much. */
  spend(steps: number): void;
}

/** The most steps of one walk. */
const mostSteps = 60_000;

/** The most capabilities that are told apart. */
const mostCapabilities = 5_000;

/** The most characters of a text that is shown. */
const mostText = 500;

export function newReport(): Report {
  const capabilities: Capability[] = [];
  const seen = new Set<string>();
  let left = mostSteps;
  const add = (capability: Capability) => {
    const key = isLarge(capability) ? `large ${capabilities.length}` : JSON.stringify(capability);
    if (seen.has(key)) return;
    if (seen.size >= mostCapabilities && capability.name !== 'proc.exec.opaque')
      throw new Outside('it does too many things to list', '');
    seen.add(key);
    capabilities.push(capability);
  };
  return {
    capabilities,
    add,
    opaque: (facts, why) => add({ name: 'proc.exec.opaque', ...facts, why }),
    spend: (steps) => {
      left -= steps;
      if (left <= 0) throw new Outside('it takes too many steps to describe', '');
    },
  };
}

/** Whether telling it from the others takes longer than saying it again. */
function isLarge({ path }: Capability): boolean {
  return (fileSetOf(path)?.paths.length ?? 0) > 1_000;
}

/** A text as far as it is shown. */
export function shortened(text: string): string {
  const start = text.length <= mostText ? text : `${text.slice(0, mostText)}…`;
  // Half a character is none.
  return start.replace(/\p{Surrogate}/gu, '\ufffd');
}
