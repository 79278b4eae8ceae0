import { allTrue, anyTrue } from '@ambit/core';
import { textOf } from '../../../word.js';
import { mayExist } from '../../../world.js';
import { patternTest } from '../../line-pattern.js';
import { hasOnly, valuesOf } from '../../options.js';
import type { Maybe } from '../../pattern.js';
import type { Past } from '../content.js';
import { isGiven, type Request } from '../request.js';
import { mayFindCopies } from './patches.js';

const byDate = '--since --after --until --before';
const byText = '--author --committer --grep';
const byChange = '-S -G --pickaxe-regex --diff-filter';
const byParents = '--merges --no-merges';

/** Options that leave commits out, and say how. */
export const filtering = `${byDate} ${byText} ${byChange} ${byParents} -i --regexp-ignore-case -F --fixed-strings -E --extended-regexp`;

/** Options with which `-N` still means the newest commits. */
export const plainLog = `-p -u --patch -n --max-count -# --oneline --format --pretty --stat --color --no-color
  --decorate --no-decorate --date --abbrev-commit -U --unified --name-only --name-status -w -b
  --no-ext-diff --no-textconv --word-diff --numstat --shortstat --no-notes --no-renames --reverse
  -W --function-context --minimal --patience --histogram --ignore-blank-lines --compact-summary --summary
  --exit-code --raw --source --no-prefix --inter-hunk-context`;

/** Options that change how files of chosen commits are compared, and with which parents. */
const joining = '-m -c --cc -M -M= --find-renames --find-renames= --submodule';

/** Options with which `-N` means the first commits in another order. */
const ordering = '--graph --topo-order --date-order --author-date-order';

/** Options with which it is known which commits are left out. */
const clear = `${plainLog} ${filtering} ${joining} ${ordering} --skip --first-parent --all --branches --tags --remotes --not`;

type Filter = (id: string) => Maybe;

/** Whether a log that may go to `all` shows a commit; null if no option leaves one out. */
export function filterOf(request: Request, past: Past, all: () => ReadonlySet<string>): Filter | null {
  if (!hasOnly(request.reading, clear)) return () => null;
  if (!isGiven(request, `${byDate} ${byText} ${byChange} ${byParents}`)) return null;
  const { objects } = past.history;
  const given: readonly (Filter | null)[] = [
    isGiven(request, '--merges') ? (id) => objects.commit(id).parents.length > 1 : null,
    isGiven(request, '--no-merges') ? (id) => objects.commit(id).parents.length < 2 : null,
    dateFilter(request, past, all),
    textFilter(request, past),
    // It also leaves out a commit without such a change.
    isGiven(request, byChange) ? () => null : null,
  ];
  const filters = given.filter((filter) => filter !== null);
  return (id) => allTrue(filters.map((filter) => filter(id)));
}

/** Who wrote a commit, and the lines of its message. */
function textFilter(request: Request, past: Past): Filter | null {
  if (!isGiven(request, byText)) return null;
  const [authors, committers, messages] = byText.split(' ').map((name) => testsOf(request, name));
  const { byName } = past.references;
  const hasNotes = [...byName.keys()].some((name) => name.startsWith('refs/notes/'));
  // A mailmap gives persons other names.
  const areUnclear =
    (authors?.length !== 0 && committers?.length !== 0) ||
    (messages?.length !== 0 && hasNotes) ||
    mayHaveMailmap(request) ||
    request.settings.hasAny(
      'grep.patterntype grep.extendedregexp i18n.logoutputencoding core.notesref notes.displayref',
    );
  if (areUnclear) return () => null;
  return (id) => {
    const text = past.history.objects.find(id)?.bytes.toString('latin1') ?? '';
    const end = text.indexOf('\n\n');
    const head = text.slice(0, end === -1 ? text.length : end);
    if (/^encoding /m.test(head)) return null;
    const person = (role: string) => new RegExp(`^${role} (.*>)`, 'm').exec(head)?.[1] ?? '\0';
    const lines = end === -1 ? [] : text.slice(end + 2).split('\n');
    return allTrue([
      matches(authors, [person('author')]),
      matches(committers, [person('committer')]),
      matches(messages, lines),
    ]);
  };
}

type Tests = readonly (((line: string) => Maybe) | null)[];

/** How each pattern of an option is read. */
function testsOf(request: Request, name: string): Tests {
  const isFixed = isGiven(request, '-F --fixed-strings');
  const isExtended = isGiven(request, '-E --extended-regexp');
  const kind = { isFixed, isExtended, ignoresCase: isGiven(request, '-i --regexp-ignore-case') };
  return valuesOf(request.reading, name).map((word) => {
    const text = textOf(word);
    return text === null || (isFixed && isExtended) ? null : patternTest(text, kind);
  });
}

function matches(tests: Tests | undefined, lines: readonly string[]): Maybe {
  if (tests === undefined || tests.length === 0) return true;
  return anyTrue(tests.flatMap((test) => (test === null ? [null] : lines.map(test))));
}

function mayHaveMailmap({ repository, settings, world }: Request): boolean {
  const tree = repository?.tree ?? null;
  const isThere = tree === null || mayExist(`${tree}/.mailmap`, world);
  return isThere || settings.hasAny('mailmap.file mailmap.blob');
}

/** Commits that are certainly too old or too new. Git does not show what leads to one that may be too old. */
function dateFilter(request: Request, past: Past, all: () => ReadonlySet<string>): Filter | null {
  if (!isGiven(request, byDate)) return null;
  const [since, until] = ['--since --after', '--until --before'].map((names) => {
    const [word, ...others] = valuesOf(request.reading, names);
    const limit = names.startsWith('--since') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (word === undefined) return [limit, limit] as const;
    return others.length === 0 ? rangeOf(textOf(word) ?? '') : null;
  });
  const timeOf = (id: string) => past.history.objects.commit(id).time;
  const mayBeOld = (id: string) => !since || timeOf(id) < since[1];
  let found: ReadonlySet<string> | null = null;
  const hidden = () => (found ??= past.history.commitsFrom([...all()].filter(mayBeOld)));
  return (id) => {
    const time = timeOf(id);
    if ((since && time < since[0]) || (until && time > until[1])) return false;
    return until && time < until[0] && !hidden().has(id) ? true : null;
  };
}

const day = 86_400;
const seconds: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day,
  week: 7 * day,
  month: 30.5 * day,
  year: 365.25 * day,
};

/** The seconds between which a date lies, as git reads it: a day has the current time, and a month many lengths. */
function rangeOf(text: string): readonly [number, number] | null {
  const now = Date.now() / 1000;
  const [, count, unit = ''] = /^(\d{1,4})[ .]([a-z]+?)s?(?:[ .]ago)?$/.exec(text) ?? [];
  const length =
    text === 'now' ? 0 : text === 'yesterday' ? day : Number(count) * (seconds[unit] ?? Number.NaN);
  if (length >= 0) return [now - length * 1.1 - 2 * day, now - length * 0.9 + 2 * day];
  const [date] = /^\d{4}-\d\d-\d\d(?=$|[ T]\d\d:\d\d(?::\d\d)?Z?$)/.exec(text) ?? [];
  const time = date === undefined ? Number.NaN : Date.parse(date) / 1000;
  // Git reads a date to come in other ways.
  return time > 0 && time < now - 2 * day ? [time - 2 * day, time + 3 * day] : null;
}

/** Whether the changes of a commit may show a secret of `-S` or `-G`; true without them. */
export function pickOf(request: Request, past: Past): (commit: string, path: string) => boolean {
  if (!isGiven(request, '-S -G') || mayFindCopies(request)) return () => true;
  const { reading } = request;
  if (!hasOnly(reading, `${plainLog} ${filtering} ${ordering} --skip --first-parent`)) return () => true;
  const [word, ...others] = valuesOf(reading, '-S -G');
  const text = textOf(word);
  const isText = isGiven(request, '-S') && !isGiven(request, '--pickaxe-regex');
  const ignoresCase = isGiven(request, '-i --regexp-ignore-case');
  const test = text ? patternTest(text, { isFixed: isText, isExtended: !isText, ignoresCase }) : null;
  if (text === null || test === null || others.length > 0) return () => true;
  const { history } = past;
  const contentOf = (commit: string | null, path: string) => {
    const entry = commit === null ? null : history.entryIn(commit, path);
    const found = entry === null ? null : history.objects.find(entry.id);
    return entry === null ? '' : (found?.bytes.toString('latin1') ?? text);
  };
  const isCounted = isText && !ignoresCase;
  const counts = (content: string) => content.split(text).length;
  const has = (content: string) =>
    isCounted ? counts(content) > 1 : content.split('\n').some((line) => test(line) !== false);
  return (commit, path) => {
    const { parents } = history.objects.commit(commit);
    return (parents.length === 0 ? [null] : parents).some((parent) => {
      const changes = history.changed(parent, commit);
      const kind = changes.get(path);
      // One that is new may count as another file with a new name.
      const paths =
        kind === 'kept' ? [path] : [...changes].flatMap(([each, how]) => (how === 'kept' ? [] : [each]));
      const sides = paths.map((each) => [contentOf(parent, each), contentOf(commit, each)] as const);
      if (kind === 'kept' && isCounted)
        return sides.some(([before, after]) => counts(before) !== counts(after));
      return kind !== undefined && sides.flat().some(has);
    });
  };
}
