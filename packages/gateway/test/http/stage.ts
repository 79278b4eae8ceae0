import { request } from 'node:http';
import { join } from 'node:path';
import {
  Client as StatelessClient,
  StreamableHTTPClientTransport as StatelessTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { type ListenOptions, listenGateway } from '../../src/http/listen.js';
import { createWorld, patient, type World } from '../world.js';

const start = `
  proc.exec: pre_approved
  proc.exec.opaque: pre_approved
  code.load: pre_approved
  net.connect: pre_approved
  net.connect.private: pre_approved
  fs.read: pre_approved
  fs.read.outside: pre_approved
  content.untrusted: pre_approved
  secret.use: pre_approved
  env.set: pre_approved`;

export const echoOnly = '  mcp.call: { decision: pre_approved, match: { tool: echo } }\n';
export const asks = '  mcp.call: needs_approval\n';

export interface Listening {
  readonly url: string;
  readonly world: World;
  /** Calls of the tool that reached the server. */
  readonly calls: () => readonly string[];
  readonly post: (message: unknown, headers?: Record<string, string>) => Promise<Posted>;
  readonly end: () => Promise<void>;
}

export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The last message of the answer. */
  readonly message: { readonly result?: Record<string, unknown>; readonly error?: { readonly code: number } };
}

/** A gateway over HTTP, on a port of the system's choice. `command`: of another server, with the file for what it is asked. */
export async function listening(
  rules: string,
  more: Partial<ListenOptions> = {},
  mode = 'good',
  command?: (record: string) => readonly [string, ...string[]],
): Promise<Listening> {
  const world = createWorld(`version: 1\ndefault: blocked\ncapabilities:${start}\n${rules}`);
  const ending = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const usual = world.options(mode, ending.signal);
  const [server] = usual.servers;
  const given = command?.(join(world.folder, 'asked')) ?? server.command;
  const url = new Promise<string>((ready, reject) => {
    ended = listenGateway({
      ...usual,
      servers: [{ ...server, ...(given && { command: given }) }],
      host: '127.0.0.1',
      port: 0,
      access: {},
      ready,
      ...more,
    });
    ended.catch(reject);
  });
  const end = async () => {
    ending.abort();
    await ended;
  };
  onTestFinished(() => end().catch(() => undefined));
  const at = await url;
  return {
    url: at,
    world,
    calls: () => world.asked().filter((line) => line.startsWith('tools/call')),
    post: (message, headers) => posted(at, message, headers),
    end,
  };
}

/** Sends a body as it is, or a message as JSON, with headers that browsers would not send. */
export function posted(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Posted> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return new Promise((resolve, reject) => {
    const { method = 'POST', ...rest } = headers;
    const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const sent = request(url, { method, headers: { ...usual, ...rest } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.once('close', () => reject(new Error('the connection ended before the answer')));
      response.on('end', () => {
        const lines = text.split('\n').filter((line) => /^(?:data: )?\{/.test(line));
        const last = lines.at(-1)?.replace(/^data: /, '') ?? '{}';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          message: JSON.parse(last),
        });
      });
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

export const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** A request of the stateless revision, with the headers that belong to it. */
export function stateless(
  message: { method: string; params: Record<string, unknown> },
  capabilities: object = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  };
  const { name } = message.params;
  const headers: Record<string, string> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
  return [
    { jsonrpc: '2.0', id: 1, ...message, params: { ...message.params, _meta: meta } },
    headers,
  ] as const;
}

type Answer = (message: string) => object;

/** A client of the revisions with sessions. */
export async function sessionClient(url: string, answer?: Answer, token?: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message) as never);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await patient(client).connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

/** A client of the stateless revision; `sample` answers for its model. */
export async function statelessClient(
  url: string,
  answer?: Answer,
  sample?: () => object,
): Promise<StatelessClient> {
  const client = new StatelessClient(
    { name: 'test', version: '1' },
    {
      capabilities: { ...(answer && { elicitation: {} }), ...(sample && { sampling: {} }) },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message) as never);
  if (sample !== undefined) client.setRequestHandler('sampling/createMessage', () => sample() as never);
  await client.connect(new StatelessTransport(new URL(url)));
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

export const textOf = (result: object) =>
  (result as { content?: { text: string }[] }).content?.[0]?.text ?? JSON.stringify(result);
