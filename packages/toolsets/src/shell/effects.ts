import type { Capability } from '@ambit/core';
import { connections } from './connection.js';
import type { Effect } from './effect.js';
import { type Here, subshell } from './here.js';
import { namesFromInput } from './outputs.js';
import { isOwnFile } from './own-program.js';
import { isDescriptor, placesOf, touch } from './places.js';
import { lost, type State } from './state.js';
import { ownVariable } from './temporary.js';
import { startOf, textOf, type Word, writtenAs } from './word.js';
import { substitutedFile } from './words/part.js';
import type { Link } from './world.js';

/** Languages that are walked into as the shell's own. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh', 'rbash']);

/** Languages that reach files and run programs from within their own text, and are not walked into here. */
const telling: ReadonlySet<string> = new Set(['dc', 'ed', 'ex', 'gdb', 'sed', 'sql', 'sqlite', 'vim']);

/** Programs that take variables away from what they run. */
const environmental: ReadonlySet<string> = new Set(
  'sudo doas su runuser pkexec run0 su-exec gosu setpriv ssh systemd-run chpst envdir'.split(' '),
);

/** Programs whose files may come to be links, or folders with links in them. */
const linking: ReadonlySet<string> = new Set([
  'ln',
  'link',
  'cp',
  'mv',
  'rsync',
  'install',
  'gcp',
  'gln',
  'gmv',
]);

/** Programs that give a file another name, and leave it where it is. */
const naming: ReadonlySet<string> = new Set(['ln', 'link', 'gln']);

/** Reports what effects are, here. */
export function apply(effects: readonly Effect[], { program, words = [] }: Applied, here: Here): void {
  const listed = effects.flatMap((effect) =>
    effect.kind === 'path' && effect.access === 'list' ? [effect.word] : [],
  );
  const inner = subshell(here, {
    state: childState(effects, { program, words }, here.state),
    depth: here.depth + 1,
  });
  for (const effect of effects)
    if (here.walk.report.spend(1)) applyOne(effect, { program, words, listed, here, inner });
  // What a command makes a link of matters to those that follow.
  for (const effect of effects)
    if (effect.kind === 'path' && effect.access === 'write')
      noteLinks(effect.word, { is_deep: effect.deep === true, program }, here);
}

/** What the effects are those of. */
export interface Applied {
  readonly program: string;
  readonly words?: readonly Word[];
}

interface Place {
  readonly program: string;
  readonly words: readonly Word[];
  /** Words of which names are listed. */
  readonly listed: readonly Word[];
  readonly here: Here;
  /** Where programs run that are started from this one. */
  readonly inner: Here;
}

function applyOne(effect: Effect, { program, words, listed, here, inner }: Place): void {
  const { report } = here.walk;
  switch (effect.kind) {
    case 'path': {
      const { access, word: named, deep = false, what } = effect;
      const is_listing = listed.includes(named);
      touch(named, { access, is_deep: deep, is_listing, ...(what !== undefined && { what }) }, here);
      // Once it has another name, it is not known by it.
      if (naming.has(program) && access === 'read' && isOwnFile(textOf(named) ?? '', here))
        report.add(runningAmbit);
      return;
    }
    case 'run': {
      const input = effect.isOpen === true ? { text: null } : inner.input;
      const place = inFolder(effect.folder, subshell(inner, { input }));
      const names = effect.isOpen === true ? namesFromInput(program, words, here) : null;
      here.walk.command(effect.words, place, {
        past: 'builtins',
        is_open: effect.isOpen === true,
        ...(names !== null && { names }),
      });
      return;
    }
    case 'code':
      evaluate(effect.language, effect.text, inFolder(effect.folder, inner));
      return;
    case 'code_from_input':
      evaluateInput(effect.language, inner);
      return;
    case 'load':
      load(effect.word, effect.language ?? null, { here, inner });
      return;
    case 'connect':
      for (const capability of connections(effect)) report.add(capability);
      return;
    case 'capability':
      report.add(effect.capability);
      return;
    case 'variable':
      here.walk.setFor(effect.name, effect.value, program, here);
      return;
    case 'opaque':
      report.opaque(effect.text, effect.why);
  }
}

/** What a program that is started sees of the shell's state. */
function childState(effects: readonly Effect[], { program, words = [] }: Applied, state: State): State {
  const isChanged =
    environmental.has(program) ||
    (program === 'env' && words.slice(0, 1).some((each) => startOf(each).startsWith('-')));
  const setsPath = effects.some((effect) => effect.kind === 'variable' && effect.name === 'PATH');
  const variables = new Map([...state.variables].filter(([, { is_exported }]) => is_exported));
  if (isChanged) for (const name of variables.keys()) variables.set(name, ownVariable(null));
  for (const effect of effects)
    if (effect.kind === 'variable') variables.set(effect.name, ownVariable(effect.value));
  return {
    ...state,
    variables,
    parameters: null,
    aliases: new Map(),
    functions: new Map([...state.functions].filter(([, { is_exported }]) => is_exported)),
    is_search_path_fixed: state.is_search_path_fixed && !setsPath,
    modes: { ...state.modes, has_no_globs: false, has_no_braces: false, has_aliases: false },
  };
}

function inFolder(folder: Word | undefined, here: Here): Here {
  if (folder === undefined) return here;
  const text = textOf(folder);
  const folders = text === null ? [] : placesOf(text, here).map(({ named, real }) => ({ named, real }));
  return subshell(here, { state: { ...here.state, folders } });
}

/** Reports that text is run; what is a shell's own is walked into. */
export function evaluate(language: string, text: Word | null, here: Here): void {
  const { report } = here.walk;
  const known = text === null ? null : textOf(text);
  report.add({
    name: 'code.eval',
    language,
    ...(known !== null && known.length < 10_000 && { text: known }),
  });
  if (!shells.has(language)) return;
  if (text === null) return;
  if (known === null) {
    report.opaque(writtenAs(text), 'the text that is run is not known');
    return;
  }
  here.walk.text(known, here);
}

/** The same for what comes through the standard input, of which nothing is left then. */
function evaluateInput(language: string, here: Here): void {
  const { text } = here.input;
  here.input.text = null;
  evaluate(language, text, here);
  if (telling.has(language)) here.walk.report.opaque(language, 'what it is told to do is not read');
  if (shells.has(language) && text === null)
    here.walk.report.opaque(language, 'the text that is run is not known');
  // A program in it may read what would have been a here-document.
  if (shells.has(language) && text !== null && textOf(text)?.includes('<<') === true)
    here.walk.report.opaque(writtenAs(text), 'it is read while it runs');
}

function load(word: Word, language: string | null, { here, inner }: Pick<Place, 'here' | 'inner'>): void {
  const { report } = here.walk;
  const text = textOf(word);
  if (text !== null && isDescriptor(text)) {
    const isInput = text !== substitutedFile && /(?:stdin|\/0)$/.test(text);
    if (isInput) evaluateInput(language ?? 'sh', inner);
    else {
      evaluate(language ?? 'sh', null, inner);
      report.opaque(text, 'the text that is run is not known');
    }
    return;
  }
  touch(word, { access: 'read' }, here);
  const places = text === null ? [] : placesOf(text, here);
  if (text !== null && isOwnFile(text, here)) report.add(runningAmbit);
  if (places.length === 0) report.add({ name: 'code.load' });
  for (const { named, real } of places)
    for (const path of new Set([named, real]))
      report.add(path === null ? { name: 'code.load' } : { name: 'code.load', path });
}

function noteLinks(
  word: Word,
  { is_deep, program }: { is_deep: boolean; program: string },
  here: Here,
): void {
  if (!is_deep && !linking.has(program)) return;
  const { changes } = here.walk.world;
  changes.is_open ||= is_deep;
  const places = placesOf(textOf(word) ?? startOf(word), here);
  for (const { named, real } of places)
    for (const path of new Set([named, real]))
      if (path !== null) noteLink({ path, is_below: is_deep && !linking.has(program), program }, here);
}

function noteLink(link: Link, { walk }: Here): void {
  const { links } = walk.world.changes;
  if (!links.some(({ path, is_below }) => link.path === path && link.is_below === is_below)) links.push(link);
}

/** Whatever starts it: it judges, answers and records runs. */
export const runningAmbit: Capability = { name: 'sys.guard', what: 'running ambit', program: 'ambit' };

/** After something ran in the shell itself of which nothing is known. */
export function loseState(here: Here): void {
  here.state = lost(here.state);
}
