import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ended {
  /** 127 if the program is missing. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs each program that is asked for: the number of its words, then its folder and its words, each with a NUL. */
const script = `
exec 3<asked 4>ended
while read -ru 3 count && mapfile -u 3 -n "$count" -d '' -t words; do
  (cd "\${words[0]}" && exec "\${words[@]:1}") </dev/null >stdout 2>stderr 3<&- 4>&-
  echo $? >&4
done`;

/** The settings of no user, and the same time for all commits. */
const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_AUTHOR_DATE: '1790000000 +0000',
  GIT_COMMITTER_DATE: '1790000000 +0000',
};

let starter: { readonly place: string; readonly asked: number; readonly ended: number } | null = null;

/** Runs a program to its end. One bash starts them all: a start from this large process costs more than most of them. */
export function started(folder: string, ...command: readonly string[]): Ended {
  starter ??= start();
  const { place, asked, ended } = starter;
  const words = [folder, ...command];
  writeSync(asked, `${words.length}\n${words.map((word) => `${word}\0`).join('')}`);
  const said = Buffer.alloc(8);
  if (readSync(ended, said) === 0) throw new Error(`bash ended instead of \`${command.join(' ')}\``);
  const [stdout = '', stderr = ''] = ['stdout', 'stderr'].map((name) =>
    readFileSync(join(place, name), 'utf8'),
  );
  return { status: Number.parseInt(said.toString(), 10), stdout, stderr };
}

function start() {
  const place = mkdtempSync(join(tmpdir(), 'starter-'));
  const [asked = '', ended = ''] = ['asked', 'ended'].map((name) => join(place, name));
  execFileSync('mkfifo', [asked, ended]);
  // It ends with this process, which does not wait for it.
  spawn('bash', ['-c', script], { cwd: place, env, stdio: 'ignore' }).unref();
  return { place, asked: openSync(asked, 'w'), ended: openSync(ended, 'r') };
}
