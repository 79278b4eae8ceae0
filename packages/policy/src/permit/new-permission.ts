import type { Json, NonEmpty, Pin } from '@ambit/core';

export interface NewPermission {
  readonly name: string;
  /** Its fixed facts; a missing fact may have any value. */
  readonly facts: Readonly<Record<string, Pin>>;
  /** The endings of names that a permission for a folder covers; `''` alone: names without a dot. */
  readonly endings?: NonEmpty<string>;
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
  const written = Object.entries(facts).map(([fact, pin]) =>
    partOf(fact, pin, { root, endings: fact === 'path' ? permission.endings : undefined }),
  );
  if (written.includes(null)) return null;
  const parts = written.filter((part) => part !== null);
  const match = parts.flatMap((part) => (part.match === undefined ? [] : [part.match]));
  const [only] = workers;
  const worker = workers.length === 1 ? only : null;
  const conditions = [
    ...parts.flatMap((part) => part.when ?? []),
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

interface Part {
  readonly match?: readonly [string, Json];
  readonly when?: readonly Json[];
}

function exceptions({ facts, endings, except = [] }: NewPermission, root: string | null): readonly string[] {
  const folders = foldersIn(facts.path);
  if (folders.length === 0) return [];
  const isNamed = (pattern: string) => endings?.some((ending) => mayEnd(pattern, ending)) ?? true;
  const patterns = [...(endings?.includes('') ? ['**/*.*'] : []), ...except.filter(isNamed)];
  return patterns.flatMap((pattern) =>
    pattern.startsWith('./')
      ? folders.map((folder) =>
          isPlain(folder) ? `${inForm(folder, root)}${pattern.slice(1)}` : `**${pattern.slice(1)}`,
        )
      : [pattern],
  );
}

/** Whether the pattern covers a name with this ending. */
function mayEnd(pattern: string, ending: string): boolean {
  if (ending === '') return !pattern.slice(pattern.lastIndexOf('/') + 1).includes('.');
  for (let back = 1; back <= ending.length; back += 1) {
    const character = pattern.at(-back);
    if (character === '*') return true;
    if (character !== '?' && character !== ending.at(-back)) return false;
  }
  return true;
}

function foldersIn(pin: Pin | undefined): readonly string[] {
  if (pin?.pin === 'under') return [pin.folder];
  return pin?.pin === 'among' ? pin.folders : [];
}

/** The path as a policy writes it: `./` is the root of the run. */
function inForm(path: string, root: string | null): string {
  return root !== null && root !== '/' && path.startsWith(`${root}/`) ? `.${path.slice(root.length)}` : path;
}

function partOf(
  fact: string,
  pin: Pin,
  { root, endings }: { readonly root: string | null; readonly endings: NewPermission['endings'] },
): Part | null {
  const isPath = fact === 'path' || fact === 'cwd';
  const written = (path: string) => (isPath ? inForm(path, root) : path);
  const within = (folder: string) => (isPath && folder === root ? '.' : written(folder));
  if (pin.pin === 'free') return {};
  if (pin.pin === 'under') {
    // All below the folder, without the folder itself; or the files with these endings.
    const isNamed = endings !== undefined && endings[0] !== '';
    const patterns = isNamed ? endings.map((ending) => `**/*${ending}`) : ['*/**'];
    const matched = (all: readonly string[]) => [fact, all.length === 1 ? (all[0] as string) : all] as const;
    if (isPlain(pin.folder))
      return { match: matched(patterns.map((pattern) => `${within(pin.folder)}/${pattern}`)) };
    const path = variable(fact);
    if (path === null) return null;
    const when = [{ under: [path, pin.folder] }, { '!==': [path, pin.folder] }];
    return isNamed ? { match: matched(patterns), when } : { when };
  }
  if (pin.pin === 'among') {
    const texts = [...pin.paths, ...pin.folders];
    if (texts.length === 0 || texts.length > mostPaths || !texts.every(isPlain)) return null;
    return {
      match: [fact, [...pin.paths.map(written), ...pin.folders.map((folder) => `${within(folder)}/*/**`)]],
    };
  }
  const { value } = pin;
  if (typeof value === 'number' || typeof value === 'boolean') return { match: [fact, value] };
  if (typeof value === 'string' && isPlain(value)) return { match: [fact, written(value)] };
  return exactly(fact, value);
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
