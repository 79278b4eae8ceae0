import type { Json, NonEmpty, Pin } from '@ambit/core';

export interface NewPermission {
  readonly name: string;
  /** Its fixed facts; a missing fact may have any value. */
  readonly facts: Readonly<Record<string, Pin>>;
  readonly workers: NonEmpty<string>;
  /** Full names. */
  readonly tools: NonEmpty<string>;
  /** Files that a permission for a folder never covers. */
  readonly except?: readonly string[];
  readonly note: string | null;
}

export interface WrittenPermission {
  /** Null for every worker. */
  readonly worker: string | null;
  readonly name: string;
  /** In order. */
  readonly keys: readonly (readonly [string, Json])[];
}

/** The permission as written in a policy file; null if a policy file cannot express its facts. */
export function writtenPermission(permission: NewPermission, root: string | null): WrittenPermission | null {
  const { name, facts, workers, tools, note } = permission;
  const parts = Object.entries(facts).map(([fact, pin]) => partOf(fact, pin, root));
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
  const except = exceptions(permission, root);
  return {
    worker,
    name,
    keys: [
      ['decision', 'pre_approved'],
      ...(match.length === 0 ? [] : [['match', Object.fromEntries(match)] as const]),
      ...(except.length === 0 ? [] : [['except', { path: except }] as const]),
      ['when', conditions.length === 1 && first !== undefined ? first : { and: conditions }],
      ...(note === null ? [] : [['note', note] as const]),
    ],
  };
}

type Part = { readonly match: readonly [string, Json] } | { readonly when: readonly Json[] };

function exceptions({ facts, except = [] }: NewPermission, root: string | null): readonly string[] {
  const folders = foldersIn(facts.path);
  if (folders.length === 0) return [];
  return except.flatMap((pattern) =>
    pattern.startsWith('./')
      ? folders.map((folder) =>
          isPlain(folder) ? `${inForm(folder, root)}${pattern.slice(1)}` : `**${pattern.slice(1)}`,
        )
      : [pattern],
  );
}

function foldersIn(pin: Pin | undefined): readonly string[] {
  if (pin?.pin === 'under') return [pin.folder];
  return pin?.pin === 'among' ? pin.folders : [];
}

/** The path as a policy writes it: `./` is the root of the run. */
function inForm(path: string, root: string | null): string {
  return root !== null && root !== '/' && path.startsWith(`${root}/`) ? `.${path.slice(root.length)}` : path;
}

function partOf(fact: string, pin: Pin, root: string | null): Part | null {
  const isPath = fact === 'path' || fact === 'cwd';
  const written = (path: string) => (isPath ? inForm(path, root) : path);
  if (pin.pin === 'free') return { when: [] };
  if (pin.pin === 'under') {
    if (isPlain(pin.folder))
      return { match: [fact, below(written(pin.folder), pin.folder === root && isPath)] };
    const path = variable(fact);
    if (path === null) return null;
    return { when: [{ under: [path, pin.folder] }, { '!==': [path, pin.folder] }] };
  }
  if (pin.pin === 'among') {
    const texts = [...pin.paths, ...pin.folders];
    if (texts.length === 0 || texts.length > mostPaths || !texts.every(isPlain)) return null;
    return {
      match: [
        fact,
        [
          ...pin.paths.map(written),
          ...pin.folders.map((folder) => below(written(folder), folder === root && isPath)),
        ],
      ],
    };
  }
  const { value } = pin;
  if (typeof value === 'number' || typeof value === 'boolean') return { match: [fact, value] };
  if (typeof value === 'string' && isPlain(value)) return { match: [fact, written(value)] };
  return exactly(fact, value);
}

/** A pattern for everything below a folder, without the folder itself. */
function below(folder: string, isRoot: boolean): string {
  return isRoot ? './*/**' : `${folder}/*/**`;
}

/** Values that `match` cannot express: text that contains `*` or `?`, and lists. */
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
      // An empty list and a missing fact have no first word.
      ...(words.length === 0 ? [{ '!': [{ missing: [`capability.${fact}`] }] }] : []),
      // An empty word is `missing`, but no default takes its place.
      { '!!': [{ missing: [at(words.length)] }] },
      { '!': [{ var: [at(words.length), false] }] },
    ],
  };
}

const mostWords = 40;
const mostPaths = 40;
const longest = 1000;

/** Whether a pattern covers exactly this text. */
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
