import { realpathSync } from 'node:fs';
import { type Capability, isOpaque, isWithin, knownPaths, orNull, withoutRepetition } from '@ambit/core';
import { type ParsedScript, parse } from 'unbash';
import { filesFact } from '../facts/content.js';
import { runProgram } from '../facts/program.js';
import { setVariable } from '../facts/variable.js';
import { marks } from '../number.js';
import { inLogin } from '../read/login.js';
import { commandNode, statements } from '../read/statements.js';
import { runTraps } from '../read/traps.js';
import { Outside } from '../state/outside.js';
import { newReport, shortText } from '../state/report.js';
import { nowhere, type Scope, subshell, type Walk } from '../state/scope.js';
import type { State, Variable } from '../state/state.js';
import { freshLetter, noOutput, text, unknownOutput } from '../word.js';
import { type Changes, type Folder, noChanges, type Perform, stampOf, type World } from '../world.js';

export interface CommandLine {
  readonly text: string;
  readonly folder: Folder;
  /** The known variables of the shell at its start. */
  readonly environment: ReadonlyMap<string, string>;
  /** Whether the shell may have other variables too. */
  readonly inherits?: boolean;
  /** The variables that the call sets. Every program sees them. */
  readonly own?: ReadonlyMap<string, string>;
}

export interface LineWorld extends Omit<World, 'changes'> {
  readonly perform: Perform;
}

/** What a command line does, as capabilities. Reads the file system to resolve paths, and runs nothing. */
export function describeLine(line: CommandLine, world: LineWorld): readonly Capability[] {
  const changes = noChanges();
  let found: readonly Capability[] = [];
  for (let round = 1; round <= mostWalks; round += 1) {
    const stamp = stampOf(changes);
    const { capabilities, isConcurrent } = walkLine(line, { ...world, changes });
    const opaque = found.filter(({ name }) => isOpaque(name));
    found = opaque.length === 0 ? capabilities : withoutRepetition([...capabilities, ...opaque]);
    // An earlier command that runs in parallel may see a later change of the same line.
    if (!isConcurrent || stamp === stampOf(changes)) return found;
  }
  return [...found, { name: 'proc.exec.opaque', text: shortText(line.text), why: endless }];
}

/** The most walks of a line until parallel commands change no further files. */
const mostWalks = 4;
const endless = 'commands that run in parallel keep changing files that the others use';

function walkLine(line: CommandLine, world: LineWorld & { readonly changes: Changes }) {
  const report = newReport();
  const notes = { isConcurrent: false, ends: 0, shims: new Set<string>(), hasPrompt: true };
  const walk: Walk = {
    report,
    notes,
    world,
    searchPath: realFolders(world.searchPath),
    script: (script, scope) => statements(readable(script, '').commands, scope),
    text: (more, scope, login = null) => {
      const shell = { traps: [], isRedirected: false };
      const inner = { ...subshell(scope), isLogin: false, failures: [], source: more, shell };
      const walkText = (own: Scope) => {
        const output = statements(parseLine(more).commands, own, more);
        return runTraps(own) || shell.isRedirected ? unknownOutput : output;
      };
      return login === null ? walkText(inner) : inLogin(inner, walkText, login);
    },
    here: (more, scope) => statements(parseLine(more).commands, scope, more),
    command: commandNode,
    program: runProgram,
  };
  const scope: Scope = {
    state: firstState(line),
    ...nowhere,
    input: { output: noOutput },
    isRead: false,
    depth: 0,
    isPosix: false,
    source: '',
    walk,
  };
  try {
    if (marks.test(line.text)) throw new Outside('it contains an unusual character', line.text);
    for (const [name, value] of line.own ?? []) setVariable(report, name, value, `${name}=${value}`);
    walk.text(line.text, scope);
  } catch (error) {
    const outside = asOutside(error);
    const written = outside.written.trim() === '' ? line.text : outside.written;
    report.opaque({ text: shortText(written) }, `${outside.why}; this and everything after it is unknown`);
  }
  const capabilities = withNames(withInputs(report.capabilities, world), world.changes);
  return { capabilities, isConcurrent: notes.isConcurrent };
}

/** With an `X` for each letter that is unknown. */
function withNames(capabilities: readonly Capability[], { open }: Changes): readonly Capability[] {
  if (![...open].some((each) => each.includes(freshLetter))) return capabilities;
  return JSON.parse(JSON.stringify(capabilities).replaceAll(freshLetter, 'X'));
}

/** The most files that may hold a text that is run. */
const mostInputs = 100;

/**
 * If a text from a file is run (`sh < build.sh`, `cat build.sh | sh`), its opaque capability names the files
 * that the line reads, with their contents.
 */
function withInputs(capabilities: readonly Capability[], world: World): readonly Capability[] {
  const isUnknownText = ({ name, text: code }: Capability) => name === 'code.eval' && code === undefined;
  if (!capabilities.some(isUnknownText)) return capabilities;
  const read = capabilities
    .filter(({ name }) => isWithin(name, 'fs.read'))
    .flatMap(({ path }) => knownPaths(path));
  const files = filesFact(read.slice(0, mostInputs), world);
  return capabilities.map((capability) =>
    isOpaque(capability.name) && !Object.hasOwn(capability, 'files')
      ? { ...capability, ...files }
      : capability,
  );
}

function asOutside(error: unknown): Outside {
  if (error instanceof Outside) return error;
  // The walk recurses as deeply as the text is nested, which may exceed the stack.
  if (error instanceof RangeError) return new Outside('it is nested too deeply', '');
  throw error;
}

function firstState({ folder, environment, inherits = false }: CommandLine): State {
  const variables = new Map<string, Variable>();
  for (const [name, value] of environment) variables.set(name, { value: text(value), isExported: true });
  return { folders: [folder], variables, ...(inherits && { inherits }) };
}

/** Each folder as named, and its real path. */
function realFolders(folders: readonly string[]): readonly string[] {
  const realOf = (folder: string) => orNull(() => realpathSync.native(folder)) ?? folder;
  return [...new Set(folders.flatMap((folder) => [folder, realOf(folder)]))];
}

/** The longest argument of a program, in bytes. */
const mostBytes = 131_071;

/** Parses a command line. Throws `Outside` for text that bash may read differently. */
function parseLine(line: string): ParsedScript {
  const why = differently(line);
  if (why !== null) throw new Outside(why, line);
  let script: ParsedScript;
  try {
    script = parse(line);
  } catch (error) {
    if (error instanceof RangeError) throw new Outside('it is nested too deeply', line);
    throw new Outside('it cannot be read', line);
  }
  return readable(script, line);
}

/** The script itself, or that of a substitution. Throws `Outside` if the parser skipped a part of it. */
function readable(script: ParsedScript, line: string): ParsedScript {
  const [error] = script.errors ?? [];
  if (error === undefined) return script;
  const excerpt = shortText(line.slice(error.pos).split('\n', 1)[0] ?? '');
  const place = excerpt === '' ? 'at its end' : `in \`${excerpt}\``;
  throw new Outside(`it cannot be read: ${error.message} ${place}`, line);
}

/** Why bash may read the text differently from the parser, by its characters alone; null if it does not. */
function differently(line: string): string | null {
  if (line.length > mostBytes || Buffer.byteLength(line) > mostBytes) return 'it is too long';
  if (/(?![\t\n])\p{Cc}/u.test(line)) return 'it contains a control character';
  if (/\p{Surrogate}/u.test(line)) return 'it is not well-formed text';
  // Blanks that the shell does not treat as blanks, and invisible characters.
  if (/[\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/.test(line))
    return 'it contains an invisible character or an unusual blank';
  if (/(?<!\\)(?:\\\\)*\\$/.test(line)) return 'it ends in a backslash';
  if (/[~$][\w+-]*(?:\\\n)+/.test(line)) return 'a line continues within an expansion';
  return null;
}
