import { spawnSync } from 'node:child_process';
import { ftruncateSync, openSync, readFileSync, unlinkSync } from 'node:fs';
import { environmentOf } from '../../src/run/environment.js';
import { launchArguments, usualBash } from '../../src/run/launcher.js';
import { usualSearchPath } from '../../src/run/search-path.js';
import { type Event, eventsOf, traced } from './events.js';
import { cwd, home } from './fixture.js';
import { callsOf } from './trace.js';

/** What a command line did. */
export interface Ran {
  readonly events: readonly Event[];
  readonly isCut: boolean;
}

/** Milliseconds that a line may take. */
const mostTime = 2500;
const mostBytes = 8_000_000;

let file: number | null = null;

/** The file for the traced system calls. It has no name, so no line can reach it. */
function traceFile(): number {
  if (file !== null) return file;
  const path = '/run/trace';
  file = openSync(path, 'w+');
  unlinkSync(path);
  return file;
}

/**
 * Runs a line with bash as `shell.run` does, in separate processes, and returns what it did. Throws if it
 * cannot be traced.
 */
export function runLine(line: string): Ran {
  const strace = [
    'strace',
    '-f',
    '-y',
    '--seccomp-bpf',
    '-s',
    '8192',
    '-e',
    `trace=${traced}`,
    '-e',
    'signal=none',
  ];
  const trace = traceFile();
  ftruncateSync(trace);
  const { output, error, status } = started(line, [...strace, '-o', '/proc/self/fd/4'], trace);
  const text = readFileSync(`/proc/self/fd/${trace}`, 'utf8');
  if (!text.includes('execve'))
    throw new Error(`not traced (${status}, ${error?.message}): ${output[2]?.toString()}`);
  return { events: eventsOf(callsOf(text), cwd), isCut: error !== undefined };
}

const namespace = [
  '-U',
  '--map-user=1000',
  '--map-group=1000',
  '-p',
  '-m',
  '-f',
  '--mount-proc',
  '--kill-child',
];

/** Runs a line with bash as `shell.run` does, by a program if one is given, and waits for its end. */
export function started(line: string, by: readonly string[] = [], trace: number | 'ignore' = 'ignore') {
  const bash = [usualBash, ...launchArguments(line)];
  return spawnSync('/usr/bin/unshare', [...namespace, ...by, ...bash], {
    cwd,
    env: {
      ...environmentOf({}, { searchPath: usualSearchPath, home }),
      PWD: cwd,
      SHELL_CALL: '0'.repeat(32),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', trace],
    timeout: mostTime,
    killSignal: 'SIGKILL',
    maxBuffer: mostBytes,
  });
}
