import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../../../test/depth.js';
import type { Effect } from '../../src/effect.js';
import type { OptionEntry } from '../../src/programs/entry/entry.js';
import { programs } from '../../src/programs/entry/table.js';
import { type Program, programOf } from '../../src/programs/program.js';
import { text, type Word } from '../../src/word.js';
import { describedOf } from './context.js';
import { names, unknown } from './given.js';

const runs = explore(3_000, 20_261_122);

const programNames = Object.keys(programs);

function entryOf(name: string): Program {
  const program = programOf(programs, name);
  if (program === null) throw new Error(`no program \`${name}\``);
  return program;
}

function said(name: string, words: readonly Word[]): readonly string[] {
  return [...new Set(describedOf(name, words).effects.map((effect) => JSON.stringify(effect)))].sort();
}

/** Options that take any value in one word. */
function withValue({ options }: Program): readonly OptionEntry[] {
  const ofOneValue = ({ names: spellings, values, isOptional, isList }: OptionEntry) =>
    values.length === 1 &&
    !isOptional &&
    isList !== true &&
    !spellings.some((each) => each.endsWith('*')) &&
    values[0]?.every(({ kind }) => !['rest', 'command', 'entry', 'shell'].includes(kind)) === true;
  return [...new Set(options.values())].filter(ofOneValue);
}

const usual = programNames.filter((name) => {
  const { spec } = entryOf(name);
  return (
    spec.dashed !== true &&
    spec.bundled !== true &&
    spec.separate !== true &&
    withValue(entryOf(name)).length > 0
  );
});

const value = fc.constantFrom('out', '/etc/x', 'http://evil.example/', 'a=b', 'rm x', 'key=file');

/** An option with its value, in two spellings. */
const spelled = fc
  .constantFrom(...usual)
  .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...withValue(entryOf(name))), value))
  .chain(([name, option, given]) => {
    const spellings = option.names.flatMap((each) => waysOf(each, given, entryOf(name)));
    return fc.record({
      name: fc.constant(name),
      first: fc.constantFrom(...spellings),
      second: fc.constantFrom(...spellings),
      isLast: fc.boolean(),
    });
  });

function waysOf(name: string, given: string, program: Program): readonly (readonly string[])[] {
  if (name.startsWith('--')) return [[name, given], [`${name}=${given}`]];
  const isPrefixed = program.prefixes.some(({ names: [prefix = ''] }) =>
    `${name}${given}`.startsWith(prefix),
  );
  if (isPrefixed || name.length !== 2 || !name.startsWith('-')) return [[name, given]];
  const flag = flagOf(program);
  const clusters = flag === undefined ? [] : [[flag + name.slice(1), given], [flag + name.slice(1) + given]];
  return [[name, given], [name + given], ...clusters];
}

function flagOf({ options }: Program): string | undefined {
  return [...options].find(([each, { values }]) => /^-[a-zA-Z]$/.test(each) && values.length === 0)?.[0];
}

describe('the description of a program', () => {
  test('does not depend on the spelling of an option or on operands before it', () => {
    fc.assert(
      fc.property(spelled, ({ name, first, second, isLast }) => {
        const program = entryOf(name);
        const flag = flagOf(program);
        // The flag that clusters begin with may mean something of its own: so both have it.
        const before = flag === undefined ? [] : [flag];
        const { posix, late } = program.spec;
        const canFollow = isLast && posix !== true && late === undefined && !program.hasCommands;
        const operands = program.hasCommands ? [] : ['one', 'two'];
        const words = (ways: readonly string[], isAfter: boolean) =>
          (isAfter ? [...before, ...operands, ...ways] : [...before, ...ways, ...operands]).map(text);
        expect(said(name, words(second, canFollow))).toStrictEqual(said(name, words(first, false)));
      }),
      runs,
    );
  });

  test('is covered by the description with one unknown word', () => {
    const line = fc
      .constantFrom(...programNames.filter((name) => entryOf(name).spec.closed !== true))
      .chain((name) => fc.tuple(fc.constant(name), wordsOf(entryOf(name))));
    const gap = fc.constantFrom<Word>(
      unknown('"$x"'),
      unknown('$x', { count: 'many' }),
      names(['x'], { names: { texts: ['x'], open: true, under: null } }),
    );
    fc.assert(
      fc.property(line, fc.nat(), gap, ([name, words], at, hidden) => {
        const before = describedOf(name, words.map(text)).effects;
        const blurred = words.map((each, index) => (index === at % words.length ? hidden : text(each)));
        const after = describedOf(name, blurred).effects;
        // An unreadable line reports only that; with another word in that place it may be readable.
        const isOpaque = before.length === 1 && before[0]?.kind === 'opaque';
        const missed = before.filter((effect) => !after.some((other) => covers(other, effect)));
        expect(isOpaque ? [] : missed).toStrictEqual([]);
      }),
      runs,
    );
  });
});

function wordsOf(program: Program): fc.Arbitrary<readonly string[]> {
  const commands = Object.keys(program.spec.commands ?? {}).flatMap((key) => key.split('|'));
  const inner = commands.flatMap((command) => [...(program.command(command)?.options.keys() ?? [])]);
  const options = [...program.options.keys(), ...inner];
  const words = fc.oneof(
    fc.constantFrom('one', '/etc/x', 'x=y', '-', '--', 'rm', 'http://evil.example/'),
    value,
    ...(options.length === 0 ? [] : [fc.constantFrom(...options)]),
  );
  const line = fc.array(words, { minLength: 1, maxLength: 5 });
  if (commands.length === 0) return line;
  return fc.tuple(fc.constantFrom(...commands), line).map(([command, rest]) => [command, ...rest]);
}

/** Whether the first effect covers the second. */
function covers(wide: Effect, narrow: Effect): boolean {
  if (wide.kind === 'opaque') return true;
  if (wide.kind === 'code' && wide.text === null) return true;
  if (wide.kind === 'code' && narrow.kind === 'code' && wide.parameters?.some(isOpen) === true)
    return isSame({ ...wide, parameters: [] }, { ...narrow, parameters: [] });
  if (wide.kind === 'connect' && isOpen(wide.to)) return narrow.kind === 'connect' || narrow.kind === 'path';
  if (wide.kind === 'load' && isOpen(wide.word)) return narrow.kind === 'load' || narrow.kind === 'code';
  // An unknown program may do anything.
  if (wide.kind === 'run' && isOpen(wide.words[0] ?? null)) return true;
  if (wide.kind === 'run' && wide.words.some(isOpen)) return narrow.kind === 'run';
  if (narrow.kind === 'files')
    return (wide.kind === 'path' || wide.kind === 'files') && wide.access === narrow.access;
  if (wide.kind === 'files' && narrow.kind === 'path')
    return wide.access === narrow.access && holds(wide, narrow);
  if (wide.kind === 'path' && narrow.kind === 'path')
    return wide.access === narrow.access && (isOpen(wide.word) || isSame(placeOf(wide), placeOf(narrow)));
  if (wide.kind === 'capability' && narrow.kind === 'capability')
    return Object.entries(wide.capability).every(([fact, known]) => narrow.capability[fact] === known);
  return isSame(wide, narrow);
}

function holds(
  { files }: Extract<Effect, { kind: 'files' }>,
  { word }: Extract<Effect, { kind: 'path' }>,
): boolean {
  const path = word.kind === 'text' ? resolve('/project', word.text) : null;
  return (files.open && files.under === null) || (path !== null && files.paths.includes(path));
}

function placeOf({ word, folder, deep }: Extract<Effect, { kind: 'path' }>) {
  return { word, folder, deep };
}

function isOpen(word: Word | null): boolean {
  return word === null || word.kind === 'unknown' || (word.kind === 'names' && word.names.open);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
