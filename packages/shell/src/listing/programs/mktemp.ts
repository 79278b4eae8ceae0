import { posix } from 'node:path';
import { type Lister, optionsNamed, type Reading } from '../../programs/reading.js';
import { beside } from '../../programs/words.js';
import { freshLetter, onlyNames, text, textOf } from '../../word.js';
import type { World } from '../../world.js';
import { has, pathEffects, valuesOf } from '../options.js';
import { startAt } from '../start.js';

/** As many letters as no loop of a line tries out. */
const fewestLetters = 6;

/** mktemp(1): a new file or folder, with a `freshLetter` for each letter that it chooses. */
export const mktemp: Lister = (reading, context) => {
  const path = templateOf(reading, context.world);
  const [, before = '', letters = '', after = ''] = /^((?:.*[^X])?)(X{3,})([^X/\n]*)$/.exec(path ?? '') ?? [];
  if (path === null || letters === '') return 'which template it has is unknown';
  const name = before + freshLetter.repeat(letters.length) + after;
  const { named, real, kind } = startAt(name, context, false);
  const isFresh = letters.length >= fewestLetters && real !== null && kind === null;
  if (!isFresh || has(reading, '-u --dry-run')) return pathEffects('write', [beside(text(path))]);
  // A pattern may match the name, or not. What is in other folders there stays known.
  for (const each of [named, real])
    context.world.changes.open.add(posix.join(posix.dirname(each), freshLetter));
  return {
    effects: pathEffects('write', [text(name)]),
    output: {
      kind: 'names',
      names: onlyNames([name]),
      separator: '\n',
      isOne: true,
      isResult: true,
      isSure: true,
    },
  };
};

/** The path in which it replaces the last run of `X`; null if it is unknown. */
function templateOf(reading: Reading, { temporary = '/tmp' }: World): string | null {
  const { operands, open } = reading;
  const [folders, ends] = ['-p --tmpdir', '--suffix'].map((names) => valuesOf(reading, names).map(textOf));
  const [operand, ...others] = operands.length === 0 ? ['tmp.XXXXXXXXXX'] : operands.map(textOf);
  const [folder = null, ...more] = folders ?? [];
  const [end = '', ...ended] = ends ?? [];
  const isKnown = open === null && others.length + more.length + ended.length === 0;
  if (!isKnown || operand == null || end === null || (folder === null && folders?.length === 1)) return null;
  const isIn = optionsNamed(reading, '-p -t --tmpdir').length > 0;
  const isBare = has(reading, '-t') && (folders?.length === 1 || operand.includes('/'));
  if (isBare || end.includes('/') || (end !== '' && !operand.endsWith('X'))) return null;
  return (isIn || operands.length === 0 ? `${folder || temporary}/` : '') + operand + end;
}
