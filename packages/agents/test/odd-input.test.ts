import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { type ClientName, clientNames, type Written } from '../src/index.js';
import { HookPlace } from './place.js';

/** A call as each client reports it, with every field of its form. */
function inputOf(client: ClientName, cwd: string): object {
  const claude = {
    session_id: 's',
    transcript_path: '/none',
    cwd,
    permission_mode: 'default',
    hook_event_name: client === 'gemini' ? 'BeforeTool' : 'PreToolUse',
    tool_name: client === 'gemini' ? 'mcp_tiny_echo' : 'mcp__tiny__echo',
    tool_input: { command: 'ls', path: 'a' },
    tool_use_id: 'toolu_00000001',
    agent_id: 'a1',
    agent_type: 'reviewer',
    mcp_server: { name: 'tiny', source: 'user' },
    mcp_context: { server_name: 'tiny', tool_name: 'echo' },
  };
  if (client === 'copilot')
    return {
      sessionId: 's',
      cwd,
      toolName: 'bash',
      toolArgs: { command: 'ls' },
      agentType: 'x',
      parentAgentId: 'p',
    };
  if (client === 'opencode')
    return {
      input: { tool: 'bash', sessionID: 's', callID: 'call_00000001' },
      args: { command: 'ls', workdir: 'a' },
      directory: cwd,
      worktree: '/',
    };
  return claude;
}

const odd: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '.',
  '..',
  '/',
  '~',
  '../..',
  '/missing',
  '/proc/self/cwd',
  'a\0b',
  '\ud800',
  '\u202etxt',
  'x'.repeat(100_000),
  [],
  ['a'],
  {},
  { a: { b: [] } },
  '__proto__',
  'constructor',
  'BASH',
  'Bash ',
  'mcp__',
  'mcp____',
  'mcp__a__',
  'mcp__TINY__echo',
  'PostToolUse',
  'AfterTool',
  'Stop',
  'pretooluse',
  'PreToolUse\0',
  'Skill',
  'toolName',
];

/** Whether the client would run the tool. */
function isRun({ stdout, exit }: Written): boolean {
  if (exit === 2) return false;
  return !/"(?:permissionDecision|decision)":"deny"/.test(stdout);
}

/** The texts of an answer, as the client reads them: it may show them to a person. */
function textsIn(stdout: string): readonly string[] {
  const texts: string[] = [];
  if (stdout !== '')
    JSON.parse(stdout, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  return texts;
}

describe('odd input of a hook', () => {
  it('runs nothing under a policy that blocks everything', async () => {
    const place = new HookPlace('version: 1\ndefault: blocked\n');
    const changed = fc.constantFrom(...clientNames).chain((client) => {
      const input = inputOf(client, place.project);
      const paths = Object.entries(input).flatMap(([name, value]) => [
        [name],
        ...(typeof value === 'object' ? Object.keys(value as object).map((key) => [name, key]) : []),
      ]);
      return fc.tuple(fc.constant(client), fc.constantFrom(...paths), fc.constantFrom(...odd));
    });
    await fc.assert(
      fc.asyncProperty(changed, async ([client, [name = '', key], value]) => {
        const input = structuredClone(inputOf(client, place.project)) as Record<
          string,
          Record<string, unknown>
        >;
        const of = key === undefined ? input : (input[name] ?? {});
        Object.defineProperty(of, key ?? name, { value, enumerable: true, configurable: true });
        const answer = await place.answer(input, { client, stage: 'before', confines: true });
        expect(isRun(answer)).toBe(false);
        const shown = [answer.stderr, ...textsIn(answer.stdout)].join('\n');
        expect(shown).not.toMatch(/[\p{Cf}\p{Cs}]|(?!\n)\p{Cc}/u);
      }),
      explore(300),
    );
  });

  it.each(clientNames)('refuses a duplicate key at any depth of the input of %s', async (client) => {
    const place = new HookPlace('version: 1\ndefault: pre_approved\n');
    const text = JSON.stringify(inputOf(client, place.project));
    const answer = (given: string) => place.answer(given, { client, stage: 'before' });
    expect(isRun(await answer(text))).toBe(true);
    for (const key of ['cwd', 'directory', 'tool_name', 'toolName', 'tool', 'command'])
      for (const first of ['"x"', '{}', `"${'\\"'.repeat(1_000_000)}"`]) {
        const twice = text.replace(
          `"${key}":`,
          `"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":${first},$&`,
        );
        const { exit, stderr } = await answer(twice);
        if (twice !== text) expect([exit, stderr]).toEqual([2, expect.stringContaining('has a key twice')]);
      }
  });

  it.each(clientNames)(
    'refuses a call of %s with a number that would be judged as another',
    async (client) => {
      const place = new HookPlace('version: 1\ndefault: pre_approved\n');
      const text = JSON.stringify(inputOf(client, place.project)).replace(
        '"command":',
        '"x":9007199254740993,$&',
      );
      const answer = await place.answer(text, { client, stage: 'before' });
      expect([answer.exit, answer.stderr]).toEqual([2, expect.stringContaining('cannot be kept exactly')]);
      expect((await place.answer(text, { client, stage: 'after' })).stderr).not.toContain('exactly');
    },
  );

  it.each([
    ['a patch', 'codex', 'apply_patch', { command: patchOf(60_000) }, 'names 60000 files'],
    ['a prompt', 'gemini', 'web_fetch', { prompt: 'a://b '.repeat(60_000) }, 'names 120000 files'],
    ['a glob', 'claude-code', 'Grep', { pattern: 'x', glob: '{a,'.repeat(300_000) }, 'blocked'],
    ['a path', 'claude-code', 'Read', { file_path: 'a/'.repeat(300_000) }, 'blocked'],
  ] as const)('judges %s of any length', async (_, client, tool_name, tool_input, why) => {
    const place = new HookPlace('version: 1\ndefault: blocked\n');
    const input = { ...inputOf(client, place.project), tool_name, tool_input };
    const answer = await place.answer(input, { client, stage: 'before' });
    expect(isRun(answer)).toBe(false);
    expect(answer.stdout).toContain(why);
  });
});

function patchOf(files: number): string {
  return `*** Begin Patch\n${'*** Add File: a\n+x\n'.repeat(files)}*** End Patch\n`;
}

it.each([[{}], [{ file_path: 7 }], [{ file_path: '' }]])(
  'a refusal of a read with the input %j says that the file is not known',
  async (input) => {
    const secrets = `version: 1
default: pre_approved
capabilities: { secret.read: { decision: blocked, reason: secrets are not for agents } }
`;
    const place = new HookPlace(secrets);
    const { stdout } = await place.answer(place.call('Read', input));
    expect(stdout).toMatch(/secrets are not for agents: it is not known which file.*name its files/);
  },
);
