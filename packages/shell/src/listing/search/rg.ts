import { ownMember } from '@ambit/core';
import { namedLines } from '../../columns.js';
import { isNothing } from '../../outputs.js';
import { type Lister, optionsNamed, type Reading } from '../../programs/reading.js';
import { noOutput, type Output, startOf, text, textOf, unknownOutput, type Word } from '../../word.js';
import type { Context } from '../../world.js';
import { Walked } from '../collected.js';
import { needsWord } from '../line-pattern.js';
import type { Member } from '../members.js';
import { printedNames } from '../names.js';
import { afterPattern, has, hasOnly, mayBeNone, numberOf, orHere, valuesOf } from '../options.js';
import { patternMatcher } from '../pattern.js';
import { nameSeveral, startsOf } from '../start.js';
import { choices, type Glob, overrideOf, type Visibility, visibleFrom } from '../visible.js';

/** rg(1): at least the files that are neither ignored nor hidden. */
export const rg: Lister = (reading, context) => {
  if (has(reading, '--type-list')) return { effects: [], leavesInput: true };
  if (has(reading, '--pre')) return 'what `--pre` does with the files is unknown';
  const lists = has(reading, '--files');
  const hasPattern = lists || has(reading, '-e --regexp -f --file');
  const visibility = visibilityOf(reading, context);
  const operands = hasPattern ? reading.operands : afterPattern(reading.operands);
  const isWanted = typeFilter(reading);
  return search(reading, context, {
    operands,
    visibility,
    reads: (member) => isWanted(member) || visibility.override(member.path, false) !== 'none',
    follows: has(reading, '-L --follow'),
    lists,
    isSorted: has(reading, '--sort --sortr --sort-files'),
    output: (names, open) => outputOf(reading, names, { open, showsNames: nameSeveral(operands, context) }),
  });
};

interface Search {
  readonly operands: readonly Word[];
  readonly visibility: Visibility;
  /** Whether it reads a file; every one by default. */
  readonly reads?: (member: Member) => boolean;
  readonly follows?: boolean;
  /** Whether files are listed and not read. */
  readonly lists?: boolean;
  /** Whether it also reads ignored folders before it skips them. */
  readonly isSorted?: boolean;
  /** Whether it prints nothing of files that are packed; by default as its pattern says. */
  readonly leavesBinary?: boolean;
  readonly output: (names: readonly string[], open: boolean) => Output;
}

function search(reading: Reading, context: Context, how: Search) {
  const { operands, lists = false, leavesBinary = needsWord(reading) } = how;
  const mayBeFolder = context.input.kind === 'unknown' && context.input.mayBeFolder === true;
  // Without a file operand, it searches any other standard input.
  const isInput = operands.length === 0 && !lists && !mayBeFolder && !isNothing(context.input);
  const into = new Walked();
  if (reading.open !== null) into.addUnknown();
  const names = isInput && reading.open === null ? [] : searchedFiles(operands, context, { ...how, into });
  const effects = into.effects({ leavesBinary: leavesBinary && !has(reading, '-a --text') });
  const isUnsure = operands.length > 0 && mayBeNone(operands);
  const output = isInput
    ? chosenLines(reading, context)
    : isUnsure || mayBeFolder
      ? unknownOutput
      : how.output(names, into.folders.open || into.files.open);
  const leavesInput = !mayBeNone(operands) && operands.every((word) => textOf(word) !== '-');
  return { effects, output, leavesInput };
}

function searchedFiles(
  operands: readonly Word[],
  context: Context,
  how: Search & { readonly into: Walked },
): readonly string[] {
  const { visibility, reads = () => true, follows = false, lists = false, into } = how;
  const named = operands.filter((word) => textOf(word) !== '-');
  const { list, open } = startsOf(operands.length === 0 ? [text('.')] : orHere(named), context, true);
  if (open) into.addUnknown();
  const names: string[] = [];
  for (const start of list) {
    const visible = visibleFrom(start, context, visibility);
    const isRead = (member: Member) =>
      member.depth === 0 ? member.kind !== 'folder' : member.kind === 'file' && reads(member);
    into.add(visible, { follows, reads: (member) => !lists && isRead(member) });
    for (const path of visible.ignoreFiles) into.files.paths.add(path);
    if (how.isSorted === true) into.folders.addOpen(start.real);
    for (const member of visible.list)
      if (member.kind === null || isRead(member))
        names.push(operands.length === 0 ? member.text.replace(/^\.\//, '') : member.text);
  }
  return names;
}

/** Options that turn ignore files on again, or change how they are read. */
const unsure = `--ignore --ignore-dot --ignore-exclude --ignore-files --ignore-global --ignore-parent --ignore-vcs
  --ignore-file --ignore-file-case-insensitive`;

function visibilityOf(reading: Reading, context: Context): Visibility {
  const unrestricted = optionsNamed(reading, '-u --unrestricted').length;
  const isUnsure = has(reading, unsure);
  const keepsRules = unrestricted === 0 && !has(reading, '--no-ignore') && !isUnsure;
  const globs = globsOf(reading);
  const hasTypes = has(reading, '-t --type -T --type-not');
  return {
    depth: numberOf(reading, '--max-depth --maxdepth'),
    showsHidden: unrestricted > 1 || isUnsure || globs === null || has(reading, '-. --hidden'),
    mayShowHidden: ({ kind }) => hasTypes && kind !== 'folder',
    ignoreFiles:
      keepsRules && globs !== null && !has(reading, '--no-ignore-dot') ? ['.rgignore', '.ignore'] : [],
    usesGit: keepsRules && globs !== null && !has(reading, '--no-ignore-vcs'),
    usesExclude: !has(reading, '--no-ignore-exclude'),
    usesParents: !has(reading, '--no-ignore-parent'),
    override:
      globs === null || context.folder.real === null
        ? () => (globs?.length === 0 ? 'none' : 'unknown')
        : overrideOf(globs, context.folder.real),
  };
}

/** Null if a glob is unknown. */
function globsOf(reading: Reading): readonly Glob[] | null {
  const folds = has(reading, '--glob-case-insensitive');
  const folded = ({ entry }: Reading['options'][number]) => Number(entry.names.includes('--iglob'));
  // Those of `--iglob` come last, wherever they stand.
  const given = reading.options.toSorted((left, right) => folded(left) - folded(right));
  const globs = given.flatMap(({ entry, values }): readonly (Glob | null)[] => {
    const isFolded = entry.names.includes('--iglob');
    if (!isFolded && !entry.names.some((name) => name === '-g' || name === '--glob')) return [];
    const glob = textOf(values[0]);
    return [glob === null || glob.includes('\n') ? null : { text: glob, ignoreCase: isFolded || folds }];
  });
  const known = globs.filter((glob) => glob !== null);
  return known.length === globs.length ? known : null;
}

/** Suffixes and names of well-known types in all versions of ripgrep, if they have them. Other types exclude nothing. */
const types: Readonly<Record<string, RegExp | undefined>> = {
  ...Object.fromEntries(
    'csv dart jsx lua nix proto rst sol svg swift tsx txt vue zig'
      .split(' ')
      .map((suffix) => [suffix, new RegExp(`\\.${suffix}$`)]),
  ),
  c: /\.[chCH](?:\.in)?$|\.cats$/,
  cmake: /\.cmake$|^CMakeLists\.txt$/,
  cpp: /\.(?:[ChH]|cc|cpp|cxx|hh|hpp|hxx|inl|C|cppm|h|in)(?:\.in)?$/,
  css: /\.(?:css|scss)$/,
  go: /\.go$/,
  graphql: /\.graphqls?$/,
  html: /\.(?:ejs|htm|html)$/,
  java: /\.(?:java|jsp|jspx|properties)$/,
  js: /\.(?:js|jsx|cjs|mjs|vue)$/,
  json: /(?:\.(?:json|sarif)|^composer\.lock)$/,
  kotlin: /\.kts?$/,
  markdown: /\.(?:markdown|md|mdown|mdwn|mkd|mkdn|mdx)$/,
  md: /\.(?:markdown|md|mdown|mdwn|mkd|mkdn|mdx)$/,
  perl: /\.(?:perl|pl|PL|plh|plx|pm|t)$/,
  php: /\.(?:php[3-8]?|pht|phtml)$/,
  py: /\.(?:py|pyi)$/,
  python: /\.(?:py|pyi)$/,
  rust: /\.rs$/,
  solidity: /\.sol$/,
  sql: /\.p?sql$/,
  svelte: /\.svelte(?:\.ts)?$/,
  tex: /\.(?:tex|ltx|cls|sty|bib|dtx|ins)$/,
  toml: /\.toml$|^Cargo\.lock$/,
  ts: /\.(?:ts|tsx|cts|mts)$/,
  typescript: /\.(?:ts|tsx|cts|mts)$/,
  yaml: /\.ya?ml$/,
};

function typeFilter(reading: Reading): (member: Member) => boolean {
  const words = valuesOf(reading, '-t --type').map((word) => textOf(word));
  const given = valuesOf(reading, '--type-add').map((word) =>
    /^(\w+):(?!include:)(.+)$/.exec(textOf(word) ?? ''),
  );
  const added = given.filter((each) => each !== null);
  const known = words.map((name) => (name !== null ? ownMember(types, name) : undefined));
  if (known.length === 0 || known.includes(undefined) || added.length < given.length) return () => true;
  const globs = added.flatMap((each) => (words.includes(each[1] ?? '') ? choices(each[2] ?? '') : []));
  const more = globs.map((glob) => patternMatcher(glob, { slashes: true, braces: true }));
  return ({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return known.some((type) => type?.test(name)) || more.some((matches) => matches(name) !== false);
  };
}

/** Some of the lines of its input. */
function chosenLines(reading: Reading, { input }: Context): Output {
  const isPlain = hasOnly(
    reading,
    '-i --ignore-case -s --case-sensitive -S --smart-case -v --invert-match -w -F -e',
  );
  return input.kind === 'names' && input.separator === '\n' && isPlain ? input : unknownOutput;
}

/** Options that change how or what is printed. */
const changing = `-c --count --count-matches --json --path-separator --color --colors -p --pretty --vimgrep --stats --debug
  --trace --passthru --passthrough`;

function outputOf(
  reading: Reading,
  names: readonly string[],
  { open, showsNames }: { readonly open: boolean; readonly showsNames: boolean },
): Output {
  if (has(reading, '-q --quiet')) return noOutput;
  const isListing = has(reading, '--files -l --files-with-matches --files-without-match');
  if (!isListing && showsNames && hasOnly(reading, inLines))
    return namedLines({ texts: [...new Set(names)], open, under: null });
  if (!isListing || reading.open !== null || has(reading, changing)) return unknownOutput;
  return printedNames(names, open, { separator: has(reading, '-0 --null') ? '\0' : '\n' });
}

/** Options with which each line begins with the name of its file. */
const inLines = `-n --line-number -i --ignore-case -s --case-sensitive -S --smart-case -v --invert-match -w --word-regexp
  -x -F --fixed-strings -e --regexp -c --count -g --glob -t --type -T --type-not -. --hidden -m --max-count
  --no-heading --sort -o --only-matching -P --pcre2 --max-depth`;

const everything: Visibility = {
  depth: Number.POSITIVE_INFINITY,
  showsHidden: true,
  ignoreFiles: [],
  usesGit: false,
  usesExclude: false,
  usesParents: false,
  override: () => 'none',
};

/** ag(1): every file that is not hidden, although it skips some. */
export const ag: Lister = (reading, context) => {
  const isNamed = has(reading, '-g --filename-pattern');
  const showsHidden = has(reading, '-u --unrestricted --hidden');
  return other(reading, context, { ...everything, showsHidden }, isNamed);
};

/** ack(1): every file, although it skips some. */
export const ack: Lister = (reading, context) => {
  const isNamed = has(reading, '-f --match');
  const isWhole = reading.operands.length <= (isNamed ? 0 : 1) && !has(reading, '-f');
  if (isWhole && context.input.kind === 'unknown')
    return 'it is unknown whether it searches its input or the folder';
  return other(reading, context, everything, isNamed);
};

/** tokei(1): every file that is neither hidden nor ignored. It never reads its input. */
export const tokei: Lister = (reading, context) => visibleFiles(reading, context, reading.operands);

/** ast-grep(1): as tokei, although it skips some. `run` may be left out before an option. */
export const astGrep: Lister = (reading, context) => {
  const [first] = reading.words;
  const isNamed = textOf(first) === 'run';
  const isPlain = first !== undefined && startOf(first).startsWith('-');
  if (!isNamed && !(isPlain && has(reading, '-p --pattern -k --kind')))
    return 'only the command `run` is described';
  return visibleFiles(reading, context, isNamed ? reading.operands.slice(1) : reading.operands);
};

function visibleFiles(reading: Reading, context: Context, operands: readonly Word[]) {
  const ignores = !has(reading, '--no-ignore --no-ignore-parent --no-ignore-dot --no-ignore-vcs --globs');
  return search(reading, context, {
    operands: operands.length === 0 ? [text('.')] : operands,
    visibility: {
      ...everything,
      ...(ignores && { ignoreFiles: ['.ignore'], usesGit: true, usesExclude: true, usesParents: true }),
      showsHidden: !ignores || has(reading, '--hidden'),
    },
    follows: has(reading, '--follow'),
    leavesBinary: false,
    output: () => unknownOutput,
  });
}

function other(reading: Reading, context: Context, visibility: Visibility, hasPattern: boolean) {
  const operands = hasPattern ? reading.operands : afterPattern(reading.operands);
  const output = (names: readonly string[], open: boolean) =>
    hasOnly(reading, '-l -i -w -Q -s -S --files-with-matches') && has(reading, '-l --files-with-matches')
      ? printedNames(
          names.flatMap((name) => [name, name.replace(/^\.\//, '')]),
          open,
        )
      : unknownOutput;
  return search(reading, context, { operands, visibility, output });
}
