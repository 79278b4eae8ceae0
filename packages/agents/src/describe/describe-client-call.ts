import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Capability, type JsonObject, orNull, shellWord, toolsetOf } from '@ambit/core';
import { crossesOwn, describeCommandIn } from '@ambit/shell';
import {
  capabilitiesOf,
  capabilitiesOfWriting,
  hostCapabilities,
  placeOf,
  type Roots,
  readTarget,
  saidBy,
} from '@ambit/toolsets';
import type { ClientCall, ClientName } from '../clients/client-call.js';
import { clientOf } from '../clients/clients.js';
import { pathsFrom, workerNameOf } from '../clients/fields.js';
import { Arguments, type Use } from '../clients/tool-table.js';
import type { RepositorySetting } from './repository-setting.js';

export interface ClientWorld {
  /** The project's folder, as the only root. Paths are absolute, or relative to it. */
  readonly roots: Roots;
  /** The user's home, absolute. */
  readonly home: string;
  /** The search path for programs. */
  readonly searchPath: readonly string[];
  /** Looks for a setting of the repository that may change what commands do, or run programs with files. */
  readonly repositorySetting: (of: 'commands' | 'files') => Promise<RepositorySetting | null>;
}

/**
 * The full name of a client's tool. A tool outside the table is `CLIENT.NAME`, and a tool of an MCP server is
 * `mcp-SERVER.TOOL`.
 */
export function toolNameOf({ client, tool, server }: Pick<ClientCall, 'client' | 'tool' | 'server'>): string {
  if (server !== null) return `mcp-${simpleName(server.name)}.${simpleName(server.tool)}`;
  return clientOf(client).tools.get(tool)?.name ?? `${client}.${simpleName(tool)}`;
}

/** The client's own names of the tools in its table that have one of these names in policies, or one of a `toolset.*`. */
export function toolsNamed(client: ClientName, ...all: readonly string[]): readonly string[] {
  const isNamed = (name: string) =>
    all.some((each) => (each.endsWith('.*') ? name.startsWith(each.slice(0, -1)) : name === each));
  return [...clientOf(client).tools].flatMap(([tool, { name }]) => (isNamed(name) ? [tool] : []));
}

/** The call as it is judged and recorded: without the model's words about a command, which no agent acts on. */
export function judgedCall(call: ClientCall) {
  const { id, chain, hidesAgents = false, folder, args } = call;
  const { description, ...others } = args;
  const name = toolNameOf(call);
  const isDescribed = name === 'shell.run' && typeof description === 'string';
  return { id, chain, hidesAgents, name, args: isDescribed ? others : args, folder };
}

/** The effects of a client's call. Unknown facts are left out, so that rules about them are undecided. */
export async function describeClientCall(
  call: ClientCall,
  world: ClientWorld,
): Promise<readonly Capability[]> {
  const { agent } = call;
  const found = await effectsOf(call, world);
  return agent === undefined ? found : found.map((each) => ({ ...each, agent }));
}

async function effectsOf(call: ClientCall, world: ClientWorld): Promise<readonly Capability[]> {
  const { server } = call;
  if (server !== null) return [{ name: 'mcp.call', server: server.name, tool: server.tool }];
  const { tools, mayBeServerTool, runsProgram } = clientOf(call.client);
  const known = tools.get(call.tool);
  const tool = toolNameOf(call);
  // Two tools of the client may have one name here. An answer about the first does not count for the second.
  const isOther = !tools.has(call.tool) && tool !== `${call.client}.${call.tool}`;
  const unknown: Capability = { name: 'tool.call', tool, ...(isOther ? { named: call.tool } : {}) };
  // Clients have tools of their own for the resources of servers.
  const mayCallServer = mayBeServerTool(call.tool) || /mcp/i.test(call.tool);
  const program = { name: 'proc.exec.opaque', cwd: call.folder, why: 'a program of the settings runs it' };
  if (known === undefined)
    return [
      unknown,
      ...(mayCallServer ? [{ name: 'mcp.call' }] : []),
      ...(runsProgram?.(call.tool) === true ? [program] : []),
    ];
  const uses = known.uses(new Arguments(call.args));
  if (uses.length > mostUses)
    throw new Error(`it names ${uses.length} files or hosts, and at most ${mostUses} are judged: split it`);
  const found = await Promise.all(uses.map((use) => capabilitiesOfUse(use, { call, world })));
  const capabilities = saidBy(`toolset:${toolsetOf(tool)}`, found.flat());
  const odd = Object.keys(call.args).find((name) => !known.known.includes(name));
  if (odd === undefined && capabilities.length > 0) return capabilities;
  // A policy that permits `tool.call` of the shell permits lines such as `x=1`, and not what an unknown argument changes.
  const isOdd = odd !== undefined && tool === 'shell.run';
  return [
    ...capabilities,
    unknown,
    ...(isOdd ? [{ ...program, why: `its argument \`${odd}\` is unknown` }] : []),
  ];
}

/** Looking at more files takes longer than a hook may. */
const mostUses = 2_000;

/** The longest path that the system accepts. A client may shorten a longer one before it opens the file. */
const longestPath = 4_096;

interface Place {
  readonly call: ClientCall;
  readonly world: ClientWorld;
}

function calledAs(named: string) {
  const worker = workerNameOf(named);
  return worker === named ? { worker } : { worker, named };
}

async function capabilitiesOfUse(use: Use, place: Place): Promise<readonly Capability[]> {
  switch (use.kind) {
    case 'shell':
      return ofCommand(use, place);
    case 'file':
      return ofFile(use, place);
    case 'search':
      return ofSearch(use, place);
    case 'connect':
      return ofUrl(use.url);
    case 'agent':
      return [{ name: 'worker.call', ...(use.worker === null ? {} : calledAs(use.worker)) }];
    case 'untrusted':
      return [{ name: 'content.untrusted', source: use.source }];
    case 'opaque':
      return [{ name: 'proc.exec.opaque', cwd: place.call.folder, why: use.why }];
    case 'persists':
      return [{ name: 'sys.persist', what: use.what }];
  }
}

async function ofCommand(
  { command, folder = '.' }: Extract<Use, { kind: 'shell' }>,
  { call, world }: Place,
): Promise<readonly Capability[]> {
  const [cwd = '', ...others] = folder === null ? [] : pathsFrom(call.folder, folder);
  if (command === null || cwd === '' || others.length > 0) {
    const why = command === null ? 'the command is missing' : 'the folder in which it runs is unknown';
    const text: JsonObject = command === null ? {} : { text: command.slice(0, 200) };
    return [{ name: 'proc.exec' }, { name: 'proc.exec.opaque', ...text, why }];
  }
  const found = await describeCommandIn(command, { ...world, folder: cwd });
  const setting = await world.repositorySetting('commands');
  if (setting === null) return found;
  return [...found, { name: 'proc.exec.opaque', text: command.slice(0, 200), cwd, why: setting.why }];
}

async function ofFile(
  use: Extract<Use, { kind: 'file' }>,
  { call, world }: Place,
): Promise<readonly Capability[]> {
  const { access, path, bytes, by, isSearched } = use;
  const facts: JsonObject = { ...(bytes !== undefined && { bytes }), ...(by !== undefined && { by }) };
  const found = pathsOf(path, { call, world }, isSearched).map(async (each) => {
    if (each === null) return ofAnyFile(access, facts);
    const place = await placeOf(each, world.roots);
    return access === 'write'
      ? capabilitiesOfWriting(place, facts, world.roots)
      : capabilitiesOf(place, { access, facts }, world.roots);
  });
  const setting = access === 'list' ? null : await world.repositorySetting('files');
  const programs = setting === null ? [] : [{ name: 'proc.exec.opaque', cwd: call.folder, why: setting.why }];
  return [...(await Promise.all(found)).flat(), ...programs];
}

function pathsOf(path: string | null, { call, world }: Place, isSearched?: boolean) {
  if (path === null || path === '' || path.length > longestPath) return [null];
  const named = clientOf(call.client).pathsOf(path, { home: world.home, folder: call.folder }, isSearched);
  return named.map((each) => (each === null || crossesOwn(each) ? null : each));
}

function ofAnyFile(
  access: Extract<Use, { kind: 'file' }>['access'],
  facts: JsonObject,
): readonly Capability[] {
  return [
    { name: `fs.${access}`, ...facts },
    { name: `fs.${access}.outside`, ...facts },
    ...(access === 'read' ? ['secret.read'] : access === 'list' ? [] : ['sys.guard', 'sys.persist']).map(
      (name) => ({ name }),
    ),
  ];
}

/** Describes a search as the search program does, without running it. */
async function ofSearch(
  { path, isIgnoring, globs = [], type = null, inFolder }: Extract<Use, { kind: 'search' }>,
  place: Place,
): Promise<readonly Capability[]> {
  const named = pathsOf(path, place);
  const paths = inFolder === true ? named.flatMap(foldersAt) : named;
  if (!paths.every((each) => each !== null)) return ofAnyFile('read', {});
  const types = type === null ? [] : ['-t', type];
  const options = [
    ...(isIgnoring ? [] : ['--no-ignore']),
    ...types,
    ...globs.flatMap((glob) => ['-g', glob]),
  ];
  const command = ['rg', '--hidden', ...options, '-e', 'x', '--', ...paths].map(shellWord).join(' ');
  const found = await ofCommand({ kind: 'shell', command }, place);
  return found.filter(({ name }) => name !== 'proc.exec');
}

/** The folder itself; of anything else, the folders of its name and of the file behind it. */
function foldersAt(path: string | null): readonly (string | null)[] {
  if (path === null || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return [path];
  return [...new Set([path, orNull(() => realpathSync.native(path)) ?? path].map((each) => dirname(each)))];
}

function ofUrl(url: string | null): readonly Capability[] {
  const parsed = url === null || !URL.canParse(url) ? null : new URL(url);
  if (parsed === null) return hostCapabilities(null, {});
  const scheme = parsed.protocol.slice(0, -1);
  const port = parsed.port === '' ? { http: 80, https: 443 }[scheme] : Number(parsed.port);
  return hostCapabilities(parsed.hostname, {
    ...(port === undefined ? {} : { port }),
    scheme,
    method: 'GET',
    // In the one form that rules are compared with.
    url: readTarget(parsed.href).target?.url ?? parsed.href,
  });
}

/** The text in the grammar of names: lower-case letters, digits, hyphens and underscores, a letter first. */
function simpleName(name: string): string {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+/, '');
  return plain === '' ? 'tool' : plain.slice(0, 80);
}
