import type { Launch } from '../launcher.js';
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
bash=$1 command=$2 umask=$3 linger=$4 folder=$5 entries=$6
shift 6
umask "$umask" && ulimit -c 0 || exit 125
cd -P -- "$folder" && [ "$PWD" = "$folder" ] || exit 125
if [ $# -gt 0 ] && [ "$(/usr/bin/stat -c %d:%i -- "$@")" != "$entries" ]; then
  echo 'a folder changed after the call was judged' >&2
  exit 125
fi
for descriptor in /proc/self/fd/*; do
  descriptor=\${descriptor##*/}
  case $descriptor in 0 | 1 | 2 | 3) ;; *) exec {descriptor}>&- ;; esac
done
unset descriptor OLDPWD
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

/** The same command as in a launch, but from inside a confinement. */
export function insideOf(
  { bash, command, umask }: Launch,
  of: { readonly linger: number; readonly folder: string; readonly mounts: readonly Mount[] },
): Inside {
  const entries = of.mounts.map(({ entry }) => entry).join('\n');
  const own = [
    bash,
    command,
    umask,
    `${of.linger}`,
    of.folder,
    entries,
    ...of.mounts.map(({ path }) => path),
  ];
  return { program: bash, args: ['--noprofile', '--norc', '-c', '--', script, bash, ...own] };
}
