import { openRoots } from '@ambit/toolsets';
import type { ProgramTable } from '../../src/programs/entry/spec.js';
import { programs } from '../../src/programs/entry/table.js';
import { type Output, text, unknownOutput, type Word } from '../../src/word.js';
import { type Context, type Described, noChanges } from '../../src/world.js';
import { perform } from '../perform.js';

/** A context in `/work` without access to the file system. */
export function contextWith(input: Output = unknownOutput): Context {
  const folder = { named: '/project', real: '/project' };
  return {
    folder,
    input,
    isRead: true,
    world: {
      roots: openRoots([{ name: 'project', folder: '/', mode: 'rw' }], {
        home: '/home/me',
        guarded: [],
        naming: 'by_path',
      }),
      home: '/home/me',
      searchPath: [],
      listing: {
        kind: () => null,
        below: () => ({ entries: [], isOpen: true, why: 'nothing is listed' }),
        names: () => ({ entries: [], isOpen: true, why: 'nothing is listed' }),
      },
      changes: noChanges(),
    },
  };
}

/** What a program does with words; strings are words with that text. */
export function describedOf(
  name: string,
  words: readonly (string | Word)[],
  { table = programs, input = unknownOutput }: { table?: ProgramTable; input?: Output } = {},
): Described {
  const whole = words.map((word) => (typeof word === 'string' ? text(word) : word));
  const described = perform(table)(name, whole, contextWith(input));
  if (described === null) throw new Error(`the table does not have \`${name}\``);
  return described;
}

/** The effects in a short form: `read a`, `run rm x`, `opaque`. */
export function effectsOf(
  name: string,
  words: readonly (string | Word)[],
  table?: ProgramTable,
): readonly string[] {
  return describedOf(name, words, table === undefined ? {} : { table }).effects.map(short);
}

function short(effect: Described['effects'][number]): string {
  switch (effect.kind) {
    case 'path': {
      const by = effect.by === 'argument' ? ' by argument' : '';
      return `${effect.access} ${shortWord(effect.word)}${effect.deep === true ? '/**' : ''}${effect.folder === undefined ? '' : ` in ${shortWord(effect.folder)}`}${by}`;
    }
    case 'run':
      return `run ${effect.words.map(shortWord).join(' ')}${effect.more === undefined ? '' : ` + ${effect.more}`}`;
    case 'code':
      return `code ${effect.language} ${effect.text ?? '?'}${effect.from === undefined ? '' : ' from input'}`;
    case 'load':
      return `load ${shortWord(effect.word)}`;
    case 'connect':
      return `connect ${effect.to === null ? '?' : shortWord(effect.to)}`;
    case 'capability':
      return Object.values(effect.capability)
        .map((fact) => JSON.stringify(fact).replaceAll(`"`, ``))
        .join(' ');
    case 'variable':
      return `variable ${effect.name}=${effect.value ?? '?'}`;
    case 'files':
      return `${effect.access} ${effect.files.paths.join(' ')}`;
    case 'opaque':
      return `opaque`;
  }
}

function shortWord(word: Word): string {
  if (word.kind === 'text') return word.text;
  if (word.kind === 'unknown') return `${word.start}?`;
  return `{${word.names.texts.map((each) => word.before + each + word.after).join(' ')}}`;
}
