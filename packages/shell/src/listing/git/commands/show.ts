import { posix } from 'node:path';
import { isUnder } from '@ambit/toolsets';
import type { Effect } from '../../../effect.js';
import { joined } from '../../../files/listing.js';
import { isMany } from '../../../programs/words.js';
import { textOf } from '../../../word.js';
import { pathEffects } from '../../options.js';
import { type Act, hooksOf, namesOutput, nothing, optionNames, touch, writeIndex } from '../act.js';
import { readArguments } from '../arguments.js';
import { driversOf } from '../attributes.js';
import { between, changesOf, commitsOf, type Past, shown } from '../content.js';
import { isGiven, pathspecOf, type Request, textsOf, valuesOf, whyOf, workTreeOf } from '../request.js';
import { difference, isPlain, newest, type Snapshot } from '../store/history.js';
import { UnknownObject } from '../store/objects.js';
import { isSecret } from '../store/secret-names.js';
import { everyPath, type Pathspec } from '../work/pathspec.js';
import { changedFiles, differingFiles, mayRefresh } from '../work/work-tree.js';

const patchOptions = optionNames(`
  -p -u --patch -U --unified -U= --unified= -W --function-context -c --cc --dd -m
  --patch-with-raw --patch-with-stat --binary --word-diff --word-diff= --word-diff-regex --check
  --color-words --color-words= --remerge-diff --diff-merges --diff-merges= -L --ext-diff
`);
const briefOptions = optionNames(`
  -s --no-patch --stat --stat= --numstat --shortstat --name-only --name-status --raw --summary
  --dirstat --dirstat= --dirstat-by-file --compact-summary --quiet -q -X --cumulative
`);
/** Options with which `git log` chooses its commits itself. */
const wide = optionNames(`
  --all --branches --branches= --tags --tags= --remotes --remotes= --glob --stdin -g
  --walk-reflogs --reflog --bisect --alternate-refs --indexed-objects --not --follow -L --merge
`);
/** Options with which `-N` still means the newest commits. */
const plainLog = new Set(
  optionNames(`
  -p -u --patch -n --max-count -# --oneline --format --pretty --stat --color --no-color
  --decorate --no-decorate --date --abbrev-commit -U --unified --name-only --name-status -w -b
  --no-ext-diff --no-textconv --word-diff --numstat --shortstat --no-notes --no-renames
`),
);

function isBrief(request: Request): boolean {
  return isGiven(request, ...briefOptions) && !isGiven(request, ...patchOptions);
}

/** Shown diffs run programs that settings name. */
function diffProblem(request: Request, isSilent = false): string | null {
  if (isGiven(request, '--ext-diff')) return 'it runs a program for differences';
  if (isGiven(request, '--show-signature')) return 'it runs a program for signatures';
  if (isGiven(request, '--submodule=')) return 'it runs git in submodules';
  return (
    whyOf(request, ['signature']) ??
    (isSilent ? null : (whyOf(request, ['external']) ?? driversOf(request, 'diff')))
  );
}

/** Options with which `git log` compares no files. */
const silentLog = new Set(
  optionNames(`
  -n --max-count -# --oneline --format --pretty --color --no-color --decorate --no-decorate --date --abbrev-commit
  --name-only --name-status --author --committer --grep --since --until --after --before --all --graph --merges
  --no-merges --first-parent --reverse --no-ext-diff --no-textconv --no-notes --no-renames --branches --tags
  --remotes --skip -i --no-patch -s
`),
);

/** `git log`, `git stash list`, `git reflog`: content only with patch options. */
export function log(request: Request): Act {
  const { options, open } = request.reading;
  const isSilent =
    open === null && options.every(({ entry }) => entry.names.some((name) => silentLog.has(name)));
  const why = diffProblem(request, isSilent);
  if (why !== null) return why;
  if (request.reading.open === null && !isGiven(request, ...patchOptions)) return nothing;
  return { effects: shown(request, (past) => ofLog(request, past)) };
}

function ofLog(request: Request, past: Past): Iterable<string> {
  const { revisions, isUnsure } = past.arguments;
  if (isUnsure || isGiven(request, ...wide)) return past.everything();
  const most = mostShown(request);
  if (revisions.length === 0 && most === null) return past.everything();
  const commits = commitsOf(past, revisions.length === 0 ? ['HEAD'] : revisions);
  if (commits === null) return past.everything();
  const isPlain = most !== null && past.arguments.paths.length === 0;
  return changesOf(past, isPlain ? newest(past.history, commits, most) : commits);
}

function mostShown(request: Request): number | null {
  const { options } = request.reading;
  if (!options.every(({ entry }) => entry.names.some((name) => plainLog.has(name)))) return null;
  const short = request.reading.words.flatMap((word) => /^-(\d+)$/.exec(textOf(word) ?? '')?.[1] ?? []);
  const [value, ...others] = [...short, ...valuesOf(request, '-n', '--max-count').map(textOf)];
  return others.length === 0 && /^\d{1,6}$/.test(value ?? '') ? Number(value) : null;
}

/** `git show`: commits with their changes, `REVISION:path` a file. */
export function show(request: Request): Act {
  const why = diffProblem(request);
  if (why !== null) return why;
  const { operands, open } = request.reading;
  const files = operands.map((word) => fileIn(request, textOf(word)));
  if (open === null && operands.length > 0 && files.every((file) => file !== null))
    return { effects: files.flatMap((file) => (file === null ? [] : namedFile(request, file))) };
  const isSilent = open === null && isBrief(request) && files.every((file) => file === null);
  return { effects: shown(request, (past) => ofShow(past, isSilent)) };
}

function ofShow(past: Past, isSilent: boolean): Iterable<string> {
  const { revisions, isUnsure } = past.arguments;
  const ids = (revisions.length === 0 ? ['HEAD'] : revisions).map((text) =>
    /\.\.|\^[!@-]|^\^/.test(text) ? null : past.resolve(text),
  );
  if (isUnsure || ids.includes(null)) return past.everything();
  const known = ids.filter((id) => id !== null);
  const isBlob = (id: string) => past.history.objects.peel(id).kind === 'blob';
  // A content id may belong to any file, also to one that was never committed.
  if (!known.filter(isBlob).every((id) => isPlain(past.history, past.references, id)))
    throw new UnknownObject('a file');
  return isSilent
    ? []
    : changesOf(
        past,
        known.filter((id) => !isBlob(id)),
      );
}

/** `git cat-file`: an object, its kind or its size. */
export function catFile(request: Request): Act {
  return isGiven(request, '-t', '-s', '-e') && request.reading.open === null ? nothing : show(request);
}

/** `git stash show`. */
export function showStash(request: Request): Act {
  const why = diffProblem(request);
  const isBare = request.reading.open === null && !isGiven(request, ...patchOptions);
  return why ?? (isBare ? nothing : { effects: shown(request, ofStash) });
}

function ofStash(past: Past): Iterable<string> {
  const id =
    past.arguments.revisions.length === 0 && !past.arguments.isUnsure ? past.resolve('refs/stash') : null;
  if (id === null) return past.everything();
  const { parents } = past.history.objects.commit(id);
  return [
    ...past.history.inChange(id),
    ...parents.slice(2).flatMap((parent) => [...past.history.inRevision(parent).keys()]),
  ];
}

interface NamedFile {
  readonly revision: string;
  /** Below the work tree. */
  readonly path: string;
}

/** `REVISION:path`, `:path` and `:0:path` for the index; null for anything else. */
function fileIn({ repository, folder }: Request, text: string | null): NamedFile | null {
  const [, revision = '', named = ''] = /^(:[0-3](?=:)|[^:@{}]*|@):([^/!^(][\s\S]*)$/.exec(text ?? '') ?? [];
  if (named === '' || repository === null) return null;
  const tree = repository.tree ?? '';
  const prefix = folder.startsWith(`${tree}/`) ? folder.slice(tree.length + 1) : '';
  const path = /^\.\.?(?:\/|$)/.test(named) ? posix.join(prefix, named) : posix.normalize(named);
  return path.startsWith('../') ? null : { revision, path: path.replace(/\/$/, '') };
}

function namedFile({ repository, world }: Request, { revision, path }: NamedFile): readonly Effect[] {
  const full = joined(repository?.tree ?? repository?.own ?? '/', path);
  const fact = revision === '' || revision.startsWith(':') ? {} : { revision };
  const effects: Effect[] = [{ kind: 'capability', capability: { name: 'vcs.read', path: full, ...fact } }];
  if (isSecret(full, world.roots.homes))
    effects.push({ kind: 'capability', capability: { name: 'secret.read', path: full } });
  return effects;
}

/** The two sides of `git diff`, as far as they are known. */
interface Compared {
  spec: Pathspec;
  isUnsure: boolean;
  /** Whether the command reads neither the index nor the work tree. */
  areCommits: boolean;
  /** Whether a commit is compared with the index or the work tree, and with which files. */
  isCommit: boolean;
  files: Snapshot | null;
}

/** `git diff`: work tree, index and commits, two of them compared. */
export function diff(request: Request): Act {
  const why = diffProblem(request) ?? driversOf(request, 'filter');
  if (why !== null) return why;
  if (request.repository === null || isGiven(request, '--no-index') || leadsOut(request))
    return filesCompared(request);
  const act = inRepository(request);
  if (typeof act === 'string' || !mayLeadOut(request)) return act;
  return { effects: [...act.effects, ...filesCompared(request).effects] };
}

function inRepository(request: Request): Act {
  const isStaged = isGiven(request, '--cached', '--staged');
  const isPlain = request.reading.operands.length === 0 && request.reading.open === null && !isStaged;
  const compared: Compared = {
    spec: everyPath,
    isUnsure: !isPlain,
    areCommits: false,
    isCommit: !isPlain,
    files: null,
  };
  const effects: Effect[] = isPlain ? [] : [...shown(request, (past) => compare(request, past, compared))];
  const work = workTreeOf(request);
  const { spec, isUnsure, areCommits, isCommit, files } = compared;
  // A tag of a file's content is compared with any file.
  if (isUnsure && !mayLeadOut(request)) effects.push(...filesCompared(request).effects);
  if (work === null || areCommits) return { effects };
  if (isCommit) effects.push(...touch('read', differingFiles(work, spec, files)));
  if (isStaged && !isUnsure) return { effects };
  const isRefreshed = mayRefresh(work);
  // When git writes the index, it reads every file that may have changed.
  const changed = changedFiles(work, isRefreshed ? everyPath : spec);
  effects.push(...touch('read', changed));
  if (isRefreshed) {
    const hook = hooksOf(request, 'index');
    if (hook !== null) return hook;
    effects.push(...writeIndex(request, []));
  }
  if (!isPlain || !isGiven(request, '--name-only') || isGiven(request, '--relative')) return { effects };
  const names = changed.paths.map((path) => path.slice(work.tree.length + 1));
  return { effects, output: namesOutput(names, { isNul: isGiven(request, '-z'), open: changed.open }) };
}

function compare(request: Request, past: Past, compared: Compared): Iterable<string> | null {
  const { revisions, spec, isUnsure } = past.arguments;
  const [first = 'HEAD'] = revisions;
  const isStaged = isGiven(request, '--cached', '--staged');
  const areCommits = !isUnsure && (revisions.length > 1 || first.includes('..'));
  const isCommit = isUnsure || revisions.length > 0 || isStaged;
  const id = isCommit && !areCommits && !isUnsure ? past.resolve(first) : null;
  Object.assign(compared, {
    spec,
    isUnsure,
    areCommits,
    isCommit,
    files: id === null ? null : past.history.filesIn(id),
  });
  if (!isCommit || (request.reading.open === null && isBrief(request))) return null;
  return ofDiff(past, isStaged);
}

function ofDiff(past: Past, isStaged: boolean): Iterable<string> {
  const { revisions, isUnsure } = past.arguments;
  const [first = 'HEAD', second, third] = revisions;
  if (isUnsure || third !== undefined || first.includes(':')) return past.everything();
  if (second !== undefined) return between(past, `${first}..${second}`) ?? past.everything();
  if (first.includes('..')) return between(past, first) ?? past.everything();
  const id = past.resolve(first);
  // The commit is compared with the index or the work tree.
  if (id === null) return past.everything();
  const before = past.history.inRevision(id);
  return isStaged ? difference(before, past.staged()) : [...before.keys(), ...past.staged().keys()];
}

/** With a path outside the repository, the command compares plain files. */
function leadsOut(request: Request): boolean {
  return request.reading.operands.some((word) => pathspecOf(request, [word]) === null);
}

/**
 * Whether one of two operands may be a path outside: an unknown word, or another way into the work tree. A file of a revision
 * (`HEAD:a b`) is compared with any file too.
 */
function mayLeadOut(request: Request): boolean {
  const { operands, open } = request.reading;
  if (operands.length < 2 && open === null && !operands.some(isMany)) return false;
  const tree = workTreeOf(request)?.tree ?? '/';
  return operands.some((word) => {
    const texts = textsOf(word);
    return (
      texts?.some((text) => text.includes(':') || (text.startsWith('/') && !isUnder(text, tree))) !== false
    );
  });
}

/** `git diff --no-index`, which is implied by a path outside the repository, and outside any repository. */
function filesCompared({ reading }: Request): { readonly effects: readonly Effect[] } {
  const effects = reading.operands.map(
    (word): Effect => ({ kind: 'path', access: 'read', word, deep: true, by: 'program' }),
  );
  return { effects: reading.operands.length < 2 && !reading.operands.some(isMany) ? [] : effects };
}

/** `git blame FILE`. */
export function blame(request: Request): Act {
  const why = diffProblem(request) ?? driversOf(request, 'filter');
  if (why !== null) return why;
  const work = workTreeOf(request);
  const effects = [...shown(request, (past) => (past.arguments.isUnsure ? past.everything() : []))];
  const read = readArguments(request, () => false);
  if (work === null || read === null) return { effects };
  const paths = read.paths.length > 0 ? read.paths : request.reading.operands;
  return { effects: [...effects, ...pathEffects('read', paths)] };
}
