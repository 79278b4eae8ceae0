import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoredPlace } from '../store/stored.js';

const program = fileURLToPath(new URL('../../../dist/launch.cjs', import.meta.url));
const server = fileURLToPath(new URL('../../../../gateway/test/servers/server.mjs', import.meta.url));
const policy = `version: 1
default: needs_approval
capabilities:
  proc.exec: pre_approved
  proc.exec.opaque: pre_approved
  code.load: pre_approved
  fs.read: pre_approved
  fs.read.outside: pre_approved
  content.untrusted: pre_approved
  mcp.call:
    - { id: echoes, decision: pre_approved, match: { tool: echo } }
    - { id: resources, decision: blocked, match: { tool: resources/read } }
`;

const person = userInfo().username;
const place = new StoredPlace();
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

/** A client of a gateway of its own; null where its user cannot be asked. */
async function connected(answers: string[] | null, ...options: readonly string[]): Promise<Client> {
  const capabilities = answers === null ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (answers !== null)
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { decision: answers.shift() ?? 'deny' },
    }));
  const own = [...options, '--name', 'test', '--', process.execPath, server];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'gateway', ...own],
      cwd: place.root,
      env: { ...place.environment, PATH: process.env.PATH ?? '' },
      stderr: 'ignore',
    }),
  );
  return client;
}

const danger = (client: Client, text: string) =>
  client.callTool({ name: 'danger.run', arguments: { text } }, undefined, { timeout: 120_000 });

/** Approves the question that waits, once there is one, as a person. */
async function approve(): Promise<void> {
  for (;;) {
    const all = await place.read((store) => store.questions());
    const waiting = all.find(({ state }) => state === 'waiting');
    if (waiting === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    else {
      expect(await place.ambit('approvals', 'approve', waiting.question.id)).toMatchObject({ exit: 0 });
      return;
    }
  }
}

describe('the log of a gateway', () => {
  let logs: readonly string[] = [];

  beforeAll(async () => {
    writeFileSync(join(place.root, 'mcp.yaml'), policy);
    const refused = async (asked: Promise<unknown>) => expect(await asked.catch(() => null)).toBe(null);
    const known = new Set<string>();
    const made = () => {
      const state = join(place.folder, 'state', 'log');
      const all = readdirSync(state, { recursive: true, encoding: 'utf8' });
      const [file = ''] = all.filter((name) => name.endsWith('.jsonl') && !known.has(name));
      known.add(file);
      return join(state, file);
    };
    const asking = await connected(['approve', 'deny'], '--policy', 'mcp.yaml');
    await asking.callTool({ name: 'echo', arguments: { text: 'hi' } });
    await asking.getPrompt({ name: 'p', arguments: { a: '1' } });
    await refused(asking.getPrompt({ name: 'p', arguments: { a: '2' } }));
    await refused(asking.readResource({ uri: 'made://x/1' }));
    await asking.close();
    const first = made();
    const held = await connected(null, '--policy', 'mcp.yaml');
    for (const text of ['one', 'two']) {
      const [result] = await Promise.all([danger(held, text), approve()]);
      expect(result).toMatchObject({ content: [{ text: `echo:${text}` }] });
    }
    await held.close();
    logs = [first, made()];
  });

  const read = async (...argv: readonly string[]) => {
    const { exit, out, err } = await place.ambit(...argv, ...logs);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    return out;
  };

  it('verifies', async () => {
    const entries = (await read('log', 'verify')).match(/verified, \d+ entries of run gateway-/g);
    expect(entries).toEqual(Array(2).fill('verified, 14 entries of run gateway-'));
  });

  it('answers queries about questions, approvers and outcomes', async () => {
    const columns = (out: string) =>
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('  ').slice(3));
    const made = `default of ${join(place.root, 'mcp.yaml')}`;
    const asked = (what: string, ...then: readonly string[]) => [what, 'needs_approval', made, ...then];
    const danger = 'mcp-test.danger.run danger.run';
    expect(columns(await read('log', 'query', '--capability', 'mcp.call'))).toEqual([
      ['mcp-test.echo echo', 'pre_approved', 'echoes, capabilities.content.untrusted', 'completed'],
      asked('gateway.get_prompt prompts/get', 'approved by client gateway', 'completed'),
      asked('gateway.get_prompt prompts/get', 'not approved by client gateway', 'denied'),
      ['gateway.read_resource resources/read', 'blocked', 'resources', 'blocked'],
      ...[0, 1].flatMap(() => [
        asked(danger, 'unanswered'),
        asked(danger, `approved by person ${person}`, 'completed'),
      ]),
    ]);
    expect((await read('log', 'query', '--outcome', 'denied')).split('\n')).toHaveLength(2);
  });

  it('is counted by `stats`', async () => {
    const { calls, runs, decisions, tools, people } = JSON.parse(await read('log', 'stats', '--json'));
    expect({ calls, runs, decisions, tools, people }).toEqual({
      calls: 10,
      runs: 2,
      decisions: [
        { name: 'needs_approval', count: 6 },
        { name: 'pre_approved', count: 3 },
        { name: 'blocked', count: 1 },
      ],
      tools: [
        { name: 'mcp-test.danger.run', count: 4 },
        { name: 'gateway.get_prompt', count: 2 },
        { name: 'toolset.start', count: 2 },
        { name: 'gateway.read_resource', count: 1 },
        { name: 'mcp-test.echo', count: 1 },
      ],
      people: [{ person, approved: 2, refused: 0 }],
    });
  });

  it('is judged again by `replay`, under its own policy and another one', async () => {
    const replayed = (file: string) => read('replay', '--policy', file);
    expect(await replayed('mcp.yaml')).toContain('10 calls judged again: 10 the same, 0 looser');
    const other = policy.replace('echoes, decision: pre_approved', 'echoes, decision: blocked');
    writeFileSync(
      join(place.root, 'other.yaml'),
      other.replace('resources, decision: blocked', 'resources, decision: pre_approved'),
    );
    expect(
      (await replayed('other.yaml')).replace(/gw-[0-9a-f]+/g, 'ID').replace(/of \S+\.jsonl/g, 'of LOG'),
    ).toBe(`10 calls judged again: 8 the same, 1 looser, 1 stricter, 0 unknown

  from pre_approved to blocked: 1
  from blocked to pre_approved: 1

1 decision: from pre_approved to blocked
  mcp-test.echo (content.untrusted, mcp.call)
  because of echoes
  for example entry 4 of LOG, call ID

1 decision: from blocked to pre_approved
  gateway.read_resource (content.untrusted, mcp.call)
  because of resources
  because of capabilities.content.untrusted
  for example entry 12 of LOG, call ID
`);
  });

  it('becomes a page with `report`', async () => {
    const page = join(place.root, 'report.html');
    await read('report', '--out', page);
    const text = readFileSync(page, 'utf8');
    for (const said of ['mcp-test.danger.run', 'gateway.get_prompt', 'gateway.read_resource'])
      expect(text).toContain(said);
  });

  it('lets `learn` use answers of people, and not of clients; the next call is not held', async () => {
    writeFileSync(join(place.root, 'learnt.yaml'), policy);
    const learnt = await read('learn', '--policy', 'learnt.yaml', '--write');
    expect(learnt).toContain('1 rule would have answered 2 of 2 approvals by people\n');
    expect(learnt).toContain('+          when: { "==": [{ var: tool }, mcp-test.danger.run] }\n');
    expect(await read('replay', '--policy', 'learnt.yaml')).toContain('6 the same, 4 looser, 0 stricter');
    const client = await connected(null, '--policy', 'learnt.yaml', '--no-hold');
    expect(await danger(client, 'three')).toMatchObject({ content: [{ text: 'echo:three' }] });
    await expect(client.getPrompt({ name: 'p' })).rejects.toThrow('needs approval');
    await client.close();
  });
});
