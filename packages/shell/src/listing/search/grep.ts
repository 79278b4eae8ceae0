import { linesWith, namedLines } from '../../columns.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { mayBeStream, notRead } from '../../programs/words.js';
import {
  type Column,
  isMany,
  isPipe,
  noOutput,
  type Output,
  onlyNames,
  type Table,
  textOf,
  unknownOutput,
  type Word,
} from '../../word.js';
import type { Context } from '../../world.js';
import { Walked } from '../collected.js';
import { lineTest, needsWord, patternsOf } from '../line-pattern.js';
import { columnsOfMatch } from '../match-columns.js';
import type { Syntax } from '../match-pattern.js';
import { type Member, membersOf } from '../members.js';
import { printedNames } from '../names.js';
import { afterPattern, has, hasOnly, mayBeNone, orHere, pathEffects, valuesOf } from '../options.js';
import { fnmatch, patternMatcher } from '../pattern.js';
import { nameSeveral, startsOf } from '../start.js';
import { listed } from '../text-read.js';

/** grep(1): the files that it reads, and what -l prints. */
export const grep: Lister = (reading, context) => {
  const hasPattern = has(reading, '-e --regexp -f --file');
  const operands = hasPattern ? reading.operands : afterPattern(reading.operands);
  const directories = valuesOf(reading, '-d --directories');
  const isRecursive =
    has(reading, '-r -R --recursive --dereference-recursive') ||
    directories.some((word) => !['read', 'skip'].includes(textOf(word) ?? ''));
  const isInput = operands.length === 0 && !isRecursive;
  const leavesInput =
    !mayBeNone(operands) && operands.every((word) => textOf(word) !== '-' && !mayBeStream(word, context));
  const pipe = isRecursive ? operands.find(isPipe) : undefined;
  if (pipe !== undefined) return notRead(pipe);
  const isText = has(reading, '-a --text --binary-files -z --null-data');
  const leavesBinary = isText ? false : needsWord(reading) || 'of UTF-8';
  // If there may be no word, the output is about the input or the folder. In an empty one, nothing matches.
  const { input } = context;
  const isSilent = input.kind === 'unknown' && input.isEmpty === true && !isRecursive && !lacking(reading);
  const isSure = operands.length === 0 || !mayBeNone(operands) || isSilent;
  if (!isRecursive) {
    const { list, open } = startsOf(operands, context, true);
    const lines = isInput ? context.input : linesOfFile(reading, operands, context);
    const isChosen = isInput || lines.kind === 'names';
    const output = isChosen
      ? chosenLines(reading, { ...context, input: lines })
      : outputOf(reading, {
          names: list.map((start) => start.text),
          open,
          isOne: operands.length === 1 && !operands.some(isMany),
          showsNames: operands.filter((word) => !isMany(word)).length > 1,
        });
    return {
      effects: pathEffects('read', operands, { hasDash: true, leavesBinary }),
      output: isSure ? output : unknownOutput,
      leavesInput,
    };
  }
  const into = new Walked();
  const names = searchFolders(reading, operands, context, into);
  const output = isSure
    ? outputOf(reading, { names, open: into.files.open, showsNames: nameSeveral(operands, context) })
    : unknownOutput;
  return { effects: into.effects({ leavesBinary }), output, leavesInput };
};

/** What grep(1) does with this option on each line. */
export function grepWith(option: string): Lister {
  return (reading, context) => grep({ ...reading, given: new Set([...reading.given, option]) }, context);
}

/** Adds what a recursive search reads, without operands in the folder where it starts. Returns the names of the files. */
function searchFolders(
  reading: Reading,
  operands: readonly Word[],
  context: Context,
  into: Walked,
): readonly string[] {
  const isExcluded = exclusion(reading, '--include --exclude');
  const isFolderExcluded = exclusion(reading, '--exclude-dir');
  const readsDevices = has(reading, '-D --devices');
  const follows = has(reading, '-R --dereference-recursive');
  const reads = (member: Member) => {
    const isRead =
      member.kind === 'file' || (member.kind === 'other' && (readsDevices || member.depth === 0));
    return isRead && (member.depth === 0 || !isExcluded(member));
  };
  const { list, open } = startsOf(orHere(operands), context, true);
  if (open) into.addUnknown();
  const names: string[] = [];
  for (const start of list) {
    const found = membersOf(start, context, {
      skip: (member) => member.depth > 0 && isFolderExcluded(member),
    });
    into.add(found, { reads, follows });
    for (const member of found.list)
      if (member.kind === null || reads(member))
        names.push(operands.length === 0 ? member.text.replace(/^\.\//, '') : member.text);
  }
  return names;
}

/** Whether a name is certainly skipped: the last matching option counts. */
function exclusion(reading: Reading, names: string): (member: Member) => boolean {
  const wanted = names.split(' ');
  const rules = reading.options.flatMap(({ entry, values }) => {
    const name = wanted.find((each) => entry.names.includes(each));
    const pattern = textOf(values[0]);
    if (name === undefined) return [];
    const isFolder = name === '--exclude-dir';
    const plain = isFolder ? pattern?.replace(/(?<=.)\/+$/, '') : pattern;
    const matches = typeof plain === 'string' ? patternMatcher(plain, fnmatch) : () => null;
    return [{ includes: name === '--include', matches }];
  });
  return ({ path }) => {
    const base = path.slice(path.lastIndexOf('/') + 1);
    for (const { includes, matches } of rules.toReversed()) {
      const found = matches(base);
      if (found === true) return !includes;
      if (found === null && includes) return false;
    }
    return rules[0]?.includes === true;
  };
}

const selecting = `-i --ignore-case --no-ignore-case -y -v --invert-match -E --extended-regexp -F --fixed-strings -G
  --basic-regexp -P --perl-regexp -w --word-regexp -x --line-regexp -e --regexp -f --file -s --no-messages -m
  --max-count -U --binary -a --text --line-buffered -h --no-filename -I --binary-files`;
const recursive =
  '-r -R --recursive --dereference-recursive --include --exclude --exclude-dir --exclude-from -d -D';
const listing = '-l -L --files-with-matches --files-without-match -Z --null -c -n -o -H';

/** Whether files without a match are listed. */
function lacking(reading: Reading): boolean {
  return has(reading, '-L --files-without-match');
}

interface Found {
  readonly names: readonly string[];
  readonly open: boolean;
  /** Whether it is about one file alone. */
  readonly isOne?: boolean;
  /** Whether each line begins with the name of its file, unless an option says otherwise. */
  readonly showsNames: boolean;
}

function outputOf(reading: Reading, { names, open, isOne = false, showsNames }: Found): Output {
  if (has(reading, '-q --quiet --silent')) return noOutput;
  const isListing = lacking(reading) || has(reading, '-l --files-with-matches');
  // Of one file, it prints the number alone, or nothing where it cannot be read.
  const isCount = has(reading, '-c --count') && hasOnly(reading, `${selecting} -c --count`);
  const areShown = (showsNames || has(reading, '-H')) && !has(reading, '-h --no-filename');
  if (has(reading, matching) && hasOnly(reading, `${selecting} ${recursive} ${matching} -H`))
    return matchesIn(reading, { names, open, showsNames: areShown });
  if (isCount && isOne) return { kind: 'number', mayBeMissing: true };
  if (!hasOnly(reading, `${selecting} ${recursive} ${listing}`)) return unknownOutput;
  const shown = names.map((name) => (name === '-' ? '(standard input)' : name));
  if (!isListing) {
    // Of a binary file, it says `grep: NAME: binary file matches` beside its output, before 3.5 `Binary file NAME matches` there.
    const number = isText(reading) ? 'number' : 'perhaps-number';
    const all = { texts: [...new Set([...shown, 'grep'])], open, under: null };
    return areShown && !has(reading, '-Z --null')
      ? namedLines(all, has(reading, '-n') ? number : undefined)
      : unknownOutput;
  }
  return printedNames(shown, open, { separator: has(reading, '-Z --null') ? '\0' : '\n' });
}

/** Whether it prints no note in place of a binary file. */
function isText(reading: Reading): boolean {
  return has(reading, '-I -a --text') && !has(reading, '--binary-files');
}

const matching = '-o --only-matching';

/** What `-o` prints: each match on a line. */
function matchesIn(reading: Reading, { names, open, showsNames }: Found): Output {
  const [pattern, ...others] = patternsOf(reading).map(textOf);
  const [syntax = 'basic', ...more] = syntaxes.flatMap(([options, each]) =>
    has(reading, options) ? each : [],
  );
  if (typeof pattern !== 'string' || others.length + more.length > 0 || has(reading, '-f --file'))
    return unknownOutput;
  // For a binary file, it prints a note in place of the matches: four words or more, one of them the name of the file.
  const isSure = isText(reading);
  const match = columnsOfMatch(pattern, syntax);
  const arePlain = !open && names.every((name) => /^[\w./][\w./@+=,%-]*$/.test(name));
  if (match === null || (!arePlain && (showsNames || !isSure))) return unknownOutput;
  const { isIndented, ...columns } = match;
  if (showsNames && isIndented) return unknownOutput;
  if (match.isWhole === true && match.columns.length === 1) {
    if (match.columns[0] !== 'plain') return unknownOutput;
    if (!showsNames) return linesWith(isSure && !isIndented ? 'plain' : 'words');
    const all = onlyNames([...new Set([...names, 'grep'])]);
    return { kind: 'table', columns: [all, isSure ? 'plain' : 'words'], rest: null, separator: ':' };
  }
  const mayEscape = match.columns.includes('text');
  // A plain name with a colon before the first word leaves the word plain.
  const table: Table = { kind: 'table', rest: null, ...columns, ...(mayEscape && { mayEscape }) };
  return isSure ? table : firstFour(table);
}

/** The note about a binary file, which may stand in place of a line, has four words for certain. */
function firstFour(table: Table): Table {
  if (table.columns.length < 5) return table;
  const { isWhole: _, ...others } = table;
  return { ...others, columns: table.columns.slice(0, 4) };
}

const syntaxes: readonly (readonly [string, Syntax])[] = [
  ['-G --basic-regexp', 'basic'],
  ['-E --extended-regexp', 'extended'],
  ['-F --fixed-strings', 'fixed'],
  ['-P --perl-regexp', 'perl'],
];

/** The lines of its only file, if each names a file and their names are not printed. */
function linesOfFile(reading: Reading, operands: readonly Word[], context: Context): Output {
  const file = operands.length === 1 ? textOf(operands[0]) : null;
  const isPlain = file !== null && file !== '-' && hasOnly(reading, selecting);
  return isPlain ? listed({ kind: 'unknown', file }, context) : unknownOutput;
}

/** Some of the lines of its input. */
function chosenLines(reading: Reading, { input }: Context): Output {
  if (has(reading, '-q --quiet --silent')) return noOutput;
  if (has(reading, '-c --count') && hasOnly(reading, `${selecting} -c --count`)) return { kind: 'number' };
  if (has(reading, matching) && hasOnly(reading, `${selecting} ${matching}`))
    return matchesIn(reading, { names: ['standard'], open: false, showsNames: false });
  const separator = has(reading, '-z --null-data') ? '\0' : '\n';
  if (input.kind === 'table' && hasOnly(reading, selecting))
    return has(reading, '-a --text') ? input : mayBeBinary(input);
  if (input.kind === 'words' && hasOnly(reading, selecting))
    return has(reading, '-a --text') ? input : { kind: 'words', areSeveral: true };
  if (input.kind !== 'names' || input.separator !== separator) return unknownOutput;
  if (!hasOnly(reading, `${selecting} -z --null-data`)) return unknownOutput;
  const test = lineTest(reading);
  if (test === null) return input;
  return { ...input, names: { ...input.names, texts: input.names.texts.filter(test) } };
}

/** These lines, or in place of those with an invalid text one that says so. Before grep 3.5 it has no colon. */
function mayBeBinary(table: Table): Output {
  if (table.rest !== null) return table;
  const [first, ...others] = table.columns;
  const isId = first === 'id' && (table.separator === ':' || table.separator === ' ');
  const isNumber = (column: Column) => column === 'number' || column === 'perhaps-number';
  const columns = others.map(
    (each): Column => (isNumber(each) && table.separator === ':' ? 'perhaps-number' : 'text'),
  );
  // As an id, `grep:` leads to nothing but the files of a reference.
  if (isId) return { ...table, columns: ['id', ...columns] };
  if (first === 'plain') return firstFour(table);
  if (typeof first !== 'object' || table.separator !== ':') return unknownOutput;
  return { ...table, columns: [{ ...first, texts: [...new Set([...first.texts, 'grep'])] }, ...columns] };
}
