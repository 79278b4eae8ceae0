import type { Json, NonEmpty, Pin } from '@ambit/core';

/** A permission that is to be added to a policy file, as data. */
export interface NewPermission {
  /** The capability that it covers: this name alone. */
  readonly name: string;
  /** What it fixes; a fact that is free, or is not here, may be anything. */
  readonly facts: Readonly<Record<string, Pin>>;
  /** The acting workers that it is for. */
  readonly workers: NonEmpty<string>;
  /** Full names of the tools whose calls it is for. */
  readonly tools: NonEmpty<string>;
  readonly note: string | null;
}

/** The keys of a permission as they are to be written, in their order. */
export interface WrittenPermission {
  /** The worker under which it stands; among the rules for everybody where null. */
  readonly worker: string | null;
  readonly name: string;
  readonly keys: readonly (readonly [string, Json])[];
}

/** As it is written in a policy file; null where its facts cannot be said there. */
export function writtenPermission(permission: NewPermission): WrittenPermission | null {
  const { name, facts, workers, tools, note } = permission;
  const parts = Object.entries(facts).map(([fact, pin]) => partOf(fact, pin));
  if (parts.includes(null)) return null;
  const said = parts.filter((part) => part !== null);
  const match = said.flatMap((part) => ('match' in part ? [part.match] : []));
  const [only] = workers;
  const worker = workers.length === 1 ? only : null;
  const conditions = [
    ...said.flatMap((part) => ('when' in part ? part.when : [])),
    ...(worker === null ? [oneOf('worker', workers)] : []),
    oneOf('tool', tools),
  ];
  const [first] = conditions;
  return {
    worker,
    name,
    keys: [
      ['decision', 'pre_approved'],
      ...(match.length === 0 ? [] : [['match', Object.fromEntries(match)] as const]),
      ['when', conditions.length === 1 && first !== undefined ? first : { and: conditions }],
      ...(note === null ? [] : [['note', note] as const]),
    ],
  };
}

type Part = { readonly match: readonly [string, Json] } | { readonly when: readonly Json[] };

function partOf(fact: string, pin: Pin): Part | null {
  if (pin.pin === 'free') return { when: [] };
  if (pin.pin === 'under') {
    if (isPlain(pin.folder)) return { match: [fact, `${pin.folder}/*/**`] };
    const path = variable(fact);
    if (path === null) return null;
    return { when: [{ under: [path, pin.folder] }, { '!==': [path, pin.folder] }] };
  }
  if (pin.pin === 'among') {
    const texts = [...pin.paths, ...pin.folders];
    if (texts.length === 0 || texts.length > mostPaths || !texts.every(isPlain)) return null;
    return { match: [fact, [...pin.paths, ...pin.folders.map((folder) => `${folder}/*/**`)]] };
  }
  const { value } = pin;
  if (typeof value === 'number' || typeof value === 'boolean') return { match: [fact, value] };
  if (typeof value === 'string' && isPlain(value)) return { match: [fact, value] };
  return exactly(fact, value);
}

/** What `match` cannot say: text with `*` or `?` in it, and lists. */
function exactly(fact: string, value: Json): Part | null {
  const whole = variable(fact);
  if (whole === null) return null;
  if (typeof value === 'string') return value.length > longest ? null : { when: [equal(whole, value)] };
  if (!Array.isArray(value) || value.length > mostWords) return null;
  const words = value as readonly Json[];
  if (!words.every((word) => typeof word === 'string' && word.length <= longest)) return null;
  const at = (index: number) => `capability.${fact}.${index}`;
  return {
    when: [
      ...words.map((word, index) => equal({ var: at(index) }, word)),
      // An empty list has no first word, and neither has a fact that is not there.
      ...(words.length === 0 ? [{ '!': [{ missing: [`capability.${fact}`] }] }] : []),
      { '!!': [{ missing: [at(words.length)] }] },
    ],
  };
}

const mostWords = 40;
const mostPaths = 40;
const longest = 1000;

/** Whether a pattern covers this text and nothing else. */
function isPlain(text: string): boolean {
  return !/[*?]/.test(text) && text.length <= longest;
}

function variable(fact: string): Json | null {
  return /^[A-Za-z0-9_-]+$/.test(fact) ? { var: `capability.${fact}` } : null;
}

function equal(one: Json, other: Json): Json {
  return { '==': [one, other] };
}

function oneOf(root: string, values: NonEmpty<string>): Json {
  const [only] = values;
  return values.length === 1 ? equal({ var: root }, only) : { in: [{ var: root }, [...values]] };
}
