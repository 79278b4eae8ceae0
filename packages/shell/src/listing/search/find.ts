import { posix } from 'node:path';
import { remembered } from '@ambit/core';
import type { Effect } from '../../effect.js';
import type { Kind } from '../../files/folder-cache.js';
import { type NamesWord, namesWord, onlyNames, text, textOf, unknown, type Word } from '../../word.js';
import type { Context, Described } from '../../world.js';
import { Collected } from '../collected.js';
import { type Member, type Members, membersOf, namedPath } from '../members.js';
import { orHere } from '../options.js';
import type { Maybe } from '../pattern.js';
import { type Start, startsOf, withoutSlash } from '../start.js';
import { type Action, type Expression, readFind } from './find-expression.js';
import { type Done, outputOfFind, printsOfCommand } from './find-output.js';
import { type Around, type Test, type Tested, testOf } from './find-tests.js';

/** The effects of find(1): the folders that it lists, and its actions with their possible files. */
export function find(words: readonly Word[], context: Context): Described | string {
  const read = readFind(words);
  if (typeof read === 'string') return read;
  const { expression, options, links } = read;
  const follows = links === '-L' || options.has('-follow');
  const starts = startsOf(orHere(read.starts), context, links !== '-P' || follows);
  const run = runOf(expression, context);
  const isDeepFirst = ['-depth', '-d'].some((name) => options.has(name)) || run.actions.has('-delete');
  const least = Number(options.get('-mindepth') ?? 0);
  const deepest = Number(options.get('-maxdepth') ?? Number.POSITIVE_INFINITY);
  const isEntered = (file: Member) =>
    file.kind === 'folder' &&
    file.depth < deepest &&
    (file.depth < least || isDeepFirst || !run.isPruned(file));
  const looksInside = words.some((word) => textOf(word) === '-empty');
  const listed = new Collected();
  for (const start of starts.list) {
    const found = membersOf(start, context, { depth: deepest, skip: (file) => !isEntered(file) });
    listed.paths.add(start.named);
    for (const member of found.list) {
      const isListed = isEntered(member) || (looksInside && member.kind === 'folder');
      if (member.depth === 0 || member.kind === null || isListed) listed.add(member, start);
      if (member.depth >= least) run.visit(member, start);
    }
    const isLed = follows && found.list.some(({ kind }) => kind !== 'file' && kind !== 'folder');
    if (found.open || isLed) openAt(isLed ? null : found, listed, run);
  }
  if (starts.open) openAt(null, listed, run);
  listed.paths.delete('/dev/null');
  const acted = [...run.done.values()].flatMap((done) =>
    done.members.length === 0 && !done.files.open && acts.test(done.action.name)
      ? effectsOnNew(done, starts.list, context)
      : effectsFor(done, context),
  );
  return {
    effects: [...listed.effects('list'), ...acted],
    ...(context.isRead && { output: outputOfFind(run.done.values()) }),
    ...(printsOfCommand(run.done.values()) && { printsOfCommand: 'all' }),
    leavesInput: true,
  };
}

/** Unknown files: below a start, or anywhere if the start is unknown. */
function openAt(found: Members | null, listed: Collected, run: Run): void {
  const under = found?.start.real ?? null;
  listed.addOpen(under);
  run.visitUnknown(found === null || under === null ? null : found.start);
}

/** Actions with an effect on files. */
const acts = /^-(?:delete|exec|ok)/;

/** An action without a file may still change or delete new files: its set is open, and not empty. It reads none. */
function effectsOnNew(done: Done, list: readonly Start[], context: Context): readonly Effect[] {
  for (const { real, text: named } of list) {
    done.files.addOpen(real);
    done.starts.add(real === null ? null : withoutSlash(named));
  }
  return effectsFor(done, context).map((effect) =>
    effect.kind === 'run' ? { ...effect, isAwaiting: true } : effect,
  );
}

const print: Action = { name: '-print', values: [], command: [], isMany: false };

/** With only these actions, find also prints what it finds. */
const silent = new Set(['-print', '-prune', '-quit']);

type Run = ReturnType<typeof runOf>;

function runOf(given: Expression | null, context: Context) {
  const around: Around = { context, removes: { folders: false, files: false } };
  const nodes = given === null ? [] : nodesOf(given);
  const own = nodes.flatMap((node) => (node.kind === 'action' ? [node.action] : []));
  const printing: Expression = { kind: 'action', name: '-print', action: print };
  const prints = own.some(({ name }) => name === '-print');
  let whole: Expression = given ?? printing;
  if (given !== null && !prints && own.every(({ name }) => silent.has(name)))
    whole = { kind: 'and', left: given, right: printing };
  const all = nodesOf(whole);
  const done = new Map<Action, Done>();
  for (const node of all)
    if (node.kind === 'action')
      done.set(node.action, { action: node.action, members: [], files: new Collected(), starts: new Set() });
  const tests = new Map<Expression, Test>();
  for (const node of all) if (node.kind === 'test') tests.set(node, testOf(node.name, node.value, around));
  const evaluate = (file: Tested, reach: (action: Action, isSure: boolean) => void) =>
    evaluated(whole, { file, tests, reach }, true);
  const fakes = kinds.map((kind): Tested => ({ path: '', kind, depth: 1, text: null }));
  for (const file of fakes)
    evaluate(file, ({ name }) => {
      const mayRemove = name === '-delete' || name.startsWith('-exec') || name.startsWith('-ok');
      if (mayRemove) around.removes[file.kind === 'folder' ? 'folders' : 'files'] = true;
    });
  return {
    done,
    actions: new Set(own.map(({ name }) => name)),
    isPruned(file: Member): boolean {
      let isPruned = false;
      evaluate(file, ({ name }, isSure) => {
        isPruned ||= isSure && name === '-prune';
      });
      return isPruned;
    },
    visit(member: Member, start: Start): void {
      evaluate(member, (action) => {
        done.get(action)?.members.push({ member, start });
        done.get(action)?.files.add(member, start);
      });
    },
    /** Applies the actions to files of which only the start is known, or null. */
    visitUnknown(start: Start | null): void {
      for (const file of fakes)
        evaluate(file, (action) => {
          const isLed = file.kind === 'link' || start === null;
          // An unknown file may be a link out of the folder; deleting it stays inside.
          const isKept = start !== null && (action.name === '-delete' || !isLed);
          done.get(action)?.files.addOpen(isKept ? start.real : null);
          done.get(action)?.starts.add(isLed ? null : withoutSlash(start.text));
        });
    },
  };
}

const kinds: readonly Kind[] = ['file', 'folder', 'link', 'other'];

function nodesOf(expression: Expression): readonly Expression[] {
  if ('of' in expression) return nodesOf(expression.of);
  return 'left' in expression ? [expression.left, expression.right].flatMap(nodesOf) : [expression];
}

interface Evaluation {
  readonly file: Tested;
  readonly tests: ReadonlyMap<Expression, Test>;
  /** Called for each possible action; `isSure` if it certainly happens. */
  readonly reach: (action: Action, isSure: boolean) => void;
}

function evaluated(expression: Expression, evaluation: Evaluation, isSure: boolean): Maybe {
  if (expression.kind === 'test') return evaluation.tests.get(expression)?.(evaluation.file) ?? null;
  if (expression.kind === 'action') {
    evaluation.reach(expression.action, isSure);
    return acts.test(expression.name) ? null : true;
  }
  if (expression.kind === 'not') {
    const value = evaluated(expression.of, evaluation, isSure);
    return value === null ? null : !value;
  }
  const ends = expression.kind === 'or';
  const left = evaluated(expression.left, evaluation, isSure);
  // find reorders tests, so the value of a list is not always the last one's (findutils 4.9: `! ( -type f , -path x )`).
  const isList = expression.kind === 'comma';
  if (!isList && left === ends) return left;
  const right = evaluated(expression.right, evaluation, isSure && (isList || left !== null));
  return isList || (left === null && right !== ends) ? null : right;
}

function effectsFor({ action, members, files, starts }: Done, context: Context): readonly Effect[] {
  const { name, values, command } = action;
  const [word] = values;
  if (name === '-delete') return files.effects('delete');
  if (name.startsWith('-f') && word !== undefined)
    return [{ kind: 'path', access: 'write', word, by: 'argument' }];
  if (command.length === 0) return [];
  const isMany = action.isMany;
  if (!name.endsWith('dir')) {
    const texts = members.map(({ member }) => member.text);
    const under = starts.size === 1 ? [...starts][0] : null;
    return [runOn(command, { texts, open: files.open, under: under ?? null }, isMany)];
  }
  const folders = new Map<string, string[]>();
  for (const { member, start } of members)
    for (const path of new Set([member.path, namedPath(member, start)]))
      remembered(folders, posix.dirname(path), () => []).push(`./${posix.basename(path)}`);
  const isKnown = folders.size <= mostFolders && !files.open && context.folder.real !== null;
  if (!isKnown)
    return [{ kind: 'opaque', why: `\`${name}\` starts a command in folders that are unknown or many` }];
  return [...folders].map(([folder, texts]) => ({
    ...runOn(command, { texts, open: false, under: null }, isMany),
    folder: text(folder),
  }));
}

/** The most names that are put into a word in several places. */
const mostNames = 1_000;

/** The most folders in which a command is described separately. */
const mostFolders = 200;

function runOn(command: readonly Word[], names: NamesWord['names'], isMany: boolean) {
  const words = command.map((word): Word => {
    const whole = textOf(word);
    if (whole === null || !whole.includes('{}')) return word;
    const [before = '', after = '', ...more] = whole.split('{}');
    const isKnown = !names.open && names.texts.length <= mostNames && !isMany;
    if (more.length > 0 && isKnown)
      return namesWord(onlyNames(names.texts.map((name) => whole.replaceAll('{}', () => name))));
    if (more.length > 0) return unknown(whole, { start: before });
    return {
      kind: 'names',
      before,
      names,
      after,
      ...(isMany ? { count: 'many', isSome: true } : { count: 'one' }),
    };
  });
  return { kind: 'run', words, sharesInput: true, isRepeated: true } as const;
}
