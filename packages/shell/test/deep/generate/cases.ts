import { existsSync, readFileSync } from 'node:fs';
import type { Random } from '../random.js';
import { exotic } from './exotic.js';
import { paths, pathWord } from './words.js';

const folder = '/opt/repository/shared/cases';

let lines: readonly string[] | null = null;

/**
 * The command lines of the public cases, applied to the fixture; a few built-in lines if the cases are
 * missing.
 */
function caseLines(): readonly string[] {
  lines ??= [
    ...['shell.jsonl', 'agents.jsonl', 'everyday.jsonl', 'everyday.jsonl', 'everyday.jsonl'].flatMap(linesOf),
    // Most of these test parsers: unusual syntax, and programs that are not installed.
    ...linesOf('shell-syntax.jsonl').filter((_, index) => index % 4 === 0),
  ];
  return lines.length > 0 ? lines : ['ls -la', 'cat a.txt | head -1'];
}

function linesOf(name: string): readonly string[] {
  const file = `${folder}/${name}`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const row = JSON.parse(line) as {
        readonly command?: string;
        readonly script?: string;
        readonly args?: { readonly command?: string };
      };
      const command = row.command ?? row.script ?? row.args?.command;
      return command === undefined || command.length > 2000 ? [] : [placed(command)];
    });
}

const stands: Readonly<Record<string, string>> = {
  '@file@': 'src/main.js',
  '@file2@': 'src/a.js',
  '@src@': 'src',
  '@dir@': 'src',
  '@tests@': 'test',
  '@ext@': 'js',
  '@root@': '.',
  '@symbol@': 'foo',
  '@sha@': 'HEAD~1',
};

function placed(command: string): string {
  return command
    .replaceAll('/work/proj', '/home/dev/project')
    .replaceAll('/home/user', '/home/dev')
    .replaceAll(/@\w+@/g, (name) => stands[name] ?? 'a.txt');
}

/** A row of the cases, or a line derived from one. */
export function caseLine(random: Random): string {
  let line = random.pick(caseLines());
  for (
    let changes = random.weighted([
      [3, 0],
      [4, 1],
      [2, 2],
      [1, 4],
    ]);
    changes > 0;
    changes -= 1
  )
    line = random.pick(mutations)(line, random);
  return line;
}

const mutations: readonly ((line: string, random: Random) => string)[] = [
  (line, random) => replaceWord(line, random, () => pathWord(random)),
  (line, random) => replaceWord(line, random, () => random.pick(paths)),
  (line, random) =>
    replaceWord(line, random, () =>
      random.pick(['$x', '"$x"', '*', '$(ls)', '-r', '-o', '--', '-i', '@a.txt']),
    ),
  (line, random) =>
    replaceWord(line, random, () => random.pick(random.pick(caseLines()).split(/\s+/)) || 'a.txt'),
  (line, random) => replaceWord(line, random, (word) => `"${word}"`),
  (line, random) => replaceWord(line, random, (word) => `${word} ${random.pick(paths)}`),
  (line, random) => replaceWord(line, random, () => ''),
  (line, random) => `${line}${random.pick(['; ', ' && ', ' | ', ' || ', '\n'])}${random.pick(caseLines())}`,
  (line, random) => (random.chance(0.3) ? `${exotic(random)}; ${line}` : `${line} | head`),
  (line, random) => `cd ${random.pick(['src', '..', 'docs/up', 'etc.link', '/tmp'])} && ${line}`,
  (line) => `(${line})`,
  (line) => `x=$(${line}); cat $x`,
  (line) => `${line} | xargs cat`,
  (line, random) => `for x in ${random.pick(['*', 'a b', '$(ls)', '1 2'])}; do ${line}; done`,
  (line, random) => `if ${line}; then ${random.pick(caseLines())}; fi`,
  (line, random) => {
    const at = random.below(line.length + 1);
    return (
      line.slice(0, at) +
      random.pick([
        "'",
        '"',
        '$',
        '`',
        '(',
        ')',
        ' ',
        '\\',
        '{',
        '}',
        '>',
        '<',
        '|',
        '&',
        '*',
        '~',
        '#',
        '!',
        '=',
        '\n',
      ]) +
      line.slice(at)
    );
  },
  (line, random) => {
    const at = random.below(line.length + 1);
    return line.slice(0, at) + line.slice(at + 1);
  },
];

function replaceWord(line: string, random: Random, make: (word: string) => string): string {
  const parts = line.split(/(\s+)/);
  const at = 2 * random.below((parts.length + 1) / 2);
  return parts.map((part, index) => (index === at ? make(part) : part)).join('');
}
