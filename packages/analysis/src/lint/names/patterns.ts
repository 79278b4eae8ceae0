import { hiddenCharacters } from '@ambit/core';
import { quote } from '@ambit/policy/internal';
import type { Lint } from '../subject/scope.js';
import { patternsOf } from '../subject/sites.js';

interface Slip {
  readonly has: string;
  readonly looks: RegExp;
  readonly help: string | ((text: string) => string);
}

const braces = /\{([^{},]*,[^{}]*)\}/;
const list = 'write a list, with a whole pattern for each value';
/** Between two values. File names have such characters too, but no path begins after them. */
const betweenPaths = /(?<![,;|\s])[,;|\s]+(?=~?\/|\.\/)|[,;|]\s*(?=\*\.)|(?<!\*)\n|\n(?!\*)/;
const betweenPrograms = /(?<=\w)\s*[,;|&\n]/;

const hidden = `[\\p{Cc}${hiddenCharacters}]`;

/** Mistakes that a shell's syntax suggests. The first that a text has is reported. */
const slips = (separator: RegExp): readonly Slip[] => [
  {
    has: 'braces, which stand for themselves',
    looks: braces,
    help: (text) =>
      // More are not shown.
      listOf(
        (braces.exec(text)?.[1] ?? '').split(',', 99).map((each) => text.replace(braces, () => each.trim())),
      ),
  },
  {
    has: 'a separator, and a text is one value',
    looks: separator,
    help: (text) => listOf(text.split(separator)),
  },
  { has: 'a `|`, which stands for itself', looks: /\|/, help: list },
  {
    has: 'a variable, and a pattern has none',
    // Names of files have a `$` too: `$id.tsx`, `$RECYCLE.BIN`, `A$B.class`.
    looks: /\$[({]|(?<!\w)\$[A-Z_]{2,}(?![\w.])/,
    help: 'write the value; a path begins with `~/` at the home folder, with `./` at the root of the run',
  },
  { has: 'a group of the shell, which stands for itself', looks: /[+@!]\([^()/]+\)/, help: list },
  {
    has: 'a set of characters in brackets, which stand for themselves',
    // Names of files have brackets too: `[id].tsx`, `[lang]-[version].md`, `a[1].pdf`.
    looks: /\[(?:[!^]|[^[\]/]-[^[\]/])[^[\]/]*\]|[a-z\d*?.]\[[^[\]/]{2,3}\]|\[[^[\]/]{2}\][a-z\d?]/i,
    help: '`?` is any one character; or write a list, with a whole pattern for each',
  },
  {
    has: 'a backslash, which stands for itself',
    looks: /\\\W/,
    help: 'remove it; `?` is any one character, also a star',
  },
  {
    has: 'a `~` after a slash, which is a name there',
    looks: /\/~(?:\/|$)/,
    help: 'begin the text with `~/`, the home folder',
  },
  {
    has: 'an invisible or a control character',
    // Between stars it is what the pattern looks for.
    looks: new RegExp(`(?<!\\*)${hidden}|${hidden}(?!\\*)`, 'u'),
    help: 'remove it',
  },
];
const [slipsOfPaths, slipsOfPrograms] = [slips(betweenPaths), slips(betweenPrograms)];

/** Patterns that match hardly any name, and arguments of a `program`, which is a name or an absolute path. */
export const unlikelyPatterns: Lint = ({ file }, report) => {
  for (const fact of ['path', 'cwd', 'program'])
    for (const node of file.sites.rules
      .flatMap((site) => patternsOf(site, fact))
      .flatMap(({ patterns }) => patterns)) {
      if (node.kind !== 'text') continue;
      const text = node.value.trim();
      const isPath = fact !== 'program' || text.includes('/');
      const [program, argument] = fact === 'program' ? text.split(/\s+/) : [];
      const isOther = /^[/*?]/.test(text) || betweenPrograms.test(text);
      if (argument !== undefined && (argument.startsWith('-') || !isOther)) {
        const word = argument.includes('*') ? 'status' : argument;
        report('NO_SUCH_PROGRAM', node.span, {
          message: `${quote(text)} is not the name of a program: \`program\` is a name without arguments`,
          help: `\`program: ${program}\`, and \`when: { "==": [{ var: capability.argv.1 }, ${word}] }\` beside \`match\``,
        });
        continue;
      }
      const found = (isPath ? slipsOfPaths : slipsOfPrograms).find(({ looks }) => looks.test(text));
      const { has, help } = found ?? {
        has: 'a blank or a line break at its beginning or end',
        help: listOf([text]),
      };
      if (found === undefined && text === node.value) continue;
      report('UNLIKELY_PATTERN', node.span, {
        message: `hardly any \`${fact}\` matches ${quote(node.value)}: it has ${has}`,
        help: typeof help === 'string' ? help : help(text),
      });
    }
};

function listOf(values: readonly string[]): string {
  const given = values.map((each) => each.trim()).filter((each) => each !== '');
  return `write ${quote(given.length === 1 ? (given[0] ?? '') : JSON.stringify(given))}`;
}

/** Restricting patterns that meet only one Unicode spelling of a letter with a mark: names are compared as they are stored. */
export const otherSpellings: Lint = ({ file }, report) => {
  for (const site of file.sites.rules)
    for (const { key, patterns } of ['path', 'cwd', 'program'].flatMap((fact) => patternsOf(site, fact))) {
      const texts = patterns.flatMap((node) => (node.kind === 'text' ? [node] : []));
      const isRestricting = (site.rule.decision === 'pre_approved') === (key === 'except');
      for (const { value, span } of isRestricting ? texts : []) {
        const spellings = (['NFC', 'NFD'] as const).map((form) => value.normalize(form));
        if (spellings.every((spelling) => texts.some((each) => each.value === spelling))) continue;
        report('UNLIKELY_PATTERN', span, {
          message: `${quote(value)} has letters with two spellings in Unicode, and meets only names with the same one`,
          help: `write both: \`[${spellings.map(inAscii).join(', ')}]\``,
        });
      }
    }
};

function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
