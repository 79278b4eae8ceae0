import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CreateMessageRequest,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { runGateway } from '../src/gateway.js';
import type { UpstreamOptions } from '../src/servers/open-upstream.js';
import type { NamedServer } from '../src/upstream/server-of.js';

const script = new URL('servers/server.mjs', import.meta.url).pathname;

const start = `
  proc.exec: pre_approved
  proc.exec.opaque: pre_approved
  code.load: pre_approved
  fs.read: pre_approved
  fs.read.outside: pre_approved
  content.untrusted: pre_approved
  env.set: pre_approved`;

/** A policy that lets the server start and read files, with these rules besides. */
export const policyOf = (rules: string) => `version: 1\ndefault: blocked\ncapabilities:${start}\n${rules}`;

export interface World {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the server was asked, a line each. */
  readonly asked: () => readonly string[];
  /** All events of all logs. */
  readonly log: () => readonly Record<string, unknown>[];
  /** The text that describes the tool `echo` from now on. */
  readonly describeEcho: (text: string) => void;
  /** Of a gateway before the tricky server, in one of its modes. */
  readonly options: (mode: string, signal: AbortSignal) => UpstreamOptions & { readonly said: string[] };
  /** A server with this name in one of its modes. */
  readonly serverAt: (name: string, mode: string) => NamedServer;
  readonly open: (
    mode?: string,
    answer?: Answer | Answers,
    more?: Partial<NamedServer> | readonly NamedServer[],
  ) => Promise<Opened>;
}

type Answer = (message: string) => unknown;

/** What the client answers to the gateway and to servers, by the method; it declares no other. */
export interface Answers {
  readonly elicit?: Answer;
  readonly sample?: (params: CreateMessageRequest['params']) => unknown;
}

export interface Opened {
  readonly client: Client;
  readonly said: readonly string[];
  readonly close: () => Promise<void>;
  /** Resolves when the gateway has ended. */
  readonly ended: Promise<void>;
}

/** A world until the test ends, with everything in it. `hold`: milliseconds for which calls wait for a person. */
export function createWorld(policy: string, hold = 0): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string) => join(folder, name);
  writeFileSync(place('policy.yaml'), policy);
  writeFileSync(place('asked'), '');
  const environment = { HOME: folder, AMBIT_HOME: place('state'), PATH: process.env.PATH ?? '' };
  const serverAt = (name: string, mode: string): NamedServer => ({
    name,
    command: [process.execPath, script, mode, place('asked'), place('echo.txt')],
    folder,
    environment: {},
    trusted: false,
  });
  const options = (mode: string, signal: AbortSignal) => {
    const said: string[] = [];
    return {
      servers: [serverAt('tricky', mode)] as [NamedServer],
      policies: [place('policy.yaml')],
      root: folder,
      agent: 'tester',
      hold,
      environment,
      said,
      say: (line: string) => void said.push(line),
      signal,
    };
  };
  return {
    folder,
    environment,
    options,
    serverAt,
    asked: () => readFileSync(place('asked'), 'utf8').split('\n').filter(Boolean),
    log: () => logsIn(place('state')),
    describeEcho: (text) => writeFileSync(place('echo.txt'), text),
    async open(mode = 'good', answer = {}, more = {}) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const ending = new AbortController();
      const given = options(mode, ending.signal);
      const { said } = given;
      const [server] = given.servers;
      const [first = {}, ...others] = Array.isArray(more) ? more : [more];
      const servers: UpstreamOptions['servers'] = [{ ...server, ...first }, ...(others as NamedServer[])];
      const ended = runGateway({ ...given, servers, stdin: input, stdout: output });
      const { elicit, sample } =
        typeof answer === 'function' ? { elicit: answer, sample: undefined } : answer;
      const capabilities = { ...(elicit && { elicitation: {} }), ...(sample && { sampling: {} }) };
      const client = new Client({ name: 'test', version: '1' }, { capabilities });
      if (elicit !== undefined)
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.message) as never);
      if (sample !== undefined)
        client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params) as never);
      const close = async () => {
        input.end();
        await ended;
      };
      onTestFinished(() => close().catch(() => undefined));
      await Promise.race([
        patient(client).connect(over(input, output)),
        ended.then(() => Promise.reject(new Error('it ended'))),
      ]);
      return { client, said, close, ended };
    },
  };
}

/** The client, with a time limit that no busy machine reaches. */
export function patient(client: Client): Client {
  const request = client.request.bind(client);
  client.request = (asked, schema, options) => request(asked, schema, { timeout: 600_000, ...options });
  return client;
}

function logsIn(state: string): readonly Record<string, unknown>[] {
  const list = readTree(join(state, 'log'));
  return list
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function over(input: PassThrough, output: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message as JSONRPCMessage);
      });
      output.on('end', () => transport.onclose?.());
    },
    async send(message) {
      // A request that nobody answers is cancelled after a minute, perhaps during another test.
      if (!input.writableEnded) input.write(serializeMessage(message));
    },
    async close() {
      input.end();
    },
  };
  return transport;
}

function readTree(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
