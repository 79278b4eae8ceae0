import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Capability, fileSetOf } from '@ambit/core';
import { type GuardedPlace, openRoots } from '@ambit/toolsets';
import { afterAll } from 'vitest';
import { describeCommand } from '../../src/describe/describe-command.js';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files; a text that begins with `-> ` is the target of a link. */
export function project(files: Readonly<Record<string, string>> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-shell-')));
  made.push(base);
  const root = join(base, 'root');
  const home = join(base, 'home');
  mkdirSync(root);
  mkdirSync(home);
  for (const [path, text] of Object.entries(files)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    if (path.endsWith('/')) mkdirSync(at, { recursive: true });
    else if (text.startsWith('-> ')) symlinkSync(text.slice(3), at);
    else writeFileSync(at, text);
  }
  const describe = async (
    command: string,
    more: {
      readonly env?: Readonly<Record<string, string>>;
      readonly guarded?: readonly GuardedPlace[];
      readonly searchPath?: readonly string[];
    } = {},
  ): Promise<readonly Capability[]> => {
    const { env, guarded = [], searchPath } = more;
    const roots = openRoots([{ name: 'w', folder: root, mode: 'rw' }], { home, guarded, naming: 'by_path' });
    const options = { roots, home, ...(searchPath && { searchPath }) };
    return (await describeCommand({ command, ...(env !== undefined && { env }) }, options)).capabilities;
  };
  /** The capabilities in a short form, without those of starting programs: `fs.read a.txt b.txt (cat)`. */
  const says = async (command: string): Promise<readonly string[]> =>
    (await describe(command))
      .filter(({ name }) => name !== 'proc.exec')
      .map((capability) => inShort(capability, root, home));
  return { root, home, describe, says };
}

function inShort(capability: Capability, root: string, home: string): string {
  const { name, path, by, variable, value, program, host, language } = capability;
  const set = fileSetOf(path);
  const paths = set === null ? (typeof path === 'string' ? [path] : []) : set.paths;
  const facts = [variable, value, program, host, language].filter((fact) => typeof fact === 'string');
  const shown = (file: string) => file.replace(home, '~').replace(`${root}/`, '').replace(root, '.');
  const open =
    set?.open === true ? [`and others${set.under === undefined ? '' : ` under ${shown(set.under)}`}`] : [];
  const who = typeof by === 'string' ? [`(${by})`] : [];
  return [name, ...facts, ...paths.map(shown), ...open, ...who].join(' ');
}
