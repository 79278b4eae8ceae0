import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';

/**
 * Waits for the end of the gateway, whatever its cause. Then it kills every process with the mark in its environment,
 * with their descendants and sessions, until none is left.
 */
const script = `
mark=$1
trap '' HUP INT TERM
while read -r _; do :; done
# Gives the parent and the session of a process.
stat_of() {
  read -r stat < "/proc/$1/stat" 2> /dev/null || return 1
  set -- \${stat##*) }
  [ "$1" != Z ] && parent=$2 session=$4
}
round=0
while [ $round -lt 100 ]; do
  round=$((round + 1))
  own=' '
  for file in $(grep -lzxF -e "$mark" /proc/[0-9]*/environ 2> /dev/null); do
    file=\${file%/environ}
    [ "\${file#/proc/}" = $$ ] || own="$own\${file#/proc/} "
  done
  grown=yes
  while [ $grown = yes ]; do
    grown=no
    for folder in /proc/[0-9]*; do
      pid=\${folder#/proc/}
      case $own in *" $pid "*) continue ;; esac
      stat_of "$pid" || continue
      case $own in *" $parent "* | *" $session "*) own="$own$pid " grown=yes ;; esac
    done
  done
  left=
  for pid in $own; do
    stat_of "$pid" && kill -KILL "$pid" 2> /dev/null && left=yes
  done
  [ -n "$left" ] || exit 0
  sleep 0.05
done
`;

let mark: Readonly<Record<string, string>> | null = null;

/**
 * The variable that marks processes of this gateway's servers. The first call starts the watcher, which ends them if
 * the gateway is killed.
 */
export function watchedMark(): Readonly<Record<string, string>> {
  if (mark !== null) return mark;
  const value = randomBytes(16).toString('hex');
  if (process.platform === 'linux') {
    // It runs in a session of its own, so that a signal to the gateway's group does not end it.
    const watcher = spawn('/bin/sh', ['-c', script, 'ambit-watcher', `AMBIT_GATEWAY=${value}`], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watcher.on('error', () => undefined);
    watcher.stdin.on('error', () => undefined);
    watcher.unref();
    // The end of its input means that this process has ended.
    (watcher.stdin as { unref?: () => void }).unref?.();
  }
  mark = { AMBIT_GATEWAY: value };
  return mark;
}
