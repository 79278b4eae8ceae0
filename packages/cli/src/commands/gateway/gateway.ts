import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRegular } from '@ambit/audit';
import { hyphenated, isNonEmpty, messageOf, type NonEmpty, printableLines, stated } from '@ambit/core';
import { GatewayError, listenGateway, type NamedServer, readServersFile, runGateway } from '@ambit/gateway';
import { type Diagnostic, formatDiagnostics } from '@ambit/policy';
import { largestFile } from '@ambit/policy/yaml';
import { readCarriesFile } from '@ambit/runtime';
import { UnloadableError, UnusableError, whyUnusable } from '../../failure.js';
import { type Host, write } from '../../host.js';
import type { OptionsOf } from '../table/table.js';

export async function gateway(
  host: Host,
  command: readonly string[],
  options: OptionsOf<'gateway'>,
): Promise<void> {
  const listening = listeningIn(host, options);
  const servers = await serversIn(host, command, options);
  const ending = new AbortController();
  const stop = host.onInterrupt(() => ending.abort());
  const say = (line: string) => void write(host.stderr, `ambit: ${printableLines(line)}\n`);
  try {
    const upstream = {
      servers,
      policies: options.policy.map((file) => resolve(host.folder, file)),
      root: resolve(host.folder, options.root ?? '.'),
      agent: options.as,
      hold: options.hold === false ? 0 : options.hold * 1000,
      environment: host.environment,
      say,
      signal: ending.signal,
    };
    if (listening === null) await runGateway({ ...upstream, stdin: host.stdin, stdout: host.stdout });
    else await listenGateway({ ...upstream, ...listening, ready: (url) => say(`listening at ${url}`) });
  } catch (error) {
    const isStart = error instanceof GatewayError;
    throw new UnusableError(`${isStart ? 'the server was not started: ' : ''}${messageOf(error)}`);
  } finally {
    stop();
  }
}

/** Null for standard input and output. */
function listeningIn(host: Host, { listen, token, issuer, scope, resource }: OptionsOf<'gateway'>) {
  if (listen === undefined) {
    const given = flagIn({ token, issuer, scope, resource });
    if (given !== null) throw new UnusableError(`${given} goes with --listen`);
    return null;
  }
  const [, name, ipv6, port] = /^(?:([A-Za-z0-9.-]+)|\[([0-9a-f:]+)\]):(\d{1,5})$/.exec(listen) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UnusableError(`\`${listen}\` is not HOST:PORT`, 'for example: --listen 127.0.0.1:8080');
  if (scope !== undefined && issuer === undefined) throw new UnusableError('--scope goes with --issuer');
  const odd = Object.entries({ issuer, resource }).find(([, url]) => url !== undefined && !isWeb(url));
  if (odd !== undefined)
    throw new UnusableError(
      `--${odd[0]} must be an \`http:\` or \`https:\` URL: \`${odd[1]}\``,
      `for example: --${odd[0]} https://${odd[0] === 'issuer' ? 'login.example.com' : 'tools.example.com/mcp'}`,
    );
  const bearer = token === undefined ? undefined : variable(host, '--token', token);
  const access = stated({ token: bearer, issuer, scope });
  return { host: name ?? ipv6 ?? '', port: Number(port), access, ...stated({ resource }) };
}

/** The one server of the command line, or those of a file. */
async function serversIn(
  host: Host,
  command: readonly string[],
  options: OptionsOf<'gateway'>,
): Promise<NonEmpty<NamedServer>> {
  const { config, name, env, trusted, carries, url, isolate, write, network, ...others } = options;
  if (config === undefined) return [await oneServer(host, command, options)];
  const { host: reached, serverToken, startTimeout } = others;
  const first = { name, env, trusted, carries, url, isolate, write, network, host: reached };
  const given = flagIn({ ...first, serverToken, startTimeout });
  if (given !== null || command.length > 0)
    throw new UnusableError(
      given === null
        ? 'COMMAND starts one server, and --config names several: not both'
        : `${given} is for one server, and --config names several`,
      'put it under the server in the file',
    );
  const read = (path: string, bytes: Uint8Array) => readServersFile(path, bytes, host.environment);
  const { servers } = await readWith(read, resolve(host.folder, config), 'the list of servers');
  if (!isNonEmpty(servers)) throw new UnusableError(`${config} names no server`);
  return servers;
}

/** The flag of the first of these options that was given; null for none. */
function flagIn(options: Readonly<Record<string, unknown>>): string | null {
  const [name] = Object.entries(options).find(([, value]) => [value].flat()[0] !== undefined) ?? [];
  return name === undefined ? null : `--${hyphenated(name)}`;
}

async function oneServer(
  host: Host,
  command: readonly string[],
  options: OptionsOf<'gateway'>,
): Promise<NamedServer> {
  const started = serverIn(host, command, options);
  const { name, carries: map, startTimeout: start } = options;
  const unset = options.env.find((name) => host.environment[name] === undefined);
  if (unset !== undefined) throw new UnusableError(`the variable ${unset} of --env is not set`);
  const isolation = await isolationIn(host, options);
  const limits = start === undefined ? undefined : { start: start * 1000 };
  return {
    ...stated({ isolation, name, limits }),
    command: started,
    folder: await realpath(host.folder),
    environment: Object.fromEntries(options.env.map((name) => [name, host.environment[name] ?? ''])),
    trusted: options.trusted === true,
    carries:
      map === undefined
        ? {}
        : (await readWith(readCarriesFile, resolve(host.folder, map), 'the map')).carries,
  };
}

/** Undefined if the server is not confined. */
async function isolationIn(
  host: Host,
  { isolate, write: folders, network, host: hosts, url }: OptionsOf<'gateway'>,
): Promise<NamedServer['isolation']> {
  if (isolate !== true) {
    const given = flagIn({ network, write: folders, host: hosts });
    if (given === null) return undefined;
    throw new UnusableError(`${given} requires --isolate`);
  }
  if (url !== undefined)
    throw new UnusableError('--isolate is for a COMMAND: a server at --url runs elsewhere');
  const real = folders.map((folder) =>
    realpath(resolve(host.folder, folder)).catch((error: unknown) => {
      throw new UnusableError(`the folder of --write cannot be used: ${folder}: ${whyUnusable(error)}`);
    }),
  );
  return { writes: await Promise.all(real), network: network === true, hosts };
}

/** Throws all mistakes of the file. */
async function readWith<T extends { readonly diagnostics: readonly Diagnostic[] }>(
  read: (file: string, bytes: Uint8Array) => T,
  file: string,
  what: string,
): Promise<T> {
  const bytes = await readRegular(file, largestFile + 1).catch((error: unknown) => {
    throw new UnusableError(
      `${what} ${file} cannot be read: ${whyUnusable(error)}`,
      'give a file that you may read',
    );
  });
  const found = read(file, bytes);
  const { diagnostics } = found;
  if (isNonEmpty(diagnostics)) throw new UnloadableError(diagnostics, [formatDiagnostics(diagnostics)]);
  return found;
}

function serverIn(
  host: Host,
  [program, ...args]: readonly string[],
  { url, serverToken }: OptionsOf<'gateway'>,
): NamedServer['command'] {
  if (url === undefined && program !== undefined && serverToken === undefined) return [program, ...args];
  if (url === undefined)
    throw new UnusableError(
      'no server is named',
      `put the server’s command after \`--\`: ${host.program} gateway -- npx some-server`,
    );
  if (program !== undefined)
    throw new UnusableError(
      'the server is at --url, or COMMAND starts it: not both',
      'leave out one of them',
    );
  if (!isWeb(url))
    throw new UnusableError('--url must be an `http:` or `https:` URL', '--url https://tools.example/mcp');
  if (new URL(url).username !== '' || new URL(url).password !== '')
    throw new UnusableError('--url must not hold credentials', 'name a variable with --server-token');
  const bearer = serverToken === undefined ? null : variable(host, '--server-token', serverToken);
  return { transport: 'http', url, headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` } };
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

export function variable(host: Host, flag: string, name: string): string {
  const value = host.environment[name];
  if (value === undefined || value === '')
    throw new UnusableError(`the variable ${name} of ${flag} is not set`);
  return value;
}
