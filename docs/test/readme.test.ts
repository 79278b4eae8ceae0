import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { blocksIn } from './blocks.js';
import { documents, root } from './documents.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-readme-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('shows what explain prints for its policy', () => {
  const readme = documents().filter(({ path }) => path === 'README.md');
  const blocks = readme.flatMap(blocksIn);
  const [policy, shown] = ['yaml', 'text'].map(
    (kind) => blocks.find(({ language }) => language === kind)?.text,
  );
  const [, command = '', output] = /^\$ ambit (.*)\n([\s\S]*)$/.exec(shown ?? '') ?? [];
  writeFileSync(join(folder, 'policy.yaml'), policy ?? '');
  mkdirSync(join(folder, 'out'));
  const printed = execFileSync('bash', ['-c', `"$0" ${command}`, join(root, 'bin/ambit')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(printed.replaceAll(folder, '/work')).toBe(`${output}\n--full shows the whole reasoning\n`);
});
