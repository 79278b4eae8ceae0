import { type Capability, withoutRepetition } from '@ambit/core';
import { reportVariable } from './assign.js';
import { command } from './command.js';
import { apply } from './effects.js';
import { type Here, type Result, subshell, type Walk } from './here.js';
import { readText } from './read-text.js';
import { newReport } from './report.js';
import { type Folder, type FunctionBody, lost, type State } from './state.js';
import { functionBody, statements } from './structure.js';
import { plainVariable, type Variable } from './variable.js';
import { word } from './word.js';
import { evaluate, evaluateText } from './words/arithmetic.js';
import { singleWord, wordsOf } from './words/expand.js';
import type { World } from './world.js';

export interface CommandLine {
  readonly text: string;
  readonly folder: Folder;
  /** All that the shell finds when it begins. */
  readonly environment: ReadonlyMap<string, string>;
  /** Those of it that the call itself sets, which every program sees that is run. */
  readonly own?: ReadonlyMap<string, string>;
}

/** What a command line may do, as capabilities. Looks at the file system where paths lead through it, and runs nothing. */
export function capabilitiesOfLine(line: CommandLine, world: World): readonly Capability[] {
  const { report, seen } = walkLine(line, world);
  const { links, written, is_open } = world.changes;
  // What is written late in a line may be met early in it: by loops, functions, and what runs beside it.
  const matters = links.length > 0 || (seen.has_pattern && (is_open || written.size > 0));
  if (!seen.is_concurrent || !matters) return report.capabilities;
  return withoutRepetition([...report.capabilities, ...walkLine(line, world).report.capabilities]);
}

/** What is run when something happens, and the state in which that was said. */
interface Later {
  readonly text: string;
  readonly isAnywhere: boolean;
  readonly state: State;
}

const mostTraps = 20;

function walkLine({ text, folder, environment, own }: CommandLine, world: World): Walk {
  const later: Later[] = [];
  const walk = newWalk(world, later);
  const here: Here = {
    state: firstState(folder, environment),
    input: { text: null },
    depth: 0,
    exits: [],
    locals: null,
    walk,
  };
  for (const [name, value] of own ?? []) reportVariable(name, word(value), { here, program: null });
  walk.text(text, here);
  for (const { text: trapped, isAnywhere, state } of later.slice(0, mostTraps)) {
    walk.text(trapped, { ...here, depth: 1 });
    const isMoved = state.folders !== here.state.folders || state.variables !== here.state.variables;
    if (isAnywhere && isMoved) walk.text(trapped, { ...here, state: lost(here.state), depth: 1 });
  }
  for (const body of walk.defined)
    walk.body(body, { ...here, state: { ...here.state, parameters: null }, depth: 1 });
  return walk;
}

function newWalk(world: World, later: Later[]): Walk {
  const report = newReport();
  const defined = new Set<FunctionBody>();
  return {
    report,
    world,
    defined,
    seen: { is_concurrent: false, has_pattern: false, writes_beside: false },
    script: (script, here) => {
      const [error] = script.errors ?? [];
      if (error !== undefined) report.opaque('', `it cannot be read: ${error.message}`);
      return statements(script.commands, here);
    },
    text: walkText,
    words: wordsOf,
    word: singleWord,
    arithmetic: evaluate,
    arithmeticOf: evaluateText,
    variable: (name, value, program, here) =>
      apply(world.effectsOfVariable(name, value, program), { program: program ?? '' }, here),
    setFor: (name, value, program, here) => reportVariable(name, value, { here, program }),
    later: (text, isAnywhere, { state }) => later.push({ text, isAnywhere, state }),
    body: functionBody,
    command,
  };
}

/** The most characters of a text within another. */
const mostGrown = 100_000;

/** How deep texts may be that are run within texts. */
const mostDepth = 30;

function walkText(text: string, here: Here): Result {
  const { report } = here.walk;
  if (here.depth > mostDepth || !report.spend(10 + (here.depth === 0 ? 0 : text.length / 20))) {
    report.opaque(text, 'it is too deep');
    return { output: null };
  }
  // What grows as it is evaluated is not read whole again and again.
  const isGrown = here.depth > 0 && text.length > mostGrown;
  const { script, why } = isGrown ? { script: null, why: 'it is too long' } : readText(text);
  if (why !== null) report.opaque(text, why);
  // What is not read as the shell reads it may be read in part.
  if (why !== null) for (const piece of piecesOf(text)) walkPiece(piece, here);
  return script === null ? { output: null } : statements(script.commands, here);
}

function walkPiece(piece: string, here: Here): void {
  const { script, why } = readText(piece);
  if (script !== null && why === null)
    statements(script.commands, subshell(here, { input: { text: null }, depth: here.depth + 1 }));
}

/** The most pieces of a text that are looked at by themselves, from its beginning and from its end. */
const mostPieces = 100;

/** What may be commands in a text that could not be read. */
function piecesOf(text: string): readonly string[] {
  const [start, end] = [text.slice(0, 20_000), text.slice(20_000).slice(-20_000)];
  const [first, last] = [start, end].map((part) =>
    part.split(/[;&|\n\r\0(){}`]+/).filter((piece) => /\w/.test(piece)),
  );
  return [...new Set([...(first ?? []).slice(0, mostPieces), ...(last ?? []).slice(-mostPieces)])];
}

function firstState(folder: Folder, environment: ReadonlyMap<string, string>): State {
  const variables = new Map<string, Variable>();
  for (const [name, value] of environment)
    variables.set(name, { ...plainVariable({ kind: 'text', word: word(value) }), is_exported: true });
  return {
    folders: [folder],
    stack: [],
    variables,
    is_lost: false,
    has_references: false,
    functions: new Map(),
    aliases: new Map(),
    parameters: [],
    is_search_path_fixed: true,
    modes: {
      has_no_globs: false,
      has_other_globs: false,
      has_no_braces: false,
      has_aliases: false,
      exports_all: false,
    },
    is_dead: false,
  };
}
