import {
  type Capability,
  canonical,
  equalJson,
  fileSetOf,
  isCanonicalPath,
  type Json,
  type NonEmpty,
  type Pin,
  type Reach,
  remembered,
  valueInWords,
  vocabulary,
} from '@ambit/core';
import { hasMask } from '../../log/manifests/masked-keys.js';

/** A permission that would have answered questions, as data. */
export interface ProposedRule {
  readonly name: string;
  /** Other facts are free. */
  readonly facts: Readonly<Record<string, Pin>>;
  /** The endings of names that a rule for a folder covers; `''` alone: names without a dot. */
  readonly endings?: NonEmpty<string>;
  readonly workers: NonEmpty<string>;
  readonly tools: NonEmpty<string>;
  /** Its rung of the ladder. */
  readonly reach: Exclude<Reach, 'call'>;
}

/** One question: a capability of a call, with worker and tool. */
export interface Asked {
  readonly worker: string;
  readonly tool: string;
  readonly capability: Capability;
}

type Coverage = 'yes' | 'no' | 'maybe';

/** Whether a rule covers this; `maybe` if that depends on a masked value. */
export function coverage(rule: ProposedRule, { worker, tool, capability }: Asked): Coverage {
  if (!rule.workers.includes(worker) || !rule.tools.includes(tool)) return 'no';
  return coverageByFacts(rule, capability);
}

/** The same for any worker and tool. */
export function coverageByFacts(
  rule: Pick<ProposedRule, 'name' | 'facts' | 'endings'>,
  capability: Capability,
): Coverage {
  if (rule.name !== capability.name) return 'no';
  const { facts, masked } = lookedAt(capability);
  const { endings, facts: pins } = rule;
  let found: 'yes' | 'maybe' = 'yes';
  for (const fact of Object.keys(pins)) {
    // A masked fact may have been anything, in canonical form or not.
    if (masked.includes(fact)) found = 'maybe';
    else if (!Object.hasOwn(facts, fact) || !holds(pins[fact] as Pin, facts[fact] as Json)) return 'no';
  }
  if (endings === undefined || masked.includes('path')) return found;
  const ending = endingOf(facts.path as string);
  return ending !== null && endings.includes(ending) ? found : 'no';
}

/** The last dot of a file's name, and what follows; `''` if there is none, null if a pattern cannot be made of it. */
export function endingOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot === -1) return '';
  const ending = name.slice(dot);
  return dot > 0 && /^\.[\w-]+$/.test(ending) ? ending : null;
}

/** The facts in canonical form, and the names of masked ones. Cached: each capability is compared with many rules. */
function lookedAt(capability: Capability) {
  return remembered(looked, capability, () => ({
    facts: canonical(capability),
    masked: Object.keys(capability).filter((fact) => hasMask(capability[fact] as Json)),
  }));
}

const looked = new WeakMap<Capability, { readonly facts: Capability; readonly masked: readonly string[] }>();

function holds(pin: Pin, value: Json): boolean {
  if (pin.pin === 'free') return true;
  if (pin.pin === 'exactly')
    return pin.value === value || (typeof value === 'object' && equalJson(pin.value, value));
  if (pin.pin === 'under') return isBelow(value, pin.folder);
  const set = fileSetOf(value);
  if (set !== null && set.open === true) return false;
  const members: readonly Json[] = set?.paths ?? [value];
  const isAmong = (path: Json) =>
    pin.paths.includes(path as string) || pin.folders.some((folder) => isBelow(path, folder));
  return members.every(isAmong);
}

function isBelow(value: Json, folder: string): boolean {
  return isCanonicalPath(value) && (value as string).startsWith(`${folder}/`);
}

/** `fs.write, path below /w/out, by w through filesystem.write_file`. Not escaped. */
export function ruleInWords({ name, facts, endings, workers, tools }: ProposedRule): string {
  const said = inOrder(name, facts).map(([fact, pin]) =>
    fact === 'sha256' && pin.pin === 'exactly'
      ? 'with the approved content'
      : `${fact} ${pinInWords(pin)}${fact === 'path' ? endingsInWords(endings) : ''}`.trim(),
  );
  const what = said.length === 0 ? [name, 'with any facts'] : [name, ...said];
  return `${what.join(', ')}, by ${workers.join(' or ')} through ${tools.join(' or ')}`;
}

function endingsInWords(endings: ProposedRule['endings']): string {
  if (endings === undefined) return '';
  return endings.includes('') ? ' without a dot in its name' : ` ending in ${endings.join(' or ')}`;
}

function pinInWords(pin: Pin): string {
  switch (pin.pin) {
    case 'exactly':
      return valueInWords(pin.value);
    case 'under':
      return `below ${pin.folder}`;
    case 'among':
      return [...pin.paths, ...pin.folders.map((folder) => `below ${folder}`)].join(' or ');
    case 'free':
      return '';
  }
}

/** Capabilities that differ only in their paths are joined: `fs.read, path 12 files under /w: …`. Not escaped. */
export function capabilitiesInWords(capabilities: readonly Capability[]): string {
  const groups = new Map<string, { readonly first: Capability; readonly paths: Json[] }>();
  for (const capability of capabilities) {
    const { path, ...rest } = capability;
    const key = JSON.stringify(typeof path === 'string' ? rest : capability);
    const group = remembered(groups, key, () => ({ first: capability, paths: [] }));
    if (path !== undefined) group.paths.push(path);
  }
  return [...groups.values()]
    .map(({ first, paths }) => capabilityInWords(paths.length > 1 ? { ...first, path: { paths } } : first))
    .join('; ');
}

/** Without digests, which tell a person nothing. Not escaped. */
export function capabilityInWords(capability: Capability): string {
  const { name, sha256: _, ...facts } = capability;
  return [name, ...inOrder(name, facts).map(([fact, value]) => `${fact} ${valueInWords(value)}`)].join(', ');
}

/** The facts of a name in the vocabulary's order, the main one first; the author's own after them. */
export function inOrder<T>(
  name: string,
  facts: Readonly<Record<string, T>>,
): readonly (readonly [string, T])[] {
  const known = Object.keys(vocabulary.find((definition) => definition.name === name)?.facts ?? {});
  const placeOf = (fact: string) => (known.includes(fact) ? known.indexOf(fact) : known.length);
  return Object.entries(facts).sort(([one], [other]) => placeOf(one) - placeOf(other));
}
