import { type Capability, fileSetOf, isOpaque, type JsonObject } from '@ambit/core';
import { Outside } from './outside.js';

/** What was found so far, and how much more work is allowed. */
export interface Report {
  readonly capabilities: readonly Capability[];
  add(capability: Capability): void;
  /** A part that is unknown before it runs. */
  opaque(facts: JsonObject, why: string): void;
  /** Forgets capabilities after this number, but not unknown ones. */
  rewind(count: number): void;
  /** Counts work: a simple command is about ten steps. Throws `Outside` beyond the limit. */
  spend(steps: number): void;
}

const mostSteps = 60_000;

const mostCapabilities = 5_000;

/** The most characters of a displayed text. */
const mostText = 500;

export function newReport(): Report {
  const capabilities: Capability[] = [];
  /** The keys of the capabilities, in their order. */
  const keys: string[] = [];
  const seen = new Set<string>();
  let large = 0;
  let left = mostSteps;
  const add = (capability: Capability) => {
    large += isLarge(capability) ? 1 : 0;
    const key = isLarge(capability) ? `large ${large}` : JSON.stringify(capability);
    if (seen.has(key)) return;
    if (seen.size >= mostCapabilities && !isOpaque(capability.name))
      throw new Outside('it does too many things to list', '');
    seen.add(key);
    keys.push(key);
    capabilities.push(capability);
  };
  return {
    capabilities,
    add,
    opaque: (facts, why) => add({ name: 'proc.exec.opaque', ...facts, why }),
    rewind: (count) => {
      for (const key of keys.splice(count)) seen.delete(key);
      for (const each of capabilities.splice(count)) if (isOpaque(each.name)) add(each);
    },
    spend: (steps) => {
      left -= steps;
      if (left <= 0) throw new Outside('it takes too many steps to describe', '');
    },
  };
}

/** A report of the same, without reads of files that are all unknown. */
export function withoutUnknownReads(report: Report): Report {
  const isLeftOut = ({ name, path }: Capability) => {
    const files = fileSetOf(path);
    return (
      /^(?:fs\.(?:read|list)(?:\.\w+)?|secret\.read)$/.test(name) &&
      files?.open === true &&
      files.paths.length === 0
    );
  };
  return { ...report, add: (capability) => isLeftOut(capability) || report.add(capability) };
}

/** Whether comparing it with the others costs more than repeating it. */
function isLarge({ path }: Capability): boolean {
  return (fileSetOf(path)?.paths.length ?? 0) > 1_000;
}

export function shortText(text: string): string {
  const start = text.length <= mostText ? text : `${text.slice(0, mostText)}…`;
  // Never cut a surrogate pair.
  return start.replace(/\p{Surrogate}/gu, '\ufffd');
}
