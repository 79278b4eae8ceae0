import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRoots } from '@ambit/toolsets';
import type { Access, Effect } from '../../src/effect.js';
import { folderCache } from '../../src/files/folder-cache.js';
import { listingFrom } from '../../src/files/listing.js';
import { listers } from '../../src/listing/listers.js';
import { programs as programTable } from '../../src/programs/entry/table.js';
import { programOf } from '../../src/programs/program.js';
import { readWords } from '../../src/programs/reading.js';
import { usualSearchPath } from '../../src/run/search-path.js';
import { noOutput, text, unknownOutput, type Word } from '../../src/word.js';
import {
  type Changes,
  type Context,
  describedOf as givenBy,
  type ListerResult,
  noChanges,
  type Performed,
} from '../../src/world.js';

/** An empty folder, by its real path. */
export function emptyFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'lister-')));
}

/** Where a program is started in a folder. */
export function contextAt(folder: string, changes: Partial<Changes> = {}): Context {
  const roots = openRoots([{ name: 'project', folder, mode: 'rw' }]);
  return {
    folder: { named: folder, real: folder },
    input: noOutput,
    isRead: true,
    world: {
      roots,
      home: '/nonexistent',
      searchPath: usualSearchPath,
      listing: listingFrom(folderCache(() => 0)),
      changes: { ...noChanges(), ...changes },
    },
  };
}

export const words = (...texts: readonly string[]) => texts.map(text);

const odd = [
  'a',
  'b.ts',
  '.hidden',
  '-n',
  '--help',
  'sp ace',
  'new\nline',
  'é',
  '[x]',
  'star*',
  'tab\t',
  "quo'te",
  'c.log',
];

/** Fills a folder with odd names: files, folders to a depth, links to files, folders, nothing and itself, ignore files. */
export function fillOddly(folder: string, depth = 2): void {
  for (const [at, name] of odd.entries()) writeFileSync(join(folder, name), 'needle\n'.repeat(at % 3));
  symlinkSync('b.ts', join(folder, 'to-file'));
  symlinkSync('nowhere', join(folder, 'to-nothing'));
  symlinkSync('.', join(folder, 'to-itself'));
  symlinkSync('/etc', join(folder, 'to-outside'));
  if (depth === 0) return;
  for (const name of ['src', '.dot', 'node_modules', '- x', 'empty', 'é d']) {
    mkdirSync(join(folder, name));
    if (name !== 'empty') fillOddly(join(folder, name), depth - 1);
  }
  symlinkSync('src', join(folder, 'to-folder'));
  chmodSync(join(folder, 'a'), 0o600);
}

export interface Touched {
  readonly paths: readonly string[];
  readonly open: boolean;
  readonly under: string | null;
}

/** The files that effects touch with one kind of access. */
export function touched(effects: readonly Effect[], access: Access): Touched {
  const files = effects.flatMap((effect) =>
    effect.kind === 'files' && effect.access === access ? [effect.files] : [],
  );
  return {
    paths: files.flatMap(({ paths }) => paths).sort(),
    open: files.some(({ open }) => open),
    under: files.find(({ open }) => open)?.under ?? null,
  };
}

/** What a lister describes. Throws the reason where it is unknown. */
export function describedOf(result: ListerResult): Performed {
  const described = givenBy(result);
  if (typeof described === 'string') throw new Error(described);
  return { output: unknownOutput, leavesInput: false, ...described };
}

/** The names that the program prints; null if they are unknown. */
export function namesOf(result: ListerResult): readonly string[] | null {
  const { output } = describedOf(result);
  if (output.kind === 'text' && output.text === '') return [];
  return output.kind === 'names' ? [...output.names.texts].sort() : null;
}

/** The answer of a program's lister about words. */
export function listed(name: string, args: readonly Word[], context: Context): Performed {
  const program = programOf(programTable, name);
  const lister = listers[name];
  if (program === null || lister === undefined) throw new Error(`\`${name}\` has no lister`);
  const reading = readWords(program, args);
  if (typeof reading === 'string') throw new Error(reading);
  return describedOf(lister({ ...reading, folder: null }, context) ?? 'the table says it');
}
