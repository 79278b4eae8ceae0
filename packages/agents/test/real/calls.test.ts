import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../src/clients/clients.js';
import { type ClientName, clientNames } from '../../src/index.js';
import { type Call, callsOf, policyFor, reasons } from './calls.js';
import { type Driven, programs, RealPlace, startPages, tinyServer } from './real-client.js';

const turn = (call: Call) => ({ tools: [call] });

/** Turns for the agent and for its sub-agent, in whose request the text `[[sub]]` is. */
function scriptOf(client: ClientName, main: readonly Call[], sub: readonly unknown[]): object {
  const turns = [...main.map(turn), 'done'];
  if (client !== 'codex') return { turns, by_marker: { sub } };
  // Codex goes on while a sub-agent works, so it has to wait for the very one that it started.
  const script = (request: {
    readonly items: readonly { readonly role?: string }[];
    readonly turn: number;
  }) => {
    const said = JSON.stringify(request.items);
    const asked = JSON.stringify(request.items.filter(({ role }) => role === 'user'));
    if (asked.includes('[[sub]]')) return sub[request.turn] ?? 'done';
    const [, agent] = /agent_id\\*":\\*"([0-9a-f-]+)/.exec(said) ?? [];
    if (agent === undefined || request.turn !== main.length) return turns[request.turn] ?? 'done';
    const input = { targets: [agent], timeout_ms: 120_000 };
    return { tools: [{ name: 'wait_agent', namespace: 'multi_agent_v1', input }] };
  };
  return script;
}

/** The arguments of each tool that the client offered to the model. */
function offeredIn({ requests }: Driven): ReadonlyMap<string, readonly string[]> {
  interface Offered {
    readonly name: string;
    readonly function?: Offered;
    readonly functionDeclarations?: readonly Offered[];
    readonly input_schema?: { readonly properties?: object };
    readonly parameters?: { readonly properties?: object };
    readonly parametersJsonSchema?: { readonly properties?: object };
  }
  const tools = requests
    .flatMap(({ body }) => (body?.tools ?? []) as readonly Offered[])
    .flatMap((each) => each.functionDeclarations ?? [each.function ?? each]);
  return new Map(
    tools.map((each) => {
      const { properties = {} } = each.input_schema ?? each.parameters ?? each.parametersJsonSchema ?? {};
      return [each.name, Object.keys(properties)];
    }),
  );
}

/** Arguments that stay unknown, so that a call with them carries `tool.call`. */
const leftOut: readonly string[] = ['Bash dangerouslyDisableSandbox'];

describe('calls of each kind in a real client', () => {
  for (const client of clientNames)
    it.skipIf(!programs.has(client))(`${client} runs exactly the permitted ones`, async () => {
      const { url, port, visited } = await startPages();
      const place = new RealPlace(policyFor(port));
      const { blocked, permitted, asked, inner, last, made } = callsOf(client, url);
      const driven = await place.drive(client, {
        files: { 'hidden.txt': 'the hidden text' },
        mcp: tinyServer,
        script: scriptOf(client, [asked, ...blocked, ...permitted], [...inner.map(turn), ...last]),
        ...(client === 'codex' ? { args: ['-m', 'gpt-5.5'] } : {}),
      });
      expect(readdirSync(driven.proj).filter((name) => /^(?:made|asked)-/.test(name))).toEqual([]);
      expect(readdirSync(join(driven.proj, 'out')).sort()).toEqual(made);
      expect(visited).not.toContain('/far');
      expect(JSON.stringify(driven.requests)).not.toContain('the hidden text');
      const told = driven.results.map(({ text }) => text).join('\n');
      const { web, ...local } = reasons;
      for (const reason of client === 'codex' ? Object.values(local) : [...Object.values(local), web])
        expect(told).toContain(reason);
      expect(told).toContain('echo:hi');
      expect(told).toContain('needs approval');
      const decided = (await place.decisions(client)).map(({ decision }) => decision);
      expect(decided.filter((each) => each === 'blocked')).toHaveLength(blocked.length + 1);
      expect(decided.filter((each) => each === 'needs_approval')).toHaveLength(1);
      expect(decided.filter((each) => each === 'pre_approved')).toHaveLength(
        decided.length - blocked.length - 2,
      );
      const unknown = [...offeredIn(driven)].flatMap(([name, args]) => {
        const known = clientOf(client).tools.get(name)?.known ?? args;
        return args.filter((arg) => !known.includes(arg)).map((arg) => `${name} ${arg}`);
      });
      expect(unknown.filter((each) => !leftOut.includes(each))).toEqual([]);
    });
});
