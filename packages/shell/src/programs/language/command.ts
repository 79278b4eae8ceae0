import { text, textOf, unknown, type Word } from '../../word.js';
import type { Around, Effects, Languages } from '../effects.js';
import { inFolder } from '../words.js';
import { capability, shell } from './make-effect.js';

/** A command in one text, as in settings: a shell runs it, but mostly it consists of plain words. */
export function readCommand(written: Word, around: Around): Effects {
  return run(written, [], around);
}

export const commands: Languages = {
  /** A command to which the program adds words of its own. */
  'command-with-more': (written, around) => run(written, [unknown('…', { count: 'many' })], around),
  /** A program that packs, and unpacks with `-d`; a shell starts it. */
  packer: (written, around) => {
    const packing = run(written, [], around);
    const unpacking = run(written, [text('-d')], around);
    if (typeof packing === 'string' || typeof unpacking === 'string') return packing;
    return [capability('proc.exec', { program: 'sh' }), ...packing, ...unpacking];
  },
  command: readCommand,
};

function run(written: Word, more: readonly Word[], around: Around): Effects {
  const known = textOf(written);
  if (known === null || !/^[\w ./:@%+,=-]*$/.test(known) || /^\s*\w+=/.test(known))
    return [shell(more.length === 0 ? known : null, around)];
  const words = known.split(/ +/).filter((each) => each !== '');
  return words.length === 0
    ? []
    : [{ kind: 'run', words: [...words.map(text), ...more], ...inFolder(around.folder) }];
}
