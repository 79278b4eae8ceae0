import { textOf } from '../../../word.js';
import type { Deed } from '../../../world.js';
import { hasOnly } from '../../options.js';
import { changesOf, commitsOf, type Past, shown } from '../content.js';
import { isGiven, type Request } from '../request.js';
import { settingOf } from '../settings/settings.js';
import { newest } from '../store/history.js';
import { diffProblem } from './show.js';

/** Options with which it only prints the patches of the chosen commits. */
const plain = `--stdout -# -n --numbered -N --no-numbered --signoff -k --keep-subject --no-stat -q --zero-commit --no-signature
  --subject-prefix --rfc -v --reroll-count -U --unified --no-renames --full-index --binary`;

/** `git format-patch`: described where it prints its patches. */
export function formatPatch(request: Request): Deed | string {
  const why =
    !hasOnly(request.reading, plain) || !isGiven(request, '--stdout')
      ? 'commits say which files it writes'
      : settingOf(request.settings, 'format.signaturefile') !== null
        ? 'the setting `format.signaturefile` names a file that it prints'
        : diffProblem(request);
  return {
    effects: why === null ? shown(request, (past) => ofPatches(request, past)) : [{ kind: 'opaque', why }],
  };
}

/** `git format-patch A` is about `A..HEAD`, and with a number about the newest commits of `A`, without merges. */
function ofPatches({ reading }: Request, past: Past): Iterable<string> {
  const { revisions, isUnsure } = past.arguments;
  const [only = ''] = revisions;
  const [most, ...others] = reading.words.flatMap(
    (word) => /^-(\d{1,6})$/.exec(textOf(word) ?? '')?.[1] ?? [],
  );
  const isSince = revisions.length === 1 && !only.includes('..') && most === undefined;
  const chosen = revisions.length === 0 ? ['HEAD'] : isSince ? [`${only}..HEAD`] : revisions;
  const commits = isUnsure || others.length > 0 ? null : commitsOf(past, chosen);
  if (commits === null) return past.everything();
  if (most === undefined) return changesOf(past, commits);
  const merges = [...commits].filter((id) => past.history.objects.commit(id).parents.length > 1);
  return changesOf(past, newest(past.history, commits, Number(most) + merges.length));
}
