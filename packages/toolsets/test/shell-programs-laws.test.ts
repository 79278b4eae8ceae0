import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Effect } from '../src/shell/effect.js';
import { effectsOf } from '../src/shell/programs/effects-of.js';
import type { OptionEntry } from '../src/shell/programs/entry.js';
import { type Program, programOf } from '../src/shell/programs/program.js';
import { programs } from '../src/shell/programs/table/index.js';
import { isOpenStart } from '../src/shell/programs/words.js';
import { type Gap, type Word, word } from '../src/shell/word.js';

const runs = { numRuns: 3_000, seed: 20_261_121 };

const programNames = Object.keys(programs);

function entryOf(name: string): Program {
  const program = programOf(programs, name);
  if (program === null) throw new Error(`no program \`${name}\``);
  return program;
}

function said(program: string, words: readonly Word[]): readonly string[] {
  return [...new Set(effectsOf({ program, words }, programs).map((effect) => JSON.stringify(effect)))].sort();
}

/** Options of which each has a value in one word, whatever it is. */
function withValue({ options }: Program): readonly OptionEntry[] {
  const ofOneValue = ({ names, values, isOptional }: OptionEntry) =>
    values.length === 1 &&
    !isOptional &&
    !names.some((each) => each.endsWith('*')) &&
    values[0]?.every(({ kind }) => !['rest', 'command', 'entry', 'shell'].includes(kind)) === true;
  return [...new Set(options.values())].filter(ofOneValue);
}

const usual = programNames.filter((name) => {
  const { spec } = entryOf(name);
  return spec.isDashed !== true && spec.isBundled !== true && withValue(entryOf(name)).length > 0;
});

const value = fc.constantFrom('out', '/etc/x', 'http://evil.example/', 'a=b', 'rm x', 'key=file');

/** An option with its value, in one of the ways to write it. */
const spelled = fc
  .constantFrom(...usual)
  .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...withValue(entryOf(name))), value))
  .chain(([name, option, text]) => {
    const spellings = option.names.flatMap((each) => waysOf(each, text, entryOf(name)));
    return fc.record({
      name: fc.constant(name),
      first: fc.constantFrom(...spellings),
      second: fc.constantFrom(...spellings),
      isLast: fc.boolean(),
    });
  });

function waysOf(name: string, text: string, { options, prefixes }: Program): readonly (readonly string[])[] {
  if (!name.startsWith('--')) {
    const isPrefixed = prefixes.some(({ names: [prefix = ''] }) => `${name}${text}`.startsWith(prefix));
    const flag = [...options].find(([each, { values }]) => /^-[a-zA-Z]$/.test(each) && values.length === 0);
    const clusters =
      flag === undefined || isPrefixed
        ? []
        : [[flag[0] + name.slice(1), text], [flag[0] + name.slice(1) + text]];
    const isShort = name.length === 2 && name.startsWith('-');
    return [[name, text], ...(isShort && !isPrefixed ? [[name + text]] : []), ...(isShort ? clusters : [])];
  }
  const longs = [...options.keys()].filter((each) => each.startsWith('--'));
  const shorter = Array.from({ length: name.length - 3 }, (_, index) => name.slice(0, index + 3)).filter(
    (short) => longs.filter((each) => each.startsWith(short)).length === 1,
  );
  return [name, ...shorter].flatMap((each) => [[each, text], [`${each}=${text}`]]);
}

describe('effectsOf', () => {
  test('an option means the same however it is written, and wherever operands may stand', () => {
    fc.assert(
      fc.property(spelled, ({ name, first, second, isLast }) => {
        const { spec, hasCommands, options } = entryOf(name);
        const flag = [...options].find(
          ([each, { values }]) => /^-[a-zA-Z]$/.test(each) && values.length === 0,
        );
        // The flag that clusters begin with may mean something of its own: so both have it.
        const before = flag === undefined ? [] : [flag[0]];
        const canFollow = isLast && spec.isPosix !== true && !hasCommands;
        const operands = hasCommands ? [] : ['one', 'two'];
        const words = (ways: readonly string[], isAfter: boolean) =>
          (isAfter ? [...before, ...operands, ...ways] : [...before, ...ways, ...operands]).map(word);
        expect(said(name, words(second, canFollow))).toStrictEqual(said(name, words(first, false)));
      }),
      runs,
    );
  });

  test('a word that is not known takes no effect away: what was said is still said, or blurred', () => {
    const invocation = fc
      .constantFrom(...programNames.filter((name) => entryOf(name).spec.isClosed !== true))
      .chain((name) => {
        const program = entryOf(name);
        const commands = Object.keys(program.spec.commands ?? {}).flatMap((key) => key.split('|'));
        const inner = commands.flatMap((command) => [...(program.command(command)?.options.keys() ?? [])]);
        const words = fc.oneof(
          fc.constantFrom('one', '/etc/x', 'x=y', '-', '--', 'rm', 'http://evil.example/'),
          value,
          ...own([...program.options.keys(), ...inner]),
        );
        const line = fc.array(words, { minLength: 1, maxLength: 5 });
        return fc.tuple(
          fc.constant(name),
          commands.length === 0
            ? line
            : fc.tuple(fc.constantFrom(...commands), line).map(([command, rest]) => [command, ...rest]),
        );
      });
    const gap = fc.constantFrom<Gap>({ kind: 'text', text: '"$X"' }, { kind: 'words', text: '$X' });
    fc.assert(
      fc.property(invocation, fc.nat(), gap, ([program, line], at, unknown) => {
        const words = line.map(word);
        const blurred = words.map((each, index) =>
          index === at % line.length ? { parts: [unknown] } : each,
        );
        const before = effectsOf({ program, words }, programs).filter(isDone);
        const after = effectsOf({ program, words: blurred }, programs);
        expect(before.filter((effect) => !after.some((other) => covers(other, effect)))).toStrictEqual([]);
      }),
      runs,
    );
  });
});

function own(options: readonly string[]): readonly fc.Arbitrary<string>[] {
  return options.length === 0 ? [] : [fc.constantFrom(...options)];
}

/** That the table does not know a word is nothing that the word does. */
function isDone(effect: Effect): boolean {
  return effect.kind !== 'opaque' || !effect.why.includes('not known');
}

/** Whether somebody who heard the first would also expect the second. */
function covers(wide: Effect, narrow: Effect): boolean {
  if (wide.kind === 'opaque') return true;
  if (
    (wide.kind === 'code' && (wide.text === null || hasGap(wide.text))) ||
    (wide.kind === 'run' && isUnknown(wide.words[0] ?? null))
  )
    return true;
  if (wide.kind === 'connect' && isUnknown(wide.to))
    return narrow.kind === 'connect' || narrow.kind === 'path';
  if (wide.kind === 'load' && isUnknown(wide.word))
    return narrow.kind === 'load' || narrow.kind === 'code_from_input' || narrow.kind === 'code';
  if (wide.kind !== narrow.kind) return false;
  if (wide.kind === 'path' && narrow.kind === 'path' && wide.access === narrow.access) {
    return (
      isUnknown(wide.word) ||
      hasGap(wide.word) ||
      isSame({ ...wide, deep: narrow.deep ?? false }, { ...narrow, deep: narrow.deep ?? false })
    );
  }
  if (wide.kind === 'capability' && narrow.kind === 'capability') {
    const facts = Object.entries(wide.capability);
    return facts.every(([fact, known]) => isSame(narrow.capability[fact], known));
  }
  if (wide.kind === 'run' && narrow.kind === 'run')
    return isSame(wide.words, narrow.words) || wide.words.some(hasGap);
  return isSame(wide, narrow);
}

function isUnknown(text: Word | null): boolean {
  return text === null || isOpenStart(text);
}

function hasGap({ parts }: Word): boolean {
  return parts.some((part) => typeof part !== 'string');
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
