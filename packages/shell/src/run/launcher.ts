/** Closes all descriptors but the first four, so nothing of the host is inherited. */
export const closeOthers = `for descriptor in /proc/self/fd/*; do
  descriptor=\${descriptor##*/}
  case $descriptor in 0 | 1 | 2 | 3) ;; *) exec {descriptor}>&- ;; esac
done
unset descriptor OLDPWD`;

/**
 * The code that bash runs before the command, which sets what Node cannot set for a child. On the fourth descriptor it
 * reports that the command is next, and closes it.
 */
const launcher = `
umask 022 || exit 125
ulimit -c 0
${closeOthers}
echo ready >&3
exec 3>&-
exec "$0" --noprofile --norc -c -- "$1"
`;

export const usualBash = '/bin/bash';

/** The arguments of bash that make it run exactly this command. */
export function launchArguments(command: string): readonly string[] {
  return ['--noprofile', '--norc', '-c', '--', launcher, usualBash, command];
}
