import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { started } from '../../starter.js';

/** Files that a program opened to read, and those that it made, changed, renamed or removed. */
export interface Traced {
  readonly read: readonly string[];
  readonly changed: readonly string[];
}

/** Whether programs may be traced here. */
export const canTrace = (() => {
  try {
    execFileSync('strace', ['-f', '-e', 'trace=%file', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const changes =
  /^(?:rename|renameat|renameat2|unlink|unlinkat|mkdir|mkdirat|rmdir|symlink|symlinkat|link|linkat|truncate)$/;

/** Runs the real git and says which files it touched. */
export function traceGit(folder: string, args: readonly string[]): Traced {
  const place = mkdtempSync(join(tmpdir(), 'trace-'));
  const options = ['-ff', '-y', '-s', '4096', '-e', 'trace=%file,chdir,fchdir', '-o', join(place, 't')];
  started(folder, 'env', '-u', 'GIT_OPTIONAL_LOCKS', 'timeout', '60', 'strace', ...options, 'git', ...args);
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const name of readdirSync(place)) {
    let at = folder;
    for (const line of readFileSync(join(place, name), 'utf8').split('\n')) {
      const [, call = '', rest = '', result = ''] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(line) ?? [];
      if (call === '' || result === '-1') continue;
      const paths = pathsIn(rest, at);
      if (call === 'chdir') at = paths[0] ?? at;
      if (changes.test(call)) for (const path of paths) changed.add(path);
      if (call !== 'openat' && call !== 'open' && call !== 'creat') continue;
      const [path = ''] = paths;
      if (/O_WRONLY|O_RDWR|O_CREAT/.test(rest)) changed.add(path);
      else if (!rest.includes('O_DIRECTORY')) read.add(path);
    }
  }
  rmSync(place, { recursive: true });
  return { read: [...read].sort(), changed: [...changed].sort() };
}

/** Quoted paths, relative to the folder before them or the working folder. */
function pathsIn(text: string, at: string): readonly string[] {
  const found = [...text.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, |AT_FDCWD, )?"((?:[^"\\]|\\.)*)"/g)];
  return found.map(([, from, path = '']) => resolve(from ?? at, unescaped(path)));
}

function unescaped(text: string): string {
  const bytes = text.replaceAll(/\\(?:(\d{1,3})|(.))/g, (_, octal: string | undefined, letter: string) =>
    octal === undefined
      ? ({ n: '\n', t: '\t' }[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
