import { existsSync, statSync } from 'node:fs';
import { linesByFormat } from '../../../columns.js';
import { type Column, type Output, onlyNames, textOf, unknownOutput } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { hasOnly, valuesOf } from '../../options.js';
import { type Past, withPast } from '../content.js';
import { namesOutput } from '../own-files.js';
import { mergeBases } from '../ranges.js';
import { isGiven, type Request, workTreeOf } from '../request.js';
import { mostRevisions } from '../revisions.js';
import { mayBeName } from '../store/references.js';
import { everyPath } from '../work/pathspec.js';
import { commitsOfLog, mostShown, onlyCommit, printsIds } from './log-commits.js';
import { comparing } from './track.js';

/** `git rev-parse`: an id, the current branch, or the folder of the work tree. */
export function revParse(request: Request): Output {
  const line = lineOf(request);
  if (line === '--show-toplevel') return resultWith(request, request.repository?.tree ?? null);
  if (/^--(?:abbrev-ref|symbolic-full-name) HEAD$/.test(line))
    return resultOf(request, (past) => branchOf(request, past, { isShort: line.startsWith('--abbrev') }));
  const [, name] = /^(?:(?:--verify|-q|--quiet|--short(?:=\d+)?) )*([^-\s]\S*)$/.exec(line) ?? [];
  if (name === undefined) return unknownOutput;
  return resultOf(request, (past) => {
    const id = past.resolve(name);
    if (id === null || !/(?:^| )--short/.test(line)) return id;
    return shortId(id, past, line.includes('--short=') ? null : request);
  });
}

export function revList(request: Request): Output {
  return printsIds(request, 0) ? idsOf(request) : unknownOutput;
}

/** The output of a log that prints ids: with `-1` a known id, otherwise ids, which are known if they are few. */
export function idsOf(request: Request): Output {
  const isShort = valuesOf(request.reading, '--format --pretty').some((format) =>
    textOf(format)?.endsWith('h'),
  );
  const printed = resultOf(request, (past) => {
    const id = onlyCommit(request, past);
    if (id === null) return null;
    return isShort ? shortId(id, past, request) : id;
  });
  if (printed.kind !== 'unknown') return printed;
  const ids = request.isRead ? withPast(request, (past) => fewIds(request, past)) : null;
  return {
    kind: 'words',
    areIds: true,
    ...(ids !== null && { ids }),
    ...(mostShown(request) === 1 && { isOne: true }),
  };
}

/** The ids that a log prints; null if they are unknown or many, or if one may be the name of a reference. */
function fewIds(request: Request, past: Past): readonly string[] | null {
  const commits = commitsOfLog(request, past);
  const ids = [...(commits ?? [])];
  const isUnclear = commits === null || ids.length > mostRevisions;
  return isUnclear || ids.some((id) => mayBeName(id, past.references)) ? null : ids;
}

/**
 * The beginnings of an id that git may print: how much depends on other objects. Null if one is the name of a reference.
 * `usual`: its settings count.
 */
function shortId(id: string, past: Past, usual: Request | null): readonly string[] | null {
  if (mayBeName(id, past.references)) return null;
  const isSet = usual === null || usual.settings.get('core.abbrev') !== null;
  const [least, most] = isSet || past.resolve(id.slice(0, 14)) !== id ? [4, 40] : [7, 14];
  return Array.from({ length: most - least + 1 }, (_, index) => id.slice(0, least + index));
}

/** `git merge-base A B`. */
export function mergeBase(request: Request): Output {
  const [one, other, ...more] = lineOf(request).split(' ');
  if (one === undefined || other === undefined || more.length > 0 || /^-|\s-/.test(lineOf(request)))
    return unknownOutput;
  return resultOf(request, (past) => {
    const ids = [one, other].map((text) => past.resolve(text));
    const [left, right] = ids.map((id) => (id === null ? null : past.history.objects.peel(id).id));
    return left && right ? mergeBases(past, left, right) : null;
  });
}

/** `git symbolic-ref HEAD` without a second operand, which it would write. */
export function symbolicRef(request: Request): Output {
  const line = lineOf(request);
  if (!/^(?:(?:-q|--quiet|--short) )*HEAD$/.test(line)) return unknownOutput;
  return resultOf(request, (past) =>
    past.references.head === null ? [] : branchOf(request, past, { isShort: line.includes('--short') }),
  );
}

/** What `git branch --show-current` prints. */
export function currentBranch(request: Request): Output {
  if (lineOf(request) !== '--show-current') return unknownOutput;
  return resultOf(request, ({ references: { head } }) =>
    head === null ? [] : /^refs\/heads\/(.+)$/.exec(head)?.[1],
  );
}

/** Options with which `git describe` prints the name of a tag and nothing else. */
const tagsOnly = '--tags --abbrev --exact-match --first-parent --match --exclude --candidates';

/** `git describe`. With `--dirty`, it looks for changed files, and may write the index. */
export function describe(request: Request): ListerResult {
  const { open, operands } = request.reading;
  const work = isGiven(request, '--dirty') || open !== null ? workTreeOf(request) : null;
  if (work !== null) return comparing(request, { work, spec: everyPath });
  const isTag = isGiven(request, '--exact-match') || textOf(valuesOf(request.reading, '--abbrev')[0]) === '0';
  const isPlain = isTag && hasOnly(request.reading, tagsOnly) && operands.length < 2;
  return { effects: [], output: isPlain ? resultOf(request, tagsOf) : unknownOutput };
}

/** The names of all tags; null where an annotated tag has another name in itself, which git prints with more. */
function tagsOf({ references, history }: Past): readonly string[] | null {
  const tags = [...references.byName].filter(([name]) => name.startsWith('refs/tags/'));
  const isNamed = ([name, id]: readonly [string, string]) => {
    const found = history.objects.find(id);
    return found?.kind !== 'tag' || found.bytes.toString().includes(`\ntag ${name.slice(10)}\ntagger `);
  };
  return tags.every(isNamed) ? tags.map(([name]) => name.slice(10)) : null;
}

/** Settings with which names stand beside each other. */
const columns = 'column.ui column.tag column.branch';

/** What `git tag` prints without an option for more: the names of tags. */
export function tagNames(request: Request): Output {
  const { operands } = request.reading;
  const isPlain = hasOnly(request.reading, '-l --sort --merged --contains');
  if (!isPlain || request.settings.hasAny(columns) || (operands.length > 0 && !isGiven(request, '-l')))
    return unknownOutput;
  return resultOf(request, ({ references }) => namesBelow(references.byName, 'refs/tags/'), false);
}

/** The lines of `git branch`: names behind two characters. */
export function branchLines(request: Request): Output {
  const isPlain = hasOnly(request.reading, '-l --list --merged --no-merged --contains --no-contains --sort');
  const isColored = request.settings.mayColor('color.ui color.branch');
  if (!isPlain || isColored || request.settings.hasAny(columns) || request.reading.operands.length > 0)
    return unknownOutput;
  // A branch that names another one stands there with an arrow.
  const output = namesOfBranches(request, ({ references: { links } }) => ![...links.keys()].some(isBranch));
  if (output.kind !== 'names') return unknownOutput;
  const lines = ['  ', '* ', '+ '].flatMap((signs) => output.names.texts.map((name) => signs + name));
  return { ...output, names: onlyNames(lines) };
}

/** What `git for-each-ref refs/heads` prints, as `branches` does. */
export function forEachRef(request: Request): Output {
  const [only, ...others] = request.reading.operands;
  return others.length === 0 && /^refs\/heads\/?$/.test(textOf(only) ?? '')
    ? branches(request)
    : unknownOutput;
}

/** What `git branch --format='%(refname:short)'` prints: the names of branches, if each is short without doubt. */
export function branches(request: Request): Output {
  const [format, ...others] = valuesOf(request.reading, '--format').map(textOf);
  const isPlain = hasOnly(request.reading, '--format --sort --count') && others.length === 0;
  if (!isPlain || request.settings.hasAny(columns) || typeof format !== 'string') return unknownOutput;
  const output = namesOfBranches(request);
  if (output.kind !== 'names' || format === '%(refname:short)') return output;
  return linesByFormat(format, (part) =>
    part === '%(refname:short)'
      ? output.names
      : (partsOfBranches.get(part) ?? (branchInOneLine.test(part) ? 'line' : null)),
  );
}

/** What else a format says of each branch, without blanks. */
const partsOfBranches: ReadonlyMap<string, Column> = new Map([
  ['%(objectname)', 'id'],
  ['%(objectname:short)', 'id'],
  ['%(objecttype)', 'text'],
  ['%(committerdate:short)', 'text'],
  ['%(committerdate:unix)', 'text'],
  ['%(authordate:short)', 'text'],
]);

/** Other parts without line feeds. A date in a format of its own, a message, or `%0a` may have one. */
const branchInOneLine =
  /^(?:[^%]|%\((?:refname|objectname|objecttype|objectsize|HEAD|subject|contents:subject|upstream(?::short|:track)?|(?:author|committer)(?:name|email|date(?::(?:relative|iso|iso8601|local))?))\))*$/;

const isBranch = (name: string) => name.startsWith('refs/heads/');

function namesOfBranches(request: Request, isKnown: (past: Past) => boolean = () => true): Output {
  return resultOf(
    request,
    (past) => {
      const names = namesBelow(past.references.byName, 'refs/heads/');
      const isOther = (name: string) =>
        branchOf(request, past, { isShort: true, head: `refs/heads/${name}` }) === null;
      return past.references.head === null || names.some(isOther) || !isKnown(past) ? null : names;
    },
    false,
  );
}

function namesBelow(references: ReadonlyMap<string, string>, place: string): readonly string[] {
  return [...references.keys()].flatMap((name) => (name.startsWith(place) ? [name.slice(place.length)] : []));
}

/** The current branch; null if its short name is ambiguous. */
function branchOf(
  { repository }: Request,
  { references: { head: current, byName } }: Past,
  { isShort, head = current }: { readonly isShort: boolean; readonly head?: string | null },
): string | null {
  if (head === null || repository === null) return 'HEAD';
  const name = head.replace('refs/heads/', '');
  if (!isShort) return head;
  const others = ['refs/', 'refs/tags/', 'refs/remotes/'].map((place) => place + name);
  const isOther =
    [name, ...others, `refs/remotes/${name}/HEAD`].some((each) => byName.has(each)) ||
    existsSync(`${repository.own}/${name}`);
  return isOther || !head.startsWith('refs/heads/') ? null : name;
}

function resultOf(
  request: Request,
  find: (past: Past) => string | readonly string[] | null | undefined,
  isOne = true,
): Output {
  const isMade = request.world.changes.tags.size > 0;
  const found =
    request.isRead && !isMade
      ? withPast(request, (past) => (past.resolve('HEAD') === null ? null : (find(past) ?? null)))
      : null;
  return resultWith(request, found, isOne);
}

/** Several texts: one of them, or nothing. What is printed is a result: git prints nothing where it fails. Unknown where git may distrust the owner of the repository. */
function resultWith({ repository }: Request, found: string | readonly string[] | null, isOne = true): Output {
  if (found === null || repository === null) return unknownOutput;
  if (![repository.tree ?? repository.own, repository.common].every(isOwn)) return unknownOutput;
  if (typeof found === 'string') return { kind: 'text', text: `${found}\n`, isResult: true };
  const output = namesOutput(found, { isNul: false, open: false });
  return isOne && output.kind === 'names' ? { ...output, isOne, isResult: true } : output;
}

function isOwn(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** The words with blanks between; empty if one is unknown or has a blank. */
function lineOf({ reading }: Request): string {
  const texts = reading.words.map(textOf);
  return texts.every((text) => text !== null && /^\S+$/.test(text)) ? texts.join(' ') : '';
}

/** Whether a revision may be a folder or a file by itself, which may belong anywhere. Git refuses an unknown name. */
export function mayBeAlone(request: Request, revision: string): boolean {
  if (/^(?::\d|(?:HEAD(?:[~^]\d*)*|@)?)$/.test(revision)) return false;
  const isName = !/[:{]|^[\da-f]{4,40}$/i.test(revision);
  return withPast(request, (past) => past.resolve(revision) ?? (isName ? revision : null)) === null;
}
