import { describe, expect, it } from 'vitest';
import { type Answers, createWorld, type Opened, policyOf, type World } from './world.js';

const echo = '  mcp.call: { decision: pre_approved, match: { tool: echo } }\n';
const calls = '  mcp.call: pre_approved\n';
const sampling = `${echo}  mcp.call.sampling: pre_approved\n`;
const refusing = `  mcp.call:
    - { decision: pre_approved, match: { tool: echo } }
    - { decision: blocked, match: { tool: sampling/createMessage } }
  mcp.call.sampling: pre_approved
`;

async function opened(rules: string, answers: Answers, hold = 0): Promise<Opened & { readonly at: World }> {
  const at = createWorld(policyOf(rules), hold);
  const each = await at.open('samples', answers);
  return { ...each, at };
}

const content = { type: 'text', text: 'Is it cold?' };
const request = { messages: [{ role: 'user', content }], maxTokens: 9 };
const sampled = { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'm' };
const refused = { code: -1, message: 'the request was refused' };

/** The answer to the server's request to the client's model. */
async function asked({ client }: Opened, params: object = request): Promise<object> {
  const result = await client.callTool({ name: 'echo', arguments: { text: JSON.stringify(params) } });
  const [{ text }] = result.content as [{ text: string }];
  return JSON.parse(text) as object;
}

describe('a sampling request of a server', () => {
  it('is answered if a rule permits it, and is logged with its outcome', async () => {
    const seen: object[] = [];
    const sample = (params: object) => {
      seen.push(params);
      return { ...sampled, more: 1, isError: true };
    };
    const each = await opened(sampling, { sample });
    const more = { includeContext: 'allServers', metadata: { a: 1 }, unknown: 1, systemPrompt: 'Be short.' };
    expect(await asked(each, { ...request, ...more })).toEqual(sampled);
    expect(seen).toEqual([{ ...request, systemPrompt: 'Be short.' }]);
    await each.close();
    const events = each.at.log();
    const decision = events.find(({ tool, event }) => event === 'decision' && tool === 'gateway.sample');
    expect(decision).toMatchObject({ decision: 'pre_approved', args: { server: 'tricky' } });
    const outcome = events.find(({ event, call }) => event === 'outcome' && call === decision?.call);
    expect(outcome?.outcome).toBe('completed');
  });

  it.each([
    ['all calls are permitted', calls],
    ['no rule mentions it', echo],
    ['a rule for all calls blocks it', refusing],
  ])('is refused without a reason if %s', async (_, rules) => {
    const seen: object[] = [];
    const each = await opened(rules, { sample: (params) => seen.push(params) });
    expect(await asked(each)).toEqual(refused);
    expect(seen).toEqual([]);
  });

  it.each(['pre_approved', 'needs_approval'])('is refused if only the default permits it: %s', async (by) => {
    const seen: object[] = [];
    const at = createWorld(policyOf(echo).replace('default: blocked', `default: ${by}`), 0);
    const elicit = () => ({ action: 'accept', content: { decision: 'approve' } });
    const each = await at.open('samples', { elicit, sample: (params) => seen.push(params) });
    expect(await asked(each)).toEqual(refused);
    expect(seen).toEqual([]);
  });

  it('is refused without a judgement if the client has no model, or none with tools', async () => {
    const without = await opened(sampling, {});
    expect(await asked(without)).toEqual(refused);
    const sample = () => sampled;
    const plain = await opened(sampling, { sample });
    const tools = [{ name: 't', inputSchema: { type: 'object' } }];
    expect(await asked(plain, { ...request, tools })).toEqual(refused);
    expect(await asked(plain, { ...request, systemPrompt: 'x'.repeat(1_000_001) })).toEqual(refused);
    for (const { at, close } of [without, plain]) {
      await close();
      expect(at.log().filter(({ tool }) => tool === 'gateway.sample')).toEqual([]);
    }
  });

  it.each(['approve', 'deny'])('is asked about like a call, and this answer counts: %s', async (decision) => {
    const messages: string[] = [];
    const elicit = (message: string) => {
      messages.push(message);
      return { action: 'accept', content: { decision } };
    };
    const rules = `${echo}  mcp.call.sampling: needs_approval\n`;
    const each = await opened(rules, { elicit, sample: () => sampled });
    expect(await asked(each)).toEqual(decision === 'approve' ? sampled : refused);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^Ambit asks .*: sampling\/createMessage of tricky\n[\s\S]*Is it cold\?/);
  });

  it('gets no answer if the client fails, and the failure is recorded', async () => {
    const each = await opened(sampling, {
      sample() {
        throw new Error('no model');
      },
    });
    expect(await asked(each)).toEqual(refused);
    await each.close();
    expect(each.at.log().filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
  });
});
