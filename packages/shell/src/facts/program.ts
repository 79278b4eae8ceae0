import { posix } from 'node:path';
import { type JsonObject, remembered } from '@ambit/core';
import {
  type CodeEffect,
  type Effect,
  type LoadEffect,
  type PathEffect,
  type RunEffect,
  walkedLanguages,
} from '../effect.js';
import { listed } from '../listing/text-read.js';
import { beginningOf, repeatedOutput } from '../outputs.js';
import { Outside } from '../state/outside.js';
import { shortText, withoutUnknownReads } from '../state/report.js';
import { emptyInput, inputOf, leftOf, type Scope, subshell, unknownInput } from '../state/scope.js';
import { type State, withoutVariable, withVariable } from '../state/state.js';
import {
  namesWord,
  noOutput,
  type Output,
  onlyNames,
  perhapsNone,
  text,
  textOf,
  unknown,
  unknownOutput,
  type Word,
  writtenAs,
} from '../word.js';
import type { Changes, Described, Folder } from '../world.js';
import { connections } from './connection.js';
import { filesFact } from './content.js';
import { definitionFacts } from './definitions.js';
import { loadCode } from './load.js';
import { moreWords } from './more-words.js';
import { isOwnFile, isOwnProgram, runningAmbit } from './own-program.js';
import { isNothing, isStandardInput, startOf } from './places.js';
import { type Named, nameOf, runFacts, withBy } from './run-facts.js';
import { settle } from './settle.js';
import { chosenBy } from './shims.js';
import { touch, touchFiles } from './touch.js';
import { setVariable } from './variable.js';

/** How deeply programs may run others. */
const mostDepth = 20;

/** Runs a program: reports that it runs, and what it does by the table. */
export function runProgram(words: readonly Word[], scope: Scope): Output {
  const { isRead, walk } = scope;
  const { report, world } = walk;
  const [first, ...rest] = words;
  const name = textOf(first);
  if (name === null || name === '') {
    const written = shortText(words.map(writtenAs).join(' '));
    report.opaque({ text: written }, 'which program this is depends on a value');
    return unknownOutput;
  }
  if (scope.depth > mostDepth) throw new Outside('it is nested too deeply', name);
  const input = inputOf(scope);
  let output: Output | null = null;
  let isLeft = true;
  for (const folder of scope.state.folders) {
    report.spend(10);
    const named = nameOf(name, folder, scope);
    for (const program of named.programs)
      report.add({ name: 'proc.exec', program, ...runFacts(words, folder) });
    if (isOwnProgram(name, folder, scope)) report.add(runningAmbit);
    const describedIn = (changes: Changes, entry = named.entry ?? '') =>
      world.perform(entry, rest, { folder, input, isRead, world: { ...world, changes } });
    const described = describedIn(world.changes);
    const printed: Output[] = [];
    // A program of the project mostly reads what one with its name does: `node_modules/.bin/jest`.
    const { definedBy } = described ?? describedIn(world.changes, posix.basename(name)) ?? {};
    const run: ProgramRun = { words, named, folder, scope, printed, definedBy };
    const chosen = chosenBy(name, named.programs, { folder, walk });
    if (chosen !== null)
      addOpaque('files of the project choose which program this shim runs', run, filesFact(chosen, world));
    if (described === null) unknownProgram(run);
    else settle(described, { describedIn, world, apply: (effects) => applyEffects(effects, run) });
    const ofCommand = described?.printsOfCommand;
    const own = (ofCommand === undefined ? described?.output : printed.at(-1)) ?? unknownOutput;
    const all = listed(own, { folder, input, isRead, world });
    const written = ofCommand === 'beginning' ? beginningOf(all) : all;
    output = output === null ? written : unknownOutput;
    isLeft &&= described?.leavesInput === true;
  }
  if (!isLeft) scope.input.output = leftOf(input);
  return output ?? unknownOutput;
}

interface ProgramRun {
  readonly words: readonly Word[];
  readonly named: Named;
  readonly folder: Folder;
  readonly scope: Scope;
  /** The output of each command that it runs. */
  readonly printed: Output[];
  readonly definedBy: Described['definedBy'];
}

function unknownProgram(run: ProgramRun): void {
  const { named, scope } = run;
  // A program that is named by its path is a file whose content is run.
  const paths = named.programs.filter((program) => program.startsWith('/')).slice(-1);
  addOpaque('it is not in the table of programs', run, definitionFacts(run, scope.walk.world, paths));
}

/** Reports that what a program does is unknown. If `more` is null, it certainly changes no file. */
function addOpaque(why: string, run: ProgramRun, more: JsonObject | null = {}): void {
  const { scope } = run;
  scope.walk.report.opaque({ ...factsOf(run), ...more }, why);
  // It may create files anywhere, but a plain path stays a known path.
  if (more !== null) scope.walk.world.changes.open.add('/');
}

function factsOf({ words, named: { programs }, folder }: ProgramRun): JsonObject {
  const [program] = programs;
  const facts = runFacts(words, folder);
  const written = 'argv' in facts ? {} : { text: shortText(words.map(writtenAs).join(' ')) };
  return { ...(program !== undefined && { program }), ...facts, ...written };
}

function applyEffects(effects: readonly Effect[], run: ProgramRun): void {
  const inner = innerScope(effects, run);
  for (const group of groupsOf(effects)) {
    const [first] = group;
    if (group.length > 1 && isPlainPath(first)) touchTogether(group.filter(isPath), run);
    else if (first !== undefined) applyOne(first, run, inner);
  }
}

/** Effects in order, grouped by how they touch files. A group of one word that is repeated is touched once. */
function groupsOf(effects: readonly Effect[]): readonly (readonly Effect[])[] {
  const groups = new Map<string, Effect[]>();
  const lists = new Map<Word, number>();
  effects.forEach((effect, index) => {
    const { word: _, ...way } = effect.kind === 'path' ? effect : { ...effect, word: null };
    const isList = effect.kind === 'path' && effect.word.kind === 'names';
    if (isList && !lists.has(effect.word)) lists.set(effect.word, index);
    const list = isList ? lists.get(effect.word) : '';
    const key = isList || isPlainPath(effect) ? `${list} ${JSON.stringify(way)}` : `${index}`;
    remembered(groups, key, () => []).push(effect);
  });
  return [...groups.values()];
}

function isPlainPath(effect: Effect | undefined): boolean {
  return effect?.kind === 'path' && effect.deep !== true && textOf(effect.word) !== null;
}

function isPath(effect: Effect): effect is PathEffect {
  return effect.kind === 'path';
}

/** Files that are touched in the same way form one set. */
function touchTogether([first, ...others]: readonly PathEffect[], run: ProgramRun): void {
  if (first === undefined) return;
  const texts = [first, ...others].flatMap(({ word }) => textOf(word) ?? []);
  const kept = texts.filter((each) => each !== '' && !isNothing(each, first));
  if (kept.length === 0) return;
  applyOne({ ...first, word: namesWord(onlyNames(kept), 'many') }, run, innerScope([first], run));
}

/** The scope of a command that the program starts: it sees the variables of programs. */
function innerScope(effects: readonly Effect[], { folder, scope }: ProgramRun): Scope {
  const exported = new Map([...scope.state.variables].filter(([, { isExported }]) => isExported));
  let state: State = {
    folders: [folder],
    variables: exported,
    ...(scope.state.inherits && { inherits: true }),
  };
  // Another user has another home.
  if (effects.some((effect) => effect.kind === 'capability' && effect.capability.name === 'priv.escalate'))
    state = withVariable(state, 'HOME', { value: unknown('$HOME'), isExported: true });
  for (const effect of effects) {
    if (effect.kind !== 'variable') continue;
    const { name, isUnset } = effect;
    const value = effect.value === null ? unknown(`$${name}`) : text(effect.value);
    state = isUnset ? withoutVariable(state, name) : withVariable(state, name, { value, isExported: true });
  }
  return subshell(scope, { state, depth: scope.depth + 1 });
}

function applyOne(effect: Effect, run: ProgramRun, inner: Scope): void {
  const { named, folder, scope } = run;
  const { report } = scope.walk;
  report.spend(1);
  const [by = ''] = named.programs;
  const toucher = { folder, by, scope, run: () => factsOf(run) };
  switch (effect.kind) {
    case 'path': {
      const from = startOf(effect, run.folder, run.scope.walk.world);
      const word = from === null ? unknown(writtenAs(effect.word)) : effect.word;
      touch(word, effect, { ...toucher, folder: from ?? folder });
      return;
    }
    case 'files':
      touchFiles(effect, toucher);
      return;
    case 'run':
      applyRun(effect, run, inner);
      return;
    case 'code':
      applyCode(effect, run, inner);
      return;
    case 'load':
      load(effect, run, inner);
      return;
    case 'connect':
      for (const capability of connections(effect)) report.add({ ...capability, by });
      return;
    case 'capability':
      report.add(withBy(effect.capability, by));
      return;
    case 'variable':
      elseOpaque(() => setVariable(report, effect.name, effect.value, effect.name, effect.isUnset), run);
      return;
    case 'opaque':
      if (effect.ends === true) throw new Outside(effect.why, run.words.map(writtenAs).join(' '));
      addOpaque(effect.why, run, effect.onlyReads ? null : definitionFacts(run, scope.walk.world));
  }
}

function applyRun(effect: RunEffect, run: ProgramRun, inner: Scope): void {
  const from = startOf(effect, run.folder, run.scope.walk.world);
  const words = moreWords(effect, effect.from ?? run.scope.input.output);
  if (from === null || words.length === 0) {
    if (words.length > 0) addOpaque('where it runs a command depends on a value', run);
    return;
  }
  const isOnce = effect.more === undefined && effect.placeholder === undefined;
  const unshared = { output: isOnce ? unknownInput : emptyInput };
  const input = effect.sharesInput === true ? inner.input : unshared;
  const isAwaiting = effect.isAwaiting === true;
  const { walk } = inner;
  const own = isAwaiting ? { ...walk, report: withoutUnknownReads(walk.report) } : walk;
  elseOpaque(() => {
    const state = { ...inner.state, folders: [from] };
    const output = runProgram(words, { ...inner, walk: own, input, state });
    const isOne = isOnce && effect.isRepeated !== true;
    run.printed.push(isAwaiting ? noOutput : isOne ? output : repeatedOutput(output));
  }, run);
}

/** A command of a program cannot change the shell, so only that command is opaque if it is not described. */
function elseOpaque(work: () => unknown, run: ProgramRun): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Outside)) throw error;
    addOpaque(error.why, run);
  }
}

function applyCode(effect: CodeEffect, run: ProgramRun, inner: Scope): void {
  const { language, from, parameters } = effect;
  const input = run.scope.input.output;
  const code = from === 'input' ? (input.kind === 'text' ? input.text : null) : effect.text;
  const [by = ''] = run.named.programs;
  const facts: JsonObject = { language, ...(code !== null && code.length < 10_000 && { text: code }) };
  run.scope.walk.report.add({ name: 'code.eval', ...facts, by });
  if (!walkedLanguages.has(language)) return;
  const folder = startOf(effect, run.folder, run.scope.walk.world);
  // A shell that reads its text from the standard input leaves the rest to its commands.
  const isMixed = from === 'input' && code?.includes('<<') === true;
  if (code === null || folder === null || isMixed) {
    addOpaque('the text that it runs is unknown', run);
    return;
  }
  const state: State = {
    ...inner.state,
    folders: [folder],
    ...(parameters === undefined ? { hasParameters: true } : { parameters: parameters.map(perhapsNone) }),
  };
  const rest: Output = { ...unknownInput };
  const own = effect.sharesInput === true && from !== 'input' ? inner.input : { output: rest };
  const text: Scope = { ...inner, isPosix: language === 'sh', state, input: own };
  elseOpaque(() => run.scope.walk.text(code, text, effect.login), run);
  // A command that reads part of the text changes what the shell reads next.
  if (own.output !== rest && from === 'input' && code.trim().includes('\n'))
    addOpaque('a command in it may read the text that it runs', run);
}

function load(effect: LoadEffect, run: ProgramRun, inner: Scope): void {
  const { folder, scope, named } = run;
  const [by = ''] = named.programs;
  const path = textOf(effect.word);
  if (path !== null && isStandardInput(path)) {
    applyCode({ kind: 'code', language: effect.language ?? 'sh', text: null, from: 'input' }, run, inner);
    return;
  }
  const from = startOf(effect, run.folder, run.scope.walk.world);
  const word = from === null ? unknown(writtenAs(effect.word)) : effect.word;
  const at = from ?? folder;
  if (path !== null && isOwnFile(path, at, scope)) scope.walk.report.add(runningAmbit);
  const left = loadCode({ word, folder: at, by }, scope);
  if (left !== null && Object.keys(left).length > 0)
    addOpaque('the file that it loads may be changed first, or cannot be read', run, left);
}
