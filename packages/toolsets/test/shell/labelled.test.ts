import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Row, reported, score } from './reference.js';

/** Command lines with one label, as the public cases have them. */
interface Labelled extends Label {
  readonly commands: readonly string[];
}

interface Label extends Pick<Row, 'must' | 'must_not' | 'min_decision' | 'opaque_ok'> {
  /** Whether it is left open what a policy says of the programs by their names. */
  readonly any_program?: boolean;
}

const folder = new URL('labelled/', import.meta.url);

function labelled(file: string): readonly (Row & Label)[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .flatMap((line) => {
      const { commands, ...label } = JSON.parse(line) as Labelled;
      const place = { id: file, category: file, cwd: '/work/proj', home: '/home/user' };
      return commands.map((command) => ({ ...place, ...label, command }));
    });
}

async function failing(row: Row & Label): Promise<readonly unknown[]> {
  const { command = '', any_program = false } = row;
  const all = await reported(command, row);
  const capabilities = any_program ? all.filter(({ name }) => name !== 'proc.exec') : all;
  const { is_sound, is_precise, ...rest } = score(row, capabilities);
  return is_sound && is_precise ? [] : [{ command, is_sound, is_precise, ...rest }];
}

describe('shell.run › command lines of our own are reported with all that they do, and no more', () => {
  test.each(readdirSync(folder))('%s', async (file) => {
    const found = await Promise.all(labelled(file).map(failing));
    expect(found.flat()).toStrictEqual([]);
  });
});
