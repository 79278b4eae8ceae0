import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterAll, describe, expect, it } from 'vitest';
import { shellAt } from '../src/shell.js';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'behind-links-')));
const project = join(home, 'project');
afterAll(() => rmSync(home, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

const patch = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;
for (const name of ['a.ts', 'b.ts']) put(name, 'a\n');
put('real/p.diff', patch('a.ts'));
put('b.diff', patch('b.ts'));
put('real/rc', 'disable=SC1091\n');
put('real/config', '[user]\n\tname = a\n');
put('real/attributes', '*.ts text\n');
put('real/exclude', '.env\n');
put('.env', 'TOKEN=x\n');
put('in/s.sh', 'ls\n');
symlinkSync('real', join(project, 'way'));
symlinkSync('way', join(project, 'long'));
symlinkSync('../real/rc', join(project, 'in/.shellcheckrc'));
symlinkSync('project/real/config', join(home, '.gitconfig'));
execFileSync('git', ['init', '--quiet', project]);
rmSync(join(project, '.git/info'), { recursive: true, force: true });
for (const [key, value] of [
  ['filter.x.clean', 'cat'],
  ['core.excludesFile', 'way/exclude'],
] as const)
  execFileSync('git', ['config', key, value], { cwd: project });
mkdirSync(join(project, '.git/info'), { recursive: true });
symlinkSync('../../real/attributes', join(project, '.git/info/attributes'));

async function capabilitiesOf(command: string): Promise<readonly Capability[]> {
  const [tool] = shellAt(project, { home, guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

const namesOf = async (command: string) => (await capabilitiesOf(command)).map(({ name }) => name);
const isOpaque = async (command: string) => (await namesOf(command)).includes('proc.exec.opaque');

/** What reads a file behind a link, and that file. */
const readers = [
  ['patch -p1 -i way/p.diff', 'real/p.diff'],
  ['patch -p1 -i long/p.diff', 'real/p.diff'],
  ['patch -p1 <way/p.diff', 'real/p.diff'],
  ['git apply way/p.diff', 'real/p.diff'],
  ['git apply long/p.diff', 'real/p.diff'],
  ['git status', 'real/config'],
  ['git add a.ts', 'real/attributes'],
  ['shellcheck in/s.sh', 'real/rc'],
] as const;

describe('a file behind a link that an earlier command changed', () => {
  it.each(readers)('is not what it was: %s', async (line, file) => {
    expect(await isOpaque(line)).toBe(false);
    expect(await isOpaque(`touch other; ${line}`)).toBe(false);
    expect(await isOpaque(`cp b.diff ${file}; ${line}`)).toBe(true);
    expect(await isOpaque(`rm ${file}; mv b.diff ${file}; ${line}`)).toBe(true);
  });

  it.each(['way', 'long'])('may be another one where a link on the way was replaced: %s', async (link) => {
    for (const line of ['patch -p1 -i long/p.diff', 'git apply long/p.diff'])
      for (const change of [`ln -sfn in ${link}`, `rm ${link}; mkdir ${link}; cp b.diff ${link}/p.diff`])
        if (link === 'way' || change.startsWith('ln'))
          expect(await isOpaque(`${change}; ${line}`)).toBe(true);
  });

  it.each(['real/exclude', '.gitignore', 'real/.gitignore'])('may ignore less: %s', async (file) => {
    expect(await namesOf('git add -A')).not.toContain('secret.read');
    expect(await namesOf(`echo '!.env' >${file}; git add -A`)).toContain('secret.read');
  });
});

describe('a link to the folder above', () => {
  it.each(['ln -s .. up; cd up; cat a.ts', './x | ln -s .. up; cd up; cat a.ts', 'ln -s .. in; cd in; ls'])(
    'leads where it is not known: %s',
    async (line) => {
      const why = expect.stringContaining('where this folder leads is unknown') as string;
      expect(await capabilitiesOf(line)).toContainEqual(expect.objectContaining({ why }));
    },
  );
});

describe('a folder that the line puts where a link was', () => {
  it('may be the working folder', async () => {
    const ran = await capabilitiesOf('rm way; mkdir way; cd way && ls');
    const folders = ran.flatMap(({ program, cwd }) => (program === 'ls' ? cwd : []));
    expect(folders).toEqual([join(project, 'real'), join(project, 'way')]);
  });
});
