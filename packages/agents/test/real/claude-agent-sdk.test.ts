import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loggedSessions } from '../../src/doctor/logged-sessions.js';
import { ambitOptions, type ClaudeOptions } from '../../src/sdk/claude-agent-sdk.js';
import { RealPlace, startModel } from './real-client.js';

/** The Claude Agent SDK, which brings a Claude Code of its own, where somebody installed it. */
const sdk = join(
  process.env.REAL_CLIENTS ?? '/missing',
  'ccsdk/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
);
const isThere = existsSync(sdk);

interface Sdk {
  readonly query: (of: { readonly prompt: string; readonly options: object }) => AsyncIterable<object>;
}

const policy = `version: 1
default: blocked
capabilities:
  fs.read: pre_approved
  proc.exec: pre_approved
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** } }
    - { decision: needs_approval, match: { path: ./asked-* }, reason: odd files need a look }
    - { decision: needs_approval, match: { path: ./person-* }, answer: person }
    - { decision: blocked, match: { path: ./made-* }, reason: made-files are reserved }
`;

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'x' } }] });

interface Talked {
  /** Names in the project, but those of the SDK. */
  readonly files: readonly string[];
  readonly told: string;
  readonly decided: readonly string[];
}

describe.skipIf(!isThere)('the Claude Agent SDK', { timeout: 300_000 }, () => {
  async function talk(
    turns: readonly unknown[],
    change: Partial<ClaudeOptions> & { more?: object } = {},
  ): Promise<Talked> {
    const { more = {}, ...given } = change;
    const place = new RealPlace(policy);
    const [home, cwd, state] = ['home', 'project', 'state'].map((name) => join(place.base, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [home, join(cwd, '.git'), join(cwd, 'out')]) mkdirSync(folder, { recursive: true });
    place.write(
      'project/.claude/settings.json',
      JSON.stringify({
        disableAllHooks: true,
        permissions: { allow: ['Bash'] },
        hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] },
      }),
    );
    const model = await startModel(turns);
    onTestFinished(() => model.close());
    const { query } = (await import(/* @vite-ignore */ pathToFileURL(sdk).href)) as Sdk;
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
    const options = { ...ambitOptions({ policies: [place.policy], state, ...given }), cwd, env, ...more };
    const said: unknown[] = [];
    for await (const message of query({ prompt: 'go', options })) said.push(message);
    const sessions = await loggedSessions(state, () => true);
    return {
      files: [...readdirSync(cwd), ...readdirSync(join(cwd, 'out'))].filter(
        (name) => !name.startsWith('.') && name !== 'out',
      ),
      told: JSON.stringify(said),
      decided: sessions.flatMap(({ decisions }) => decisions.map(({ decision }) => String(decision))),
    };
  }

  it('runs permitted calls, and tells the model why other calls do not run', async () => {
    const { files, told, decided } = await talk([
      bash('echo x > made-shell'),
      bash('echo x > asked-shell'),
      bash('echo x > out/shell'),
      bash('ls'),
      'done',
    ]);
    expect(files).toEqual(['shell']);
    expect(told).toContain('made-files are reserved');
    expect(decided).toEqual(['blocked', 'needs_approval', 'pre_approved', 'blocked']);
  });

  it('asks the user once for each call, and accepts only true as a yes', async () => {
    const asked: unknown[] = [];
    const answers: unknown[] = [true, 'yes', new Error('broken')];
    const ask: ClaudeOptions['ask'] = async (tool, input, reason) => {
      asked.push([tool, (input as { command: string }).command, reason]);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer as boolean;
    };
    const turns = ['yes', 'text', 'error'].map((name) => bash(`echo x > asked-${name}`));
    const { files, told } = await talk([...turns, 'done'], { ask });
    expect(files).toEqual(['asked-yes']);
    expect(asked).toEqual(
      ['yes', 'text', 'error'].map((name) => [
        'Bash',
        `echo x > asked-${name}`,
        expect.stringContaining('odd files'),
      ]),
    );
    expect(told).toContain('the user refused this call');
  });

  it('does not ask if the rule requires a person, or the policy is missing', async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return true;
    };
    const person = await talk([bash('echo x > person-x'), 'done'], { ask });
    expect([person.files, asked]).toEqual([[], 0]);
    expect(person.told).toContain('ambit approvals approve');
    const missing = await talk([bash('echo x > out/x'), 'done'], {
      ask,
      policies: ['/missing.yaml'],
    });
    expect([missing.files, asked]).toEqual([[], 0]);
    expect(missing.told).toContain('/missing.yaml');
  });

  it('blocks in every mode of the client, including modes without questions', async () => {
    const { files, told } = await talk([bash('echo x > made-x'), bash('echo x > asked-x'), 'done'], {
      more: { permissionMode: 'acceptEdits', allowedTools: ['Bash'] },
    });
    expect(files).toEqual([]);
    expect(told).toContain('made-files are reserved');
  });
});
