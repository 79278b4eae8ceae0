import { closeOthers, usualBash } from '../launcher.js';
import type { Mount } from './mounts.js';

export interface Inside {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Runs a command as a child, because the first process of a PID namespace gets no signals. It first checks
 * the mounts, and waits a while for processes that the command leaves behind, which end with it.
 */
const script = `
bash=$1 command=$2 linger=$3 folder=$4 entries=$5
shift 5
umask 022 && ulimit -c 0 || exit 125
cd -P -- "$folder" && [ "$PWD" = "$folder" ] || exit 125
if [ $# -gt 0 ] && [ "$(/usr/bin/stat -c %d:%i -- "$@")" != "$entries" ]; then
  echo 'a folder changed after the call was judged' >&2
  exit 125
fi
${closeOthers}
trap : TERM HUP INT
processes=(/proc/[0-9]*)
usual=\${#processes[@]}
echo ready >&3
"$bash" --noprofile --norc -c -- "$command" 3>&-
status=$?
for ((waited = 0; waited < linger; waited += 20)); do
  processes=(/proc/[0-9]*)
  [ \${#processes[@]} -le $usual ] && break
  read -r -t 0.02 -u 3
done
[ \${#processes[@]} -gt $usual ] && echo "left $((\${#processes[@]} - usual))" >&3
exit $status
`;

/** Runs the command like `launchArguments`, but from inside a confinement. */
export function insideOf(
  command: string,
  of: { readonly linger: number; readonly folder: string; readonly mounts: readonly Mount[] },
): Inside {
  const entries = of.mounts.map(({ entry }) => entry).join('\n');
  const own = [usualBash, command, `${of.linger}`, of.folder, entries, ...of.mounts.map(({ path }) => path)];
  return { program: usualBash, args: ['--noprofile', '--norc', '-c', '--', script, usualBash, ...own] };
}
