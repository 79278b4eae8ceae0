import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { started } from '../starter.js';

/** Whether a program is installed. */
export function isThere(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

/** Whether system calls can be traced here. */
export const canTrace =
  isThere('strace') && spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0;

export interface Opened {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly stdout: string;
}

/** The files and folders that the real program opens below a folder, as real paths. */
export function opened(command: readonly string[], folder: string, cwd = folder): Opened {
  const log = join(tmpdir(), `trace-${process.pid}-${counter}`);
  counter += 1;
  const trace = ['-f', '-y', '-qq', '-s', '4096', '-e', 'trace=open,openat,openat2', '-o', log];
  const { stdout } = started(cwd, 'strace', ...trace, ...command);
  const lines = readFileSync(log, 'utf8').split('\n');
  rmSync(log);
  const paths = lines.flatMap((line) => {
    const [, path] = /= \d+<(.*)>$/.exec(line) ?? [];
    return path === undefined ? [] : [decoded(path)];
  });
  const below = [...new Set(paths)].filter((path) => path === folder || path.startsWith(`${folder}/`)).sort();
  const isFolder = (path: string) => statSync(path).isDirectory();
  return { files: below.filter((path) => !isFolder(path)), folders: below.filter(isFolder), stdout };
}

let counter = 0;

/** Undoes the escapes of strace. */
function decoded(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };
  const bytes = text.replace(/\\(?:([0-7]{1,3})|(.))/g, (_, octal?: string, letter = '') =>
    octal === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
