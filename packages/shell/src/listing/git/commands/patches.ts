import { spellingsOf } from '../../../programs/reading.js';
import { textOf } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { hasOnly } from '../../options.js';
import { driversOf } from '../attributes.js';
import { type Past, shown } from '../content.js';
import { changesOf, commitsBetween, endsOf } from '../ranges.js';
import { isGiven, type Request, whyOf } from '../request.js';
import { newest } from '../store/order.js';

/** Options with which it shows content, or tells whether content has a text, by what it names or counts. */
export const patchOptions = `-p -u --patch -U --unified -U= --unified= -W --function-context -c --cc --dd -m
  --patch-with-raw --patch-with-stat --binary --word-diff --word-diff= --word-diff-regex --check
  --color-words --color-words= --remerge-diff --diff-merges --diff-merges= -L --ext-diff
  -S -G -I --ignore-matching-lines --anchored`;
const briefOptions = `-s --no-patch --stat --stat= --numstat --shortstat --name-only --name-status --raw --summary
  --dirstat --dirstat= --dirstat-by-file --compact-summary --quiet -q -X --cumulative`;

export function isBrief(request: Request): boolean {
  return isGiven(request, briefOptions) && !isGiven(request, patchOptions);
}

/** Shown diffs run programs that settings name, or compare a file with any other one. */
export function diffProblem(request: Request, isSilent = false): string | null {
  return copyProblem(request) ?? programsOf(request, isSilent);
}

/** Given twice, `-C` also finds copies of unchanged files, and by names tells what is in these. A setting may be the first. */
function copyProblem(request: Request): string | null {
  const copies = request.reading.options
    .flatMap(spellingsOf)
    .filter((name) => /^(?:-C|--find-copies)$/.test(name));
  const most = mayFindCopies(request) ? 0 : 1;
  const isHarder = copies.length > most || isGiven(request, '--find-copies-harder');
  return isHarder ? 'it compares a new file with any other one' : null;
}

/** Whether a setting, perhaps one on the line, may let copies count. */
export function mayFindCopies(request: Request): boolean {
  const isOnLine = request.reading.given.has('-c') && !isGiven(request, '-c');
  const value = request.settings.get('diff.renames') ?? '';
  return isOnLine || !/^(?:true|false|yes|no|on|off|[01]|)$/i.test(value);
}

/** Programs that settings name. */
export function programsOf(request: Request, isSilent: boolean): string | null {
  if (isGiven(request, '--ext-diff')) return 'it runs a program for differences';
  if (isGiven(request, '--show-signature')) return 'it runs a program for signatures';
  if (isGiven(request, '--submodule=')) return 'it runs git in submodules';
  return (
    whyOf(request, ['signature']) ??
    (isSilent ? null : (whyOf(request, ['external']) ?? driversOf(request, 'diff')))
  );
}

/** Options with which it only prints the patches of the chosen commits. */
const patchesOnly = `--stdout -# -n --numbered -N --no-numbered --signoff -k --keep-subject --no-stat -q --zero-commit --no-signature
  --subject-prefix --rfc -v --reroll-count -U --unified --no-renames --full-index --binary`;

/** `git format-patch`: described where it prints its patches. */
export function formatPatch(request: Request): ListerResult {
  const why =
    !hasOnly(request.reading, patchesOnly) || !isGiven(request, '--stdout')
      ? 'commits say which files it writes'
      : request.settings.get('format.signaturefile') !== null
        ? 'the setting `format.signaturefile` names a file that it prints'
        : diffProblem(request);
  return why === null ? shown(request, (past) => ofPatches(request, past)) : [{ kind: 'opaque', why }];
}

/** `git format-patch A` is about `A..HEAD`, and with a number about the newest commits of `A`, without merges. */
function ofPatches({ reading }: Request, past: Past): Iterable<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const [only = ''] = revisions;
  const [most, ...others] = reading.words.flatMap(
    (word) => /^-(\d{1,6})$/.exec(textOf(word) ?? '')?.[1] ?? [],
  );
  const isSince = revisions.length === 1 && !only.includes('..') && most === undefined;
  const chosen = revisions.length === 0 ? ['HEAD'] : isSince ? [`${only}..HEAD`] : revisions;
  const ends = isUnsure || others.length > 0 ? null : endsOf(past, chosen);
  if (ends === null || ends.wanted.length === 0) return null;
  const { objects } = past.history;
  const shows = (id: string) => objects.commit(id).parents.length < 2;
  const count = Number(most ?? Number.POSITIVE_INFINITY);
  return changesOf(past, newest(objects, ends.wanted, count, { shows, within: commitsBetween(past, ends) }));
}
