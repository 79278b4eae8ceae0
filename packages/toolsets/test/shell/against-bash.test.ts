// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '@ambit/core';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { reported } from './reference.js';

/** Programs that write down how they were called, and nothing else: all that these lines can run. */
const base = realpathSync(mkdtempSync(join(tmpdir(), 'against-bash-')));
const programs = join(base, 'bin');
const log = join(base, 'log');
const work = join(base, 'work');

mkdirSync(programs);
for (const name of ['p', 'q', 'r']) {
  const script = `#!/bin/sh\nprintf '%s\\0' "$(pwd -P)" '${name}' "$@" '\u0001' >> '${log}'\n`;
  writeFileSync(join(programs, name), script);
  chmodSync(join(programs, name), 0o755);
}

afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Called {
  readonly folder: string;
  readonly argv: readonly string[];
}

/** What bash runs of a line. */
function run(line: string): readonly Called[] {
  rmSync(work, { recursive: true, force: true });
  rmSync(log, { force: true });
  mkdirSync(join(work, 'a', 'b'), { recursive: true });
  mkdirSync(join(work, 'b'));
  spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', line], {
    cwd: work,
    env: { PATH: programs, HOME: join(work, 'a'), LANG: 'C.UTF-8', TERM: 'dumb' },
    timeout: 5_000,
    stdio: 'ignore',
  });
  if (!existsSync(log)) return [];
  const records = readFileSync(log, 'utf8').split('\u0001\0');
  return records.slice(0, -1).map((record) => {
    const [folder = '', ...argv] = record.split('\0').slice(0, -1);
    return { folder, argv };
  });
}

/** Whether a capability says this, or leaves out what it does not know. */
function says({ name, program, argv, cwd }: Capability, called: Called): boolean {
  if (name !== 'proc.exec') return false;
  const isFolder = cwd === undefined || cwd === called.folder;
  const isProgram = program === undefined || program === called.argv[0];
  const isArgv = argv === undefined || JSON.stringify(argv) === JSON.stringify(called.argv);
  return isFolder && isProgram && isArgv;
}

const word = fc.constantFrom(
  'a',
  "'a b'",
  '"$x"',
  '$x',
  '${x:-c}',
  '$(echo d)',
  '"$(echo d e)"',
  '`echo f`',
  '{a,b}',
  '{1..3}',
  'a\\ b',
  "$'\\x41b'",
  '\\\\',
  "'\\'",
  '"\\""',
  '"\\$x"',
  '#a',
  'a#b',
  '=a',
  'a=b',
  '-x',
  '--',
  '{a}',
  'a{b,c}d{e,f}',
  '{a,{b,c}}',
  '{a,b',
  'x}',
  '${x#p}',
  '${x%%q}',
  '${x/a/b}',
  '${#x}',
  '$((1+2))',
  '$#',
  '"$@"',
  '$*',
  "''",
  '""',
  "$'a\\'b'",
  '!',
  'a!',
  '[a]',
  '[a-c]',
  'a*',
  '?z',
  '\\*',
  "'*'",
  '${x:+y}',
  '${y-z}',
  '${y:=v}',
  'a\\;b',
  'a\'b\'"c"',
  '{a\\,b}',
  '${x}{a,b}',
  '{$x,b}',
  '{0,1}{0,1}',
  '{a..c}',
  '{3..1}',
  '{01..3}',
  '{1..10..4}',
  '{a,b}}',
  '{{a,b}',
  'a{,b}',
  '~',
  '~/x',
  '"~"',
  'x=~',
  '${x^^}',
  '${x:0:1}',
  '${x##*/}',
);

const simple = fc
  .tuple(fc.constantFrom('p', 'q', 'r', "'p'", '\\p', 'p\\\n'), fc.array(word, { maxLength: 3 }))
  .map(([name, words]) => [name, ...words].join(' '));

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const { line } = fc.letrec<{ line: string }>((tie) => {
  const inner = tie('line');
  const made = (make: (line: string, word: string, other: string) => string) =>
    fc.tuple(inner, word, inner).map(([one, middle, other]) => make(one, middle, other));
  return {
    line: fc.oneof(
      { maxDepth: 3, depthSize: 'medium' },
      simple,
      ...[' ; ', ' && ', ' || ', ' | ', '\n'].map((joint) => made((one, _, other) => one + joint + other)),
      made((one) => `(${one}\n)`),
      made((one, _, other) => `if ${one}\nthen ${other}\nfi`),
      made((one, value) => `for x in ${value} a; do ${one}\ndone`),
      made((one, value, other) => `case ${value} in ${value}) ${one}\n;; *) ${other}\n;; esac`),
      made((one, value) => `x=${value}; ${one}`),
      made((one, value) => `f() { ${one}\n}; f ${value}`),
      made((one, value) => `x=b; f() { local x=${value}; ${one}\n}; f; p "$x"`),
      made((one) => `eval ${single(one)}`),
      made((one) => `trap ${single(one)} EXIT`),
      made((one, value) => `set -- ${value} ${value}; ${one}`),
      made((one, _, other) => `p <<E ; ${other}\n$(${one}\n) \\$x "a\nE\n`),
      made((one) => `p <<'E' && ${one}\n$(q) '\nE\n`),
      made((one) => `p "$(${one}\n)"`),
      made((one) => `while ${one}\ndo q; break; done`),
      made((one, value) => `x=(${value} ${value}); p "\${x[@]}"; ${one}`),
      made((one, value) => `export x=${value}; ${one}`),
      made((one) => `cd a && ${one}`),
      made((one) => `cd nowhere; ${one}`),
      made((one) => `cd b || ${one}`),
      made((one) => `(cd a; ${one}\n); p`),
      made((one) => `cd; ${one}`),
      made((one) => `pushd a > f; ${one}`),
    ),
  };
});

describe.skipIf(!existsSync('/bin/bash'))(
  'shell.run › against bash itself (skipped where there is none)',
  () => {
    test('each call of a program was described, in the folder where it happens', async () => {
      const counts = { called: 0, opaque: 0 };
      await fc.assert(
        fc.asyncProperty(line, async (text) => {
          const called = run(text);
          const capabilities = await reported(text, { cwd: work, home: join(work, 'a') });
          counts.called += called.length;
          if (capabilities.some(({ name }) => name === 'proc.exec.opaque')) {
            counts.opaque += 1;
            return;
          }
          for (const each of called)
            expect([each, capabilities.some((one) => says(one, each))]).toEqual([each, true]);
        }),
        { numRuns: 150, seed: 11 },
      );
      // So that it cannot come to say nothing.
      expect(counts.called).toBeGreaterThan(150);
      expect(counts.opaque).toBeLessThan(40);
    });
  },
);
