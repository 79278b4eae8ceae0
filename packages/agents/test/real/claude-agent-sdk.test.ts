import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loggedSessions } from '../../src/doctor/logged-sessions.js';
import { ambitOptions, type ClaudeOptions } from '../../src/sdk/claude-agent-sdk.js';
import { RealPlace, startModel } from './real-client.js';

/** The Claude Agent SDK, which brings a Claude Code of its own, where it is installed. */
const sdk = join(
  process.env.REAL_CLIENTS ?? '/missing',
  'ccsdk/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
);
const isThere = existsSync(sdk);

interface Query extends AsyncIterable<object> {
  interrupt(): Promise<unknown>;
}

interface Sdk {
  readonly query: (of: {
    readonly prompt: string | AsyncIterable<object>;
    readonly options: object;
  }) => Query;
}

const policy = `version: 1
default: blocked
capabilities:
  fs.read: pre_approved
  proc.exec: pre_approved
  worker.call: pre_approved
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
  readonly events: readonly Record<string, unknown>[];
  /** Reads the events again: some are recorded after the conversation ended. */
  readonly eventsNow: () => readonly Record<string, unknown>[];
}

interface Change extends Partial<ClaudeOptions> {
  readonly more?: object;
  /** Called with the conversation before it begins. */
  readonly begin?: (conversation: Query) => void;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called after each judgement, before the SDK gets it. */
  readonly judged?: () => Promise<void>;
}

/** A prompt that stays open until the conversation is over: only then can it be interrupted. */
async function* openPrompt(over: Promise<void>): AsyncGenerator<object> {
  yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' };
  await over;
}

/** The events of all logs. */
function eventsIn(state: string): readonly Record<string, unknown>[] {
  const folder = join(state, 'log');
  if (!existsSync(folder)) return [];
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return logs.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
}

describe.skipIf(!isThere)('the Claude Agent SDK', () => {
  async function talk(
    script: Parameters<typeof startModel>[0],
    { more = {}, begin, judged, environment = {}, ...given }: Change = {},
  ): Promise<Talked> {
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
    const model = await startModel(script);
    onTestFinished(() => model.close());
    const { query } = (await import(/* @vite-ignore */ pathToFileURL(sdk).href)) as Sdk;
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...environment,
    };
    const own = ambitOptions({ policies: [place.policy], state, ...given });
    const [matcher] = own.hooks.PreToolUse;
    const judge = async (input: unknown) => {
      const answer = await matcher?.hooks[0]?.(input);
      await judged?.();
      return answer;
    };
    const hooks = { ...own.hooks, PreToolUse: [{ ...matcher, hooks: [judge] }] };
    const options = { ...own, hooks, cwd, env, ...more };
    const said: object[] = [];
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const conversation = query({ prompt: begin === undefined ? 'go' : openPrompt(over), options });
    begin?.(conversation);
    try {
      for await (const message of conversation) {
        said.push(message);
        if ('type' in message && message.type === 'result') end();
      }
    } catch (error) {
      // So ends an aborted conversation.
      if (begin === undefined) throw error;
    }
    const sessions = await loggedSessions(state, () => true);
    return {
      files: [...readdirSync(cwd), ...readdirSync(join(cwd, 'out'))].filter(
        (name) => !name.startsWith('.') && name !== 'out',
      ),
      told: JSON.stringify(said),
      events: eventsIn(state),
      eventsNow: () => eventsIn(state),
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

  it.each([
    ['bypassPermissions', { allowDangerouslySkipPermissions: true }],
    ['dontAsk', {}],
    ['auto', {}],
    ['plan', {}],
  ])('runs nothing that the user refuses in the mode %s', async (permissionMode, of) => {
    const { files, decided } = await talk([{ tools: [call(bad), call(odd)] }, 'done'], {
      more: { permissionMode, ...of },
      environment: { IS_SANDBOX: '1' },
    });
    expect([files, decided]).toEqual([[], ['blocked', 'needs_approval']]);
  });

  const call = (command: string, id?: string) => ({
    name: 'Bash',
    input: { command: `echo x > ${command}`, description: 'x' },
    ...(id === undefined ? {} : { id }),
  });
  const [fine, odd, bad] = ['out/fine', 'asked-x', 'made-x'] as const;
  const same = 'toolu_same_000';
  const raw = (text: string) => ({ tools: [call(fine)], raw_json: { 0: text } });
  const json = (command: string) => `{"command":"echo x > ${command}","description":"x"`;
  const agent = (prompt: string) => ({
    name: 'Agent',
    input: { description: 'd', prompt, subagent_type: 'general-purpose', run_in_background: false },
  });
  const hostile: readonly (readonly [string, Parameters<typeof startModel>[0]])[] = [
    ['three calls at once', [{ tools: [call(bad), call(fine), call(odd)] }]],
    ['a blocked and a permitted call with one id', [{ tools: [call(bad, same), call(fine, same)] }]],
    ['a permitted and a blocked call with one id', [{ tools: [call(fine, same), call(bad, same)] }]],
    ['an asked and a permitted call with one id', [{ tools: [call(odd, same), call(fine, same)] }]],
    ['a permitted and an asked call with one id', [{ tools: [call(fine, same), call(odd, same)] }]],
    ['a later asked call with the same id', [{ tools: [call(fine, same)] }, { tools: [call(odd, same)] }]],
    ['an asked call twice with one id', [{ tools: [call(odd, same), call(odd, same)] }]],
    ['a part of an object', [raw(json(fine))]],
    ['a duplicate key', [raw(`${json(fine)},"command":"echo x > made-x"}`)]],
    ['a prototype', [raw(`${json(fine)},"__proto__":{"command":"echo x > made-x"}}`)]],
    ['a list', [raw(`[${json(fine)}}]`)]],
    ['a text', [raw('"echo x > made-x"')]],
    ['nothing', [raw('')]],
    ['an unknown tool', [{ tools: [{ name: 'Other', input: {} }, call(fine)] }]],
    [
      'a sub-agent',
      {
        turns: [{ tools: [agent('[[sub]]'), call(bad)] }],
        by_marker: { sub: [{ tools: [call(bad), call(fine), call(odd)] }] },
      },
    ],
  ];

  it.each(
    hostile.flatMap(([name, script]) => [true, false].map((answer) => [name, answer, script] as const)),
  )('runs only what may run of a hostile turn: %s, when the user says %s', async (_, answer, script) => {
    const asked: string[] = [];
    const ask: ClaudeOptions['ask'] = async (_tool, input) => {
      asked.push(String((input as { command?: unknown }).command));
      return answer;
    };
    const { files, events } = await talk(script, { ask });
    const mayRun = answer && asked.includes(`echo x > ${odd}`) ? ['fine', odd] : ['fine'];
    expect(mayRun).toEqual(expect.arrayContaining([...files]));
    const of = (event: string) => events.filter((each) => each.event === event);
    const permitted = [
      ...of('decision').filter(({ decision }) => decision === 'pre_approved'),
      ...of('approval').filter(({ approved }) => approved === true),
    ].map(({ call: id }) => id);
    const completed = of('outcome').filter(({ outcome }) => outcome === 'completed');
    expect(completed.length).toBeGreaterThanOrEqual(files.length);
    expect(permitted).toEqual(expect.arrayContaining(completed.map(({ call: id }) => id)));
  });

  const stops = {
    interrupted: (conversation: Query) => conversation.interrupt(),
    aborted: async (_: Query, aborting: AbortController) => aborting.abort(),
  };
  const [denied, permitted] = [
    ['decision needs_approval', 'approval false', 'outcome refused'],
    ['decision pre_approved'],
  ];

  it.each([
    ['interrupted', 'during a question', denied],
    // The SDK says so a moment after the approval.
    ['aborted', 'during a question', null],
    ['interrupted', 'during the judgement', permitted],
    ['aborted', 'during the judgement', permitted],
  ] as const)('runs nothing of a turn that was %s %s', async (how, when, told) => {
    const aborting = new AbortController();
    let stop = async (): Promise<unknown> => null;
    const ask = async () => {
      await stop();
      return true;
    };
    const isQuestion = when === 'during a question';
    const { files, eventsNow } = await talk([{ tools: [call(isQuestion ? odd : fine)] }, 'done'], {
      ask,
      more: { abortController: aborting },
      begin: (conversation) => {
        stop = () => stops[how](conversation, aborting);
      },
      judged: async () => void (isQuestion || (await stop())),
    });
    expect(files).toEqual([]);
    const words = () =>
      eventsNow()
        .slice(2)
        .map((each) => [each.event, each.decision ?? each.outcome ?? each.approved].join(' '));
    if (told !== null) await vi.waitFor(() => expect(words()).toEqual(told), { timeout: 60_000 });
  });
});
