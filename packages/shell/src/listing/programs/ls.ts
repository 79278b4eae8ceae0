import type { Lister, Reading } from '../../programs/reading.js';
import { type Output, text, textOf, unknownOutput } from '../../word.js';
import type { Context } from '../../world.js';
import { Walked } from '../collected.js';
import { type Member, membersOf } from '../members.js';
import { printedNames } from '../names.js';
import { has, hasOnly, numberOf, orHere, pathEffects, valuesOf } from '../options.js';
import { type Start, startsOf } from '../start.js';

/** ls(1): the folders that it lists, and the names that it prints. */
export const ls = ((reading, context) => {
  const operands = orHere(reading.operands);
  const isRecursive = has(reading, '-R --recursive') && !has(reading, '-d --directory');
  const showsAll = has(reading, '-a --all -A --almost-all -f');
  const { list, open, unders } = startsOf(operands, context, true);
  const into = new Walked();
  for (const under of reading.open === null ? unders : [null]) into.folders.addOpen(under);
  const depth = has(reading, '-d --directory') ? 0 : isRecursive ? Number.POSITIVE_INFINITY : 1;
  const isEntered = (member: Member) =>
    member.kind === 'folder' && (member.depth === 0 || (isRecursive && (showsAll || !isHidden(member))));
  const isOnly = !open && list.length === 1;
  const lines: string[] = [];
  let isOpen = into.folders.open;
  for (const start of list) {
    const found = membersOf(start, context, { depth, skip: (member) => !isEntered(member) });
    const listed = found.list.filter(
      (member) => member.depth === 0 || member.kind === null || isEntered(member),
    );
    // With -L it follows links.
    const follows = has(reading, '-L --dereference') && found.list.some(({ kind }) => kind === 'link');
    into.add({ ...found, list: listed });
    if (follows) into.addUnknown();
    isOpen ||= found.open;
    const shown = found.list.filter((member) => showsAll || !isHidden(member));
    for (const line of linesOf(start, shown, depth, isOnly)) lines.push(line);
  }
  const more = has(reading, '-a --all -f') ? ['.', '..'] : [];
  return {
    // With -d a folder is one of the names, and not read.
    effects: depth === 0 ? pathEffects('list', operands, { isLook: true }) : into.folders.effects('list'),
    output: outputOf(reading, [...lines, ...more], isOpen),
    leavesInput: true,
  };
}) satisfies Lister;

/** dir(1) and vdir(1) are ls(1), but they put backslashes before blanks. */
export const dir: Lister = (reading, context) => ({ ...ls(reading, context), output: unknownOutput });

function isHidden({ path, depth }: Member): boolean {
  return depth > 0 && path.startsWith('.', path.lastIndexOf('/') + 1);
}

/** All possible lines: names, and with several folders a line before each content. `isOnly`: exactly one operand is named. */
function linesOf(
  start: Start,
  members: readonly Member[],
  depth: number,
  isOnly: boolean,
): readonly string[] {
  return members.flatMap((member) => {
    const name = member.path.slice(member.path.lastIndexOf('/') + 1);
    if (member.depth > 0) return depth > 1 && member.kind !== 'file' ? [name, `${member.text}:`, ''] : [name];
    if (depth === 0 || member.kind !== 'folder') return [start.text];
    return isOnly && depth === 1 ? [] : [`${start.text}:`, ''];
  });
}

const plain = `-1 -a -A -f -d -r -R -t -S -U -u -c -v -X -H -N --all --almost-all --directory --reverse --recursive --sort
  --time --group-directories-first --literal --show-control-chars --color --colour --zero -I --ignore --hide -B
  --ignore-backups --dereference-command-line --dereference-command-line-symlink-to-dir`;

function outputOf(reading: Reading, lines: readonly string[], open: boolean): Output {
  const isColoured =
    reading.given.has('--color=') &&
    valuesOf(reading, '--color').some((word) => textOf(word) !== 'never' && textOf(word) !== 'auto');
  if (!hasOnly(reading, plain) || isColoured) return unknownOutput;
  return printedNames(lines, open, { separator: has(reading, '--zero') ? '\0' : '\n' });
}

export const tree: Lister = (reading, context) => {
  if (has(reading, '--fromfile --fromtabfile'))
    return pathEffects('read', reading.operands, { hasDash: true });
  const depth = numberOf(reading, '-L');
  const hasHidden = has(reading, '-a') || reading.open !== null;
  return { effects: foldersIn(reading, { context, depth, hasHidden }).effects, leavesInput: true };
};

/** Options with which a size, a tab and a name are printed for each folder, or with `-a` for each file too. */
const measuring = `-a -s -h -k -b -m -c -d -x -S -H -D -t --all --summarize --human-readable --bytes --total --max-depth
  --apparent-size --one-file-system --exclude --threshold`;

export const du: Lister = (reading, context) => {
  if (has(reading, '--files0-from')) return 'the files that it measures are named by another file';
  const isNamedFollowed = has(reading, '-D -H --dereference-args');
  const how = { depth: Number.POSITIVE_INFINITY, isNamedFollowed, hasHidden: true };
  const { effects, members, open } = foldersIn(reading, { context, ...how });
  const isMeasured = ({ kind, depth }: Member) => depth === 0 || has(reading, '-a --all') || kind !== 'file';
  const texts = ['total', ...members.filter(isMeasured).map((member) => member.text)];
  const isTable = hasOnly(reading, measuring) && !texts.some((each) => each.includes('\n'));
  const size = has(reading, '-h --human-readable') ? 'text' : 'number';
  const rest = { texts: [...new Set(texts)], open, under: null };
  const output: Output = isTable ? { kind: 'table', columns: [size], rest, separator: '\t' } : unknownOutput;
  return { effects, output, leavesInput: true };
};

interface Look {
  readonly context: Context;
  readonly depth: number;
  readonly isNamedFollowed?: boolean;
  readonly hasHidden: boolean;
}

function foldersIn(reading: Reading, { context, depth, isNamedFollowed = true, hasHidden }: Look) {
  const into = new Walked();
  const members: Member[] = [];
  const { list, unders } = startsOf(orHere(reading.operands), context, isNamedFollowed);
  for (const under of reading.open === null ? unders : [null]) into.folders.addOpen(under);
  for (const start of list) {
    const skip = (member: Member) => !hasHidden && isHidden(member);
    const found = membersOf(start, context, { depth, skip });
    const isEntered = (member: Member) => member.depth < depth && !skip(member);
    into.add({ ...found, list: found.list.filter((each) => each.kind !== 'folder' || isEntered(each)) });
    for (const member of found.list) members.push(member);
  }
  // A missing file is looked up too.
  const missing = list.filter(({ kind }) => kind === null).map((start) => text(start.text));
  const effects = [...pathEffects('list', missing), ...into.folders.effects('list')];
  return { effects, members, open: into.folders.open };
}
