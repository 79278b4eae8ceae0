import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type OptionEntry, optionsOf } from '../../src/programs/entry.js';
import { resolve } from '../../src/programs/like.js';
import { families, programs } from '../../src/programs/table.js';

/** Families whose programs say what options they have, and do nothing else, when they are asked. */
const asked = ['archives', 'binaries', 'comparing', 'compressors', 'copying', 'files', 'filters'].concat([
  'pagers',
  'processes',
  'reading',
  'searching',
  'system',
  'text',
  'wrappers',
]);
/** These do not say so with `--help`, or their help leaves options out. */
const silent = new Set(['[', 'test', 'kill', 'jq', 'find', 'cal', 'ncal', 'lsof', 'which', 'awk', 'mawk']);

describe('the options in the table', () => {
  test('are read as the programs on this machine say', { timeout: 120_000 }, () => {
    const lines: string[] = [];
    const wrong: string[] = [];
    const absent: string[] = [];
    for (const program of asked.flatMap(programsOf)) {
      const help = helpOf(program);
      if (help === null) absent.push(program);
      else {
        lines.push(...compare(program, help));
        wrong.push(...wrongArity(program, help), ...unequalPairs(program, help));
      }
    }
    console.log(['program | in the entry, not in its help | in its help, opaque', ...lines].join('\n'));
    console.log(`${absent.length} skipped, which are not on this machine: ${absent.join(' ')}`);
    expect(wrong).toStrictEqual([]);
  });
});

function programsOf(family: string): readonly string[] {
  const names = Object.keys(families[family]?.programs ?? {});
  return names.filter((name) => !name.includes(' ') && !silent.has(name));
}

/** What the program says when it is asked for help; null where it is not on this machine. */
function helpOf(program: string): string | null {
  const flag = { xz: '--long-help', zip: '-h2', unzip: '-hh' }[program] ?? '--help';
  const { error, stdout, stderr } = spawnSync(program, program === 'ps' ? ['--help', 'all'] : [flag], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 5_000,
  });
  return error === undefined ? `${stdout}\n${stderr}` : null;
}

function compare(program: string, help: string): readonly string[] {
  const own = new Set(entriesOf(program).flatMap(({ names }) => names.filter(isLong)));
  const theirs = new Set(longOptions(help));
  if (theirs.size < 3) return [];
  const unknown = [...own].filter((name) => !theirs.has(name)).join(' ');
  const missing = [...theirs]
    .filter((name) => !own.has(name) && !/^--(?:help|version)$/.test(name))
    .join(' ');
  return unknown === '' && missing === '' ? [] : [`${program} | ${unknown} | ${missing}`];
}

function entriesOf(program: string): readonly OptionEntry[] {
  const spec = programs[program];
  return spec === undefined ? [] : optionsOf(resolve(spec, programs));
}

/** Options that take no value here and one there, or the other way round: what follows them would be misread. */
function wrongArity(program: string, help: string): readonly string[] {
  return entriesOf(program).flatMap(({ names, values, isOptional }) => {
    const named = names.filter(isLong).map((name) => `${name}${arityIn(help, name)}`);
    const own = isOptional ? '[=' : values.length > 0 ? '=' : '';
    const others = named.filter((text) => text.endsWith('=') && !text.endsWith(own === '' ? '[=' : own));
    return others.length === 0 ? [] : [`${program}: ${others.join(' ')}, not \`${own}\``];
  });
}

/** `-x, --long` in the help that differ in the entry in whether they take a value. */
function unequalPairs(program: string, help: string): readonly string[] {
  const arities = new Map(
    entriesOf(program).flatMap(({ names, values, isOptional }) =>
      names.map((name) => [name, isOptional ? 0 : values.length] as const),
    ),
  );
  const pairs = [...help.matchAll(/(?<![\w-])(-\w)(?:\[.*?\])?, (--[\w-]+)(?!=[a-z])/g)];
  return pairs.flatMap(([, short = '', long = '']) => {
    const [one, other] = [arities.get(short), arities.get(long)];
    const areEqual = one === undefined || other === undefined || one === other;
    return areEqual ? [] : [`${program}: ${short} ${one}, ${long} ${other}`];
  });
}

/** What follows the option in the help: `=` for a value, `[=` for one that it need not have. */
function arityIn(help: string, name: string): string {
  const found = [...help.matchAll(new RegExp(`(?<![\\w-])${name}(\\[=|=)?(?![\\w-])`, 'g'))];
  const kinds = new Set(found.map(([, kind = '']) => kind));
  return kinds.size === 1 ? ([...kinds][0] ?? '') : '';
}

function isLong(name: string): boolean {
  return /^--\w/.test(name) && !name.includes('*');
}

/** `--[no-]color` names two. */
function longOptions(help: string): readonly string[] {
  const found = [...help.matchAll(/(?<![\w-])--(\[no-?\])?([a-zA-Z][\w-]*)/g)];
  return found.flatMap(([, no, name = '']) =>
    no === undefined ? [`--${name}`] : [`--${name}`, `--${no.slice(1, -1)}${name}`],
  );
}
