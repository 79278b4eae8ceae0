import { openRoots } from '@ambit/toolsets';
import type { ProgramTable } from '../../src/programs/entry/spec.js';
import { programs } from '../../src/programs/entry/table.js';
import { type Output, text, unknownOutput, type Word } from '../../src/word.js';
import type { Deed, Scene } from '../../src/world.js';
import { perform } from '../perform.js';

/** A scene in `/work` without access to the file system. */
export function sceneWith(input: Output = unknownOutput): Scene {
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
      listing: {
        kind: () => null,
        below: () => ({ entries: [], isOpen: true, why: 'nothing is listed' }),
        names: () => ({ entries: [], isOpen: true, why: 'nothing is listed' }),
      },
      changes: { created: new Set(), removed: new Set(), open: new Set(), links: new Set() },
    },
  };
}

/** The deed of a program with words; strings are words with that text. */
export function deedOf(
  name: string,
  words: readonly (string | Word)[],
  { table = programs, input = unknownOutput }: { table?: ProgramTable; input?: Output } = {},
): Deed {
  const whole = words.map((word) => (typeof word === 'string' ? text(word) : word));
  const deed = perform(table)(name, whole, sceneWith(input));
  if (deed === null) throw new Error(`the table does not have \`${name}\``);
  return deed;
}

/** The effects in a short form: `read a`, `run rm x`, `opaque`. */
export function effectsOf(
  name: string,
  words: readonly (string | Word)[],
  table?: ProgramTable,
): readonly string[] {
  return deedOf(name, words, table === undefined ? {} : { table }).effects.map(short);
}

function short(effect: Deed['effects'][number]): string {
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
