import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Capability, type Description, orNull, quotedWord, withoutRepetition } from '@ambit/core';
import { readTarget } from '../../http/target.js';
import { hostCapabilities } from '../../places/host.js';
import { plainPath, realPathOf } from '../../places/paths.js';
import { saidBy } from '../../places/said-by.js';
import { type McpProgram, type McpServer, type McpSite, toolsetNameOf } from './server-definition.js';

interface StartWorld {
  readonly searchPath: readonly string[];
  /** Whether the name of a server over HTTP led to a private address. */
  readonly isPrivate?: boolean;
  readonly describeLine: (
    text: string,
    folder: string,
  ) => readonly Capability[] | Promise<readonly Capability[]>;
}

const by = 'toolset:toolset';

/** Reads files, starts nothing and resolves no name. */
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

/** The effects of a command line. Its variables may change them; an opaque program covers that. */
async function lineCapabilities(
  { command, args, folder, environment }: McpProgram,
  { describeLine }: StartWorld,
): Promise<readonly Capability[]> {
  const line = [command, ...args].map(quotedWord).join(' ');
  const described = await describeLine(line, folder);
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quotedWord(value)}`);
  if (variables.length === 0 || described.some(({ name }) => name === 'proc.exec.opaque')) return described;
  return [...described, ...(await describeLine([...variables, line].join(' '), folder))];
}

/** `isPrivate` once its name resolved to a private address. */
export function siteCapabilities({ url }: McpSite, isPrivate: boolean): readonly Capability[] {
  const { target } = readTarget(url);
  if (target === null) return hostCapabilities(null, {});
  const { host, port, scheme } = target;
  const described = hostCapabilities(host, { port, scheme });
  const asPrivate = described.map((capability) => ({ ...capability, name: 'net.connect.private' }));
  return isPrivate ? withoutRepetition([...described, ...asPrivate]) : described;
}

export interface FoundProgram {
  readonly path: string;
  readonly real: string;
}

/** In the fixed search path. */
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

/** A program that is a path, and the first argument that is a file. */
export function codeOf({ command, args, folder }: McpProgram): readonly string[] {
  const script = args.map((arg) => resolve(folder, arg)).find((path) => isFile(path));
  return [
    ...(command.includes('/') ? [resolve(folder, command)] : []),
    ...(script === undefined ? [] : [script]),
  ];
}

function isFile(path: string): boolean {
  return orNull(() => statSync(path).isFile()) === true;
}

/** Whether it is a file that this user may execute. */
export function isProgram(path: string): boolean {
  return orNull(() => accessSync(path, constants.X_OK)) !== null && isFile(path);
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
