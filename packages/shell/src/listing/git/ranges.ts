import { resolve } from 'node:path';
import { isUnder } from '@ambit/toolsets';
import { pathIn } from './arguments.js';
import type { Past } from './content.js';
import type { Request } from './request.js';
import { difference } from './store/history.js';
import { marked } from './store/order.js';

/** What the changes of commits show: `git log -p`, `git show`. */
export function* changesOf(
  past: Past,
  ids: Iterable<string>,
  isShown: (commit: string, path: string) => boolean = () => true,
): Generator<string> {
  for (const id of ids) for (const path of past.history.inChange(id)) if (isShown(id, path)) yield path;
}

/** The commits from which git starts, in this order, and those that it leaves out with all before them. */
export interface Ends {
  readonly wanted: readonly string[];
  readonly left: readonly string[];
}

/** Those of `A`, `A..B`, `^A B`, `A...B`; null if unknown. */
export function endsOf(past: Past, revisions: readonly string[]): Ends | null {
  const [wanted, left]: [string[], string[]] = [[], []];
  for (const text of revisions) {
    const [first = '', second] = text.split('..');
    if (text.includes('...')) {
      const [one, other] = sidesOf(past, text) ?? [];
      if (one === undefined || other === undefined) return null;
      wanted.push(one, other);
      left.push(...mergeBases(past, one, other));
      continue;
    }
    const names = second === undefined ? [text] : [`^${first || 'HEAD'}`, second || 'HEAD'];
    for (const name of names) {
      const id = past.resolve(name.replace(/^\^/, ''));
      if (id === null) return null;
      (name.startsWith('^') ? left : wanted).push(id);
    }
  }
  return { wanted, left };
}

/** All commits between these. */
export function commitsBetween({ history }: Past, { wanted, left }: Ends): ReadonlySet<string> {
  if (left.length === 0) return history.commitsFrom(wanted);
  const marks = marked(history.objects, wanted, left, (mark) => mark > 1);
  return new Set([...marks].flatMap(([id, mark]) => (mark === 1 ? id : [])));
}

/** The commits of `A`, `A..B`, `^A B`, `A...B`; null if unknown. */
export function commitsOf(past: Past, revisions: readonly string[]): ReadonlySet<string> | null {
  const ends = endsOf(past, revisions);
  return ends === null || ends.wanted.length === 0 ? null : commitsBetween(past, ends);
}

/** Well-known secrets in commits, or in what `COMMIT:path` names; null if unknown. */
export function secretsNamed(
  { repository, folder }: Request,
  past: Past,
  revisions: readonly string[],
): readonly string[] | null {
  const base = repository?.tree ?? folder;
  const found: string[] = [];
  for (const text of revisions) {
    const id = text.includes('..') ? null : past.resolve(text.replace(/:.*/s, ''));
    if (id === null) return null;
    const path = resolve(base, pathIn(text, folder, base) ?? '');
    for (const each of past.history.inRevision(id).keys())
      if (isUnder(resolve(base, each), path)) found.push(each);
  }
  return found;
}

/** Well-known secrets that differ between two sides; null if unknown. */
export function between(past: Past, text: string): ReadonlySet<string> | null {
  const { history } = past;
  const found = pairsOf(past, text)?.flatMap(([before, after]) => [
    ...difference(history.inRevision(before), history.inRevision(after)),
  ]);
  return found === undefined ? afterCommits(past, text) : new Set(found);
}

/** The secrets that may differ between two sides after commits of the line: an older one, or what it staged. */
function afterCommits(past: Past, text: string): ReadonlySet<string> | null {
  const staged = past.staged();
  const found = olderCommits(past, text)?.flatMap((id) => [
    ...difference(staged, past.history.inRevision(id)),
  ]);
  return found === undefined ? null : new Set(found);
}

/** The commits of which the sides may be one after commits of the line, if none of these is it; null if unknown. */
export function olderCommits(past: Past, text: string): readonly string[] | null {
  const sides = text.split(/\.{2,3}/).map((side) => olderOf(past, side || 'HEAD'));
  if (sides.some(({ length }) => length === 0)) return null;
  const [ones = [], others = []] = sides;
  const bases = text.includes('...')
    ? ones.flatMap((one) => others.flatMap((other) => mergeBases(past, one, other)))
    : [];
  return [...new Set([...ones, ...others, ...bases])];
}

/** The commits from which `NAME~2` was reached when the line began, and that one: newer commits come before them. */
function olderOf(past: Past, text: string): readonly string[] {
  const [, name, steps = ''] = /^([^~^@{}]+|@)((?:~\d{0,2}|\^(?!\d))*)$/.exec(text) ?? [];
  if (name === undefined) return [];
  const count = [...steps.matchAll(/[~^](\d*)/g)].reduce((sum, [, digits]) => sum + Number(digits || 1), 0);
  const [newest = null, ...older] = Array.from({ length: count + 1 }, (_, back) =>
    past.before(`${name}~${back}`),
  );
  return newest === null ? [] : [newest, ...older.filter((id) => id !== null)];
}

/** What `git diff` compares for `A..B`, and for `A...B`, where it starts at a merge base; null if unknown. */
export function pairsOf(past: Past, text: string): readonly (readonly [string, string])[] | null {
  const [before, after] = sidesOf(past, text) ?? [];
  if (before === undefined || after === undefined) return null;
  const starts = text.includes('...') ? mergeBases(past, before, after) : [before];
  return starts.map((start) => [start, after]);
}

function sidesOf(past: Past, text: string): readonly [string, string] | null {
  const [first = '', second = ''] = text.split(/\.{2,3}/);
  const [before, after] = [past.resolve(first || 'HEAD'), past.resolve(second || 'HEAD')];
  return before === null || after === null ? null : [before, after];
}

/** The newest common ancestors of two commits. */
export function mergeBases({ history }: Past, one: string, other: string): readonly string[] {
  const marks = marked(history.objects, [one], [other], (mark) => mark === 7);
  const common = [...marks].flatMap(([id, mark]) => (mark === 3 ? id : []));
  if (common.length < 2) return common;
  const older = history.commitsFrom(common.flatMap((id) => history.objects.commit(id).parents));
  return common.filter((id) => !older.has(id));
}
