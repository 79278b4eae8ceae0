import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Capability, type Description, withoutRepetition } from '@ambit/core';
import { hostCapabilities } from '../../places/host.js';
import { plainPath, realPathOf } from '../../places/paths.js';
import { saidBy } from '../../places/said-by.js';
import { type McpProgram, type McpServer, type McpSite, toolsetNameOf } from './server-definition.js';

export interface StartWorld {
  readonly searchPath: readonly string[];
  /** The user's home. */
  readonly home: string;
  /** Whether the name of a server over HTTP turned out to lead to a private address. */
  readonly isPrivate?: boolean;
  /** The effects of a command line in a folder, as the shell toolset reads it. */
  readonly describeLine: (
    text: string,
    folder: string,
  ) => readonly Capability[] | Promise<readonly Capability[]>;
}

/** Who starts it: the tool `toolset.start`. */
const by = 'toolset:toolset';

/** The capabilities of starting a server. Reads files, starts nothing and resolves no name. */
export async function describeStart(server: McpServer, world: StartWorld): Promise<Description> {
  const { program, trusted } = server;
  // The names and descriptions of its tools are text for the model.
  const words = trusted ? [] : [{ name: 'content.untrusted', source: toolsetNameOf(server) }];
  if (program.transport === 'http')
    return { capabilities: [...saidBy(by, siteCapabilities(program, world.isPrivate ?? false)), ...words] };
  const found = findProgram(program, world.searchPath);
  const capabilities = withoutRepetition([
    ...programCapabilities(program, found),
    ...(await lineCapabilities(program, world)),
    ...words,
  ]);
  if (found !== null) return { capabilities };
  return {
    capabilities,
    cannot: `there is no program \`${program.command}\` to start ${toolsetNameOf(server)} with: programs are looked for in ${world.searchPath.join(', ')}`,
  };
}

/**
 * The effects of a program with its arguments, read as a command line. Its variables may change them; an
 * opaque program covers that.
 */
async function lineCapabilities(
  { command, args, folder, environment }: McpProgram,
  { describeLine }: StartWorld,
): Promise<readonly Capability[]> {
  const line = [command, ...args].map(quoted).join(' ');
  const described = await describeLine(line, folder);
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  if (variables.length === 0 || described.some(({ name }) => name === 'proc.exec.opaque')) return described;
  return [...described, ...(await describeLine([...variables, line].join(' '), folder))];
}

/** As one word of a command line, with any content. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The capability of reaching a server over HTTP; `isPrivate` once its name resolved to a private address. */
export function siteCapabilities({ url }: McpSite, isPrivate: boolean): readonly Capability[] {
  const { hostname, port, protocol } = new URL(url);
  const scheme = protocol.slice(0, -1);
  const facts = { port: port === '' ? (scheme === 'https' ? 443 : 80) : Number(port), scheme };
  const described = hostCapabilities(hostname, facts);
  const asPrivate = described.map((capability) => ({ ...capability, name: 'net.connect.private' }));
  return isPrivate ? withoutRepetition([...described, ...asPrivate]) : described;
}

/** Where a program is. */
export interface FoundProgram {
  /** As it is started; absolute. */
  readonly path: string;
  readonly real: string;
}

/** Finds a program as the system does, in the fixed search path. */
export function findProgram(
  { command, folder }: Pick<McpProgram, 'command' | 'folder'>,
  searchPath: readonly string[],
): FoundProgram | null {
  const places = command.includes('/')
    ? [isAbsolute(command) ? command : resolve(folder, command)]
    : searchPath.map((place) => join(place, command));
  for (const place of places) {
    const path = plainPath(place);
    if (isProgram(path)) return { path, real: realPathOf(path) };
  }
  return null;
}

/** The known code of a server: its program, if it is a path, and the first argument that is a file. */
export function codeOf({ command, args, folder }: McpProgram): readonly string[] {
  const script = args.map((arg) => resolve(folder, arg)).find((path) => isFile(path));
  return [
    ...(command.includes('/') ? [resolve(folder, command)] : []),
    ...(script === undefined ? [] : [script]),
  ];
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function programCapabilities(
  { command, args, folder, environment }: McpProgram,
  found: FoundProgram | null,
): readonly Capability[] {
  const facts = { argv: [command, ...args], cwd: folder };
  const bare = !command.includes('/');
  const names = found === null ? [] : bare ? [command] : [...new Set([found.path, found.real])];
  const runs = names.map((program) => ({ name: 'proc.exec', program, ...facts }));
  return [
    ...(runs.length === 0 ? [{ name: 'proc.exec', ...facts }] : runs),
    ...Object.entries(environment).map(([variable, value]) => ({ name: 'env.set', variable, value })),
  ];
}
