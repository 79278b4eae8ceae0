import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fromHome, messageOf, ownMember } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import {
  boolean,
  decodeSource,
  diagnosticsOf,
  type Entry,
  expectKind,
  expectKindOrEmpty,
  list,
  type MapNode,
  parseYaml,
  quote,
  type Reporting,
  readKeys,
  reportMissing,
  text,
  that,
  valueIn,
} from '@ambit/policy/yaml';
import { type Environment, homeFolder, mcpKeys, readMcpServer } from '@ambit/runtime';
import type { McpServer } from '@ambit/toolsets';
import { hostIn, type NamedServer, type ServerIsolation, usualLimits } from './server-of.js';

/** One of several servers, with its folder as written and the names of its variables. */
interface ListedServer {
  readonly server: McpServer;
  /** The names of environment variables that it receives. */
  readonly pass: readonly string[];
  /** The variable that contains its bearer token; null for none. */
  readonly token: string | null;
  /** The bounds, with folders as written. */
  readonly isolation: ServerIsolation | null;
}

const serverKeys = [...mcpKeys.filter((key) => key !== 'prefix'), 'pass', 'token', 'isolate'] as const;

const host = that(text, (value) => hostIn(value) !== null, {
  message: (value) => `${quote(value)} is not a host`,
  help: '`api.example.com` or `api.example.com:443`',
});

const least = 'write at least `servers: { NAME: { command: PROGRAM } }`';

/** The servers of a file, or all mistakes in it. Throws if a variable is not set. */
export function readServersFile(
  file: string,
  bytes: Uint8Array,
  environment: Environment,
): { readonly servers: readonly NamedServer[]; readonly diagnostics: readonly Diagnostic[] } {
  const { source, problems } = decodeSource(file, bytes);
  const root = problems.isEmpty ? parseYaml(source.text, problems, { least }) : null;
  const reading = { problems };
  const map = root === null ? undefined : expectKind(root, ['map'], reading);
  const listed = map === undefined ? [] : readServers(map, reading);
  const home = homeFolder(environment);
  const place = (path: string) => resolve(dirname(file), fromHome(path, home));
  const servers = problems.isEmpty
    ? listed.map((each) => namedServerOf(each, { file, place, environment }))
    : [];
  return { servers, diagnostics: diagnosticsOf(problems, source) };
}

interface Place {
  readonly file: string;
  readonly place: (path: string) => string;
  readonly environment: Environment;
}

/** The server with its resolved folder and the values of its variables. */
function namedServerOf(
  { server, pass, token, isolation }: ListedServer,
  { file, place, environment }: Place,
): NamedServer {
  const { program, key, ...rest } = server;
  const common = { ...rest, name: key };
  const valueNamed = (name: string) => {
    const value = ownMember(environment, name);
    if (value === undefined || value === '')
      throw new TypeError(`the variable ${name} of the server ${key} in ${file} is not set`);
    return value;
  };
  if (program.transport === 'http') {
    const bearer = token === null ? {} : { authorization: `Bearer ${valueNamed(token)}` };
    const command = { ...program, headers: { ...program.headers, ...bearer } };
    return { ...common, command, folder: dirname(file), environment: {} };
  }
  const passed = Object.fromEntries(pass.map((name) => [name, valueNamed(name)]));
  const command = fromHome(program.command, homeFolder(environment));
  const own = { folder: place(program.folder), environment: { ...program.environment, ...passed } };
  const realOf = (folder: string) => {
    try {
      return realpathSync(place(folder));
    } catch (error) {
      throw new TypeError(`a folder of \`isolate\` of ${key} in ${file} cannot be used: ${messageOf(error)}`);
    }
  };
  const confined = isolation && { isolation: { ...isolation, writes: isolation.writes.map(realOf) } };
  return { ...common, command: [command, ...program.args], ...own, ...confined };
}

function readServers(map: MapNode, reading: Reporting): readonly ListedServer[] {
  const { servers } = readKeys(map, ['servers'], reading);
  const help = '`servers: { notes: { command: npx, args: [some-server] } }`';
  if (servers === undefined) {
    reportMissing('servers', map, { reading, help });
    return [];
  }
  const entries = expectKind(servers.value, ['map'], reading)?.entries ?? [];
  const alike = new Map<string, string>();
  return entries.flatMap((entry) => {
    const other = alike.get(lookOf(entry.key));
    alike.set(lookOf(entry.key), entry.key);
    if (!/^[a-z][a-z0-9_-]{0,59}$/.test(entry.key) || /__|_$/.test(entry.key) || other !== undefined)
      reading.problems.add('BAD_VALUE', entry.keySpan, {
        message:
          other === undefined
            ? `${quote(entry.key)} is not a name of a server`
            : `${quote(entry.key)} looks like ${quote(other)}`,
        help: 'lower-case letters, digits, `-` and `_`, without `__` and without `_` at the end',
      });
    return readServer(entry, reading);
  });
}

function readServer({ key, value }: Entry, reading: Reporting): readonly ListedServer[] {
  const map = expectKind(value, ['map'], reading);
  if (map === undefined) return [];
  const entries = readKeys(map, serverKeys, reading);
  const { pass, token, isolate } = entries;
  const server = readMcpServer({ key: `mcp-${key}`, map }, entries, reading);
  const misplaced = entries.url === undefined ? token : (pass ?? isolate);
  if (misplaced !== undefined)
    reading.problems.add('MISPLACED_KEY', misplaced.keySpan, {
      message: `\`${misplaced.key}\` has no meaning without \`${misplaced === token ? 'url' : 'command'}\``,
      help: 'take it away',
    });
  const names = valueIn(list(text, { mayBeEmpty: true }), pass, reading) ?? [];
  const variable = valueIn(text, token, reading) ?? null;
  const isolation = isolate === undefined ? null : readIsolation(isolate, reading);
  if (server === null) return [];
  const limits = entries.timeout === undefined ? { ...server.limits, call: usualLimits.call } : server.limits;
  return [{ server: { ...server, limits }, pass: names, token: variable, isolation }];
}

/** The server is confined if the key is present; permissions that it does not list are denied. */
function readIsolation({ value }: Entry, reading: Reporting): ServerIsolation {
  const map = expectKindOrEmpty(value, ['map'], reading);
  const keys = ['write', 'network', 'hosts'] as const;
  const { write, network, hosts } = map === undefined ? {} : readKeys(map, keys, reading);
  return {
    writes: valueIn(list(text, { mayBeEmpty: true }), write, reading) ?? [],
    network: valueIn(boolean, network, reading) ?? false,
    hosts: valueIn(list(host, { mayBeEmpty: true }), hosts, reading) ?? [],
  };
}

/** Names that look alike count as the same name. */
export function lookOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[._:-]+/g, '_')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replaceAll('rn', 'm');
}
