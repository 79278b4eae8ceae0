import { quote } from '@ambit/policy/internal';
import type { Lint } from '../subject/scope.js';
import { entryOf, matchersIn, type RuleSite } from '../subject/sites.js';

/** Texts that few names have, so that their author means something else: in patterns for which facts, and how they look. */
const unlikely: readonly (readonly [facts: string, looks: RegExp, message: string, help: string])[] = [
  ['path cwd program', /^\s|\s$/, 'begins or ends with a blank or a line break', 'remove it'],
  ['path cwd program', /[\p{Cc}\p{Cf}]/u, 'has a character that nobody sees', 'remove it'],
  ['path cwd', /(?:[,;|]\s*|\s)(?:~?\/|\.\/|\*\*\/)/, 'looks like several paths', 'write a list: `[A, B]`'],
  ['program', /[,;|]/, 'looks like several programs', 'write a list: `[A, B]`'],
  [
    'path cwd program',
    /\{[^{}]*,[^{}]*\}|[?*+@!]\(/,
    'has alternatives, as shells have them',
    'only `*`, `**` and `?` have a meaning: write a list',
  ],
  [
    'path cwd program',
    /\$\{|\$(?:HOME|PWD|USER|TMPDIR)\b|\/~\//,
    'has a variable or a `~`, which are names here',
    '`~/` at the beginning is the home folder, and `./` the folder of the policy; else write the path',
  ],
  ['path cwd program', /\\[*?[\]{}]/, 'has a backslash, which is a part of the name', 'remove it'],
];

/** Patterns that match hardly any name. */
export const unlikelyPatterns: Lint = ({ file }, report) => {
  for (const fact of ['path', 'cwd', 'program'])
    for (const node of file.sites.rules
      .flatMap((site) => patternsOf(site, fact))
      .flatMap(({ patterns }) => patterns)) {
      if (node.kind !== 'text') continue;
      const { value } = node;
      const found = unlikely.find(([facts, looks]) => facts.split(' ').includes(fact) && looks.test(value));
      if (found === undefined) continue;
      const [, , message, help] = found;
      report('UNLIKELY_PATTERN', node.span, { message: `${quote(value)} ${message}`, help });
    }
};

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

/** Patterns for `program` with arguments: the fact is a name or an absolute path. */
export const programPatterns: Lint = ({ file }, report) => {
  for (const node of file.sites.rules
    .flatMap((site) => patternsOf(site, 'program'))
    .flatMap(({ patterns }) => patterns)) {
    if (node.kind !== 'text' || /^[/*?]/.test(node.value)) continue;
    const [program = '', argument] = node.value.trim().split(/\s+/);
    if (argument === undefined) continue;
    const word = argument.includes('*') ? 'status' : argument;
    report('NO_SUCH_PROGRAM', node.span, {
      message: `${quote(node.value)} is not the name of a program: \`program\` is a name without arguments`,
      help: `\`program: ${program}\`, and \`when: { "==": [{ var: capability.argv.1 }, ${word}] }\` beside \`match\``,
    });
  }
};

/** The patterns for a fact, with the name of the capability that they are about. */
export function patternsOf(site: RuleSite, fact: string) {
  return matchersIn(site).flatMap(({ of: { name }, entry }) =>
    ['match', 'except'].map((key) => {
      const value = entryOf(entry(key)?.value ?? null, fact)?.value;
      const patterns = value === undefined ? [] : value.kind === 'list' ? value.items : [value];
      return { name, key, patterns };
    }),
  );
}
