import { resolve } from 'node:path';
import { messageOf, printableLines, stated } from '@ambit/core';
import { GatewayError, listenGateway, runGateway } from '@ambit/gateway';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { type ServerOptions, serversIn, variable } from './servers.js';

interface GatewayOptions extends ServerOptions {
  readonly policy: readonly string[];
  readonly as: string;
  readonly root?: string;
  readonly hold: number | false;
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
    return exits.done;
  } catch (error) {
    const isStart = error instanceof GatewayError;
    throw new UnusableError(`${isStart ? 'the server was not started: ' : ''}${messageOf(error)}`);
  } finally {
    stop();
  }
}

/** Null for standard input and output. */
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
  const bearer = token === undefined ? undefined : variable(host, '--token', token);
  const access = stated({ token: bearer, issuer, scope });
  return { host: name ?? ipv6 ?? '', port: Number(port), access, ...stated({ resource }) };
}
