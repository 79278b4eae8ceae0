import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRegular } from '@ambit/audit';
import { messageOf, printableLines } from '@ambit/core';
import { GatewayError, listenGateway, type NamedServer, runGateway } from '@ambit/gateway';
import { formatDiagnostic } from '@ambit/policy';
import { largestFile } from '@ambit/policy/yaml';
import { readCarriesFile } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';

interface GatewayOptions {
  readonly policy: readonly string[];
  readonly name?: string;
  readonly as: string;
  readonly root?: string;
  readonly env: readonly string[];
  readonly trusted?: boolean;
  readonly carries?: string;
  readonly url?: string;
  readonly serverToken?: string;
  readonly listen?: string;
  readonly token?: string;
  readonly issuer?: string;
  readonly scope?: string;
  readonly resource?: string;
}

export async function gateway(
  host: Host,
  command: readonly string[],
  options: GatewayOptions,
): Promise<Exit> {
  const started = serverIn(host, command, options);
  const listening = listeningIn(host, options);
  const unset = options.env.find((name) => host.environment[name] === undefined);
  if (unset !== undefined) throw new UnusableError(`the variable ${unset} of --env is not set`);
  const carries = options.carries === undefined ? {} : await carriesIn(resolve(host.folder, options.carries));
  const ending = new AbortController();
  const stop = host.onInterrupt(() => ending.abort());
  const say = (line: string) => void write(host.stderr, `ambit: ${printableLines(line)}\n`);
  try {
    const upstream = {
      server: {
        ...(options.name === undefined ? {} : { name: options.name }),
        command: started,
        folder: await realpath(host.folder),
        environment: Object.fromEntries(options.env.map((name) => [name, host.environment[name] ?? ''])),
        trusted: options.trusted === true,
        carries,
      },
      policies: options.policy.map((file) => resolve(host.folder, file)),
      root: resolve(host.folder, options.root ?? '.'),
      agent: options.as,
      environment: host.environment,
      say,
      signal: ending.signal,
    };
    if (listening === null) await runGateway({ ...upstream, stdin: host.stdin, stdout: host.stdout });
    else await listenGateway({ ...upstream, ...listening, ready: (url) => say(`listening at ${url}`) });
    return exits.done;
  } catch (error) {
    if (error instanceof GatewayError)
      throw new UnusableError(`the server was not started: ${error.message}`);
    throw new UnusableError(error instanceof Error ? error.message : String(error));
  } finally {
    stop();
  }
}

async function carriesIn(file: string): Promise<ReturnType<typeof readCarriesFile>['carries']> {
  const bytes = await readRegular(file, largestFile + 1).catch((error: unknown) => {
    throw new UnusableError(`the map ${file} cannot be read: ${messageOf(error)}`);
  });
  const { carries, diagnostics } = readCarriesFile(file, bytes);
  if (diagnostics.length > 0)
    throw new UnusableError(diagnostics.map((each) => formatDiagnostic(each)).join('\n'));
  return carries;
}

/** The server as the command line names it: a program, or a URL. */
function serverIn(
  host: Host,
  [program, ...args]: readonly string[],
  { url, serverToken, token }: GatewayOptions,
): NamedServer['command'] {
  if (url === undefined && program !== undefined && serverToken === undefined) return [program, ...args];
  if (url === undefined)
    throw new UnusableError(
      'no server is named',
      `put the server’s command after \`--\`: ${host.program} gateway -- npx some-server`,
    );
  if (program !== undefined)
    throw new UnusableError('the server is at --url, or COMMAND starts it: not both');
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UnusableError('--url is a URL of `http:` or `https:`');
  if (new URL(url).username !== '' || new URL(url).password !== '')
    throw new UnusableError('--url holds no credentials', 'name a variable with --server-token');
  // A token for the gateway is for nobody else.
  if (serverToken !== undefined && serverToken === token)
    throw new UnusableError(
      '--server-token and --token name one variable: give the server a token of its own',
    );
  const bearer = serverToken === undefined ? null : variable(host, '--server-token', serverToken);
  return { transport: 'http', url, headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` } };
}

/** Where to serve over HTTP; null for standard input and output. */
function listeningIn(host: Host, { listen, token, issuer, scope, resource }: GatewayOptions) {
  if (listen === undefined) {
    const given = Object.entries({ token, issuer, scope, resource }).find(([, value]) => value !== undefined);
    if (given !== undefined) throw new UnusableError(`--${given[0]} goes with --listen`);
    return null;
  }
  const [, name, ipv6, port] = /^(?:([A-Za-z0-9.-]+)|\[([0-9a-f:]+)\]):(\d{1,5})$/.exec(listen) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UnusableError(`\`${listen}\` is not HOST:PORT`, 'for example: --listen 127.0.0.1:8080');
  if (scope !== undefined && issuer === undefined) throw new UnusableError('--scope goes with --issuer');
  const access = {
    ...(token !== undefined && { token: variable(host, '--token', token) }),
    ...(issuer !== undefined && { issuer }),
    ...(scope !== undefined && { scope }),
  };
  const place = { host: name ?? ipv6 ?? '', port: Number(port), access };
  return resource === undefined ? place : { ...place, resource };
}

function variable(host: Host, flag: string, name: string): string {
  const value = host.environment[name];
  if (value === undefined || value === '')
    throw new UnusableError(`the variable ${name} of ${flag} is not set`);
  return value;
}
