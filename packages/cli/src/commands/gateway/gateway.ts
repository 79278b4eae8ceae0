import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printableLines } from '@ambit/core';
import { GatewayError, runGateway } from '@ambit/gateway';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';

interface GatewayOptions {
  readonly policy: readonly string[];
  readonly name?: string;
  readonly as: string;
  readonly root?: string;
  readonly env: readonly string[];
  readonly trusted?: boolean;
}

export async function gateway(
  host: Host,
  [program, ...args]: readonly string[],
  options: GatewayOptions,
): Promise<Exit> {
  if (program === undefined)
    throw new UnusableError(
      'no server is named',
      `put the server’s command after \`--\`: ${host.program} gateway -- npx some-server`,
    );
  const unset = options.env.find((name) => host.environment[name] === undefined);
  if (unset !== undefined) throw new UnusableError(`the variable ${unset} of --env is not set`);
  const ending = new AbortController();
  const stop = host.onInterrupt(() => ending.abort());
  try {
    await runGateway({
      server: {
        ...(options.name === undefined ? {} : { name: options.name }),
        command: [program, ...args],
        folder: await realpath(host.folder),
        environment: Object.fromEntries(options.env.map((name) => [name, host.environment[name] ?? ''])),
        trusted: options.trusted === true,
      },
      policies: options.policy.map((file) => resolve(host.folder, file)),
      root: resolve(host.folder, options.root ?? '.'),
      agent: options.as,
      environment: host.environment,
      stdin: host.stdin,
      stdout: host.stdout,
      say: (line) => void write(host.stderr, `ambit: ${printableLines(line)}\n`),
      signal: ending.signal,
    });
    return exits.done;
  } catch (error) {
    if (error instanceof GatewayError)
      throw new UnusableError(`the server was not started: ${error.message}`);
    throw new UnusableError(error instanceof Error ? error.message : String(error));
  } finally {
    stop();
  }
}
