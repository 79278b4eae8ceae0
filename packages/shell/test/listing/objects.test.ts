import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listers } from '../../src/listing/listers.js';
import { programs } from '../../src/programs/entry/table.js';
import { performBy } from '../../src/programs/perform.js';
import { unknown } from '../programs/given.js';
import { contextAt, emptyFolder, words } from './context.js';

const perform = performBy(programs, listers);

/** A header of an archive of `ar`. */
const header = (name: string, size: number) =>
  `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'644'.padEnd(8)}${String(size).padEnd(10)}\`\n`;
const thin = `!<thin>\n${header('//', 8)}secret/\n${header('/0', 9)}`;

const folder = emptyFolder();
mkdirSync(join(folder, 'bare'));
writeFileSync(join(folder, 'thin.a'), thin);
writeFileSync(join(folder, 'within.a'), `!<arch>\n${header('in.a/', thin.length)}${thin}`);
writeFileSync(join(folder, 'plain.a'), `!<arch>\n${header('a/', 2)}a\n`);
writeFileSync(join(folder, 'whole.o'), '\x7fELF');

const isOpaque = (line: string, created: readonly string[] = []) => {
  const [name = '', ...rest] = line.split(' ');
  const given = words(...rest).map((word, at) => (rest[at] === '?' ? unknown('?') : word));
  const changes = { created: new Set(created.map((each) => join(folder, each))) };
  const described = perform(name, given, contextAt(folder, changes));
  return described?.effects.some(({ kind }) => kind === 'opaque') ?? true;
};

describe('programs for object files', () => {
  it.each([
    'ar p thin.a',
    'ar t thin.a',
    'ar r thin.a whole.o',
    'nm whole.o thin.a',
    'objdump -s within.a',
    'readelf -h thin.a',
    'size ./thin.a',
    'nm ?',
  ])('`%s` may read other files than it names', (line) => {
    expect(isOpaque(line)).toBe(true);
  });

  it.each([
    'ar t plain.a',
    'ar rcs new.a whole.o',
    'nm plain.a whole.o',
    'objdump -d whole.o',
    'nm',
    'size bare',
  ])('`%s` reads the files that it names', (line) => {
    expect(isOpaque(line)).toBe(false);
  });

  it('may read other files behind a file that was made before', () => {
    expect(isOpaque('nm whole.o', ['whole.o'])).toBe(true);
    expect(isOpaque('nm', ['a.out'])).toBe(true);
  });
});
