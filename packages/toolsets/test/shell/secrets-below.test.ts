import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRoots } from '../../src/filesystem/root.js';
import { describeCommand } from '../../src/shell/describe-command.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'secrets-')));
mkdirSync(join(folder, 'src'));
for (const name of ['.env', 'src/id_rsa', 'src/a.py']) writeFileSync(join(folder, name), '');
// More than are named one by one.
for (let count = 0; count < 100; count += 1) writeFileSync(join(folder, `src/f${count}.py`), '');
const roots = openRoots([{ name: 'folder', folder, mode: 'rw' }], {
  naming: 'by_path',
  home: '/nowhere',
  guarded: [],
});

async function secretsIn(command: string): Promise<readonly unknown[]> {
  const { capabilities } = await describeCommand({ command }, { roots, home: '/nowhere' });
  return capabilities.filter(({ name }) => name === 'secret.read').map(({ path }) => path);
}

const [env, key] = [join(folder, '.env'), join(folder, 'src/id_rsa')];

describe('a command that reads a whole folder', () => {
  it.each<readonly [string, readonly string[]]>([
    ['grep -r foo .', [env, key]],
    ['grep -r foo src', [key]],
    ['find . -type f -exec cat {} +', [env, key]],
    ['find . -name .env -exec cat {} \\;', [env]],
    ['find . -name "*.py" -exec grep foo {} +', []],
    ['find . -name "id_*" -exec cat {} +', [key]],
    ['find . ! -name "*.py" -exec cat {} +', [env, key]],
    ['find . -not -name "*.py" -exec cat {} +', [env, key]],
    ['find . -name "*.py" -o -name "*" -exec cat {} +', [env, key]],
    ['find . -name "[.]env" -exec cat {} +', [env, key]],
    ['find . -name "****a*b*c*d*" -exec cat {} +', [env, key]],
    ['find . -name "$x" -exec cat {} +', [env, key]],
    ['ls -R .', []],
  ])('carries the secrets that it may read: %s', async (command, secrets) => {
    expect(new Set(await secretsIn(command))).toEqual(new Set(secrets));
  });
});
