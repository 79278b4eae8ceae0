import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  decisionOn,
  type Files,
  gate,
  openAt,
  reasonsIn,
  runAt,
  sessionAt,
  type Workplace,
  worker,
  workplace,
  yes,
} from '../session.js';

/** A module whose toolset `NAME` is made for each worker call, and notes in `notes` what happens to it. */
const module = ({ name = 'crm', enter = '', exit = '', gives = 'toolset', call = '' } = {}) => `
import { appendFileSync } from 'node:fs';
let count = 0;
const note = (text) => appendFileSync(new URL('./notes', import.meta.url), text + '\\n');
export async function configure(configuration) {
  const id = '${name}-' + ++count;
  note(id + ' made ' + JSON.stringify(configuration));
  const toolset = {
    name: '${name}',
    capabilities: [],
    tools: [
      {
        name: '${name}_say',
        description: 'Says who it is.',
        input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
        describe: () => ({ capabilities: [{ name: 'crm.say' }] }),
        execute: async (args, { chain, signal }) => {
          note(id + ' said for ' + chain.join(' > '));
          ${call}
          return id + ' ' + (configuration.region ?? 'nowhere');
        },
      },
    ],
    async enter() { ${enter}; note(id + ' entered'); },
    async exit() { note(id + ' left'); ${exit} },
  };
  return ${gives};
}
`;

const base: Files = {
  'policy.yaml': {
    version: 1,
    default: 'blocked',
    capabilities: { 'code.load': 'pre_approved', 'crm.say': 'pre_approved', 'worker.call': 'pre_approved' },
  },
  'main.worker': worker({ toolsets: { './tools/crm.mjs': { region: 'eu' } } }),
  'tools/crm.mjs': module(),
  'script.yaml': { main: [calls(['crm_say']), { say: 'done' }] },
};

const notes = (place: Workplace) => (place.text('tools/notes') ?? '').trim().split('\n').filter(Boolean);

describe('a configured toolset', () => {
  it('is created from its reference, entered before its first call, and left after the worker', async () => {
    const place = workplace(base);
    const { status, events } = await runAt(place);
    expect(status).toBe('finished');
    expect(notes(place)).toEqual([
      'crm-1 made {"region":"eu"}',
      'crm-1 entered',
      'crm-1 said for main',
      'crm-1 left',
    ]);
    expect(decisionOn(events, 'toolset.start').args).toEqual({
      module: './tools/crm.mjs',
      configuration: { region: 'eu' },
    });
    expect(carriedBy(events, 'toolset.start').map(({ name }) => name)).toEqual(['code.load']);
  });

  it('is created for each worker call, simultaneous ones too, from one loaded module', async () => {
    const place = workplace({
      ...base,
      'main.worker': worker({ toolsets: { './tools/crm.mjs': {}, helper: {} } }),
      'helper.worker': worker({ toolsets: { './tools/crm.mjs': { region: 'us' } } }),
      'script.yaml': {
        main: [
          calls(['crm_say'], ['helper', { input: 'a' }], ['helper', { input: 'b' }]),
          calls(['crm_say']),
          { say: 'done' },
        ],
        helper: [calls(['crm_say']), { say: 'done' }],
      },
    });
    await runAt(place);
    const all = notes(place);
    expect(all.filter((note) => note.includes('made'))).toEqual([
      'crm-1 made {}',
      'crm-2 made {"region":"us"}',
      'crm-3 made {"region":"us"}',
    ]);
    for (const id of ['crm-1', 'crm-2', 'crm-3']) {
      const own = all.filter((note) => note.startsWith(id)).map((note) => note.split(' ')[1]);
      expect([own[0], own[1], own.at(-1)]).toEqual(['made', 'entered', 'left']);
      expect(own.filter((what) => what === 'entered' || what === 'left')).toHaveLength(2);
    }
    expect(all.filter((note) => note.includes('said for main > helper'))).toHaveLength(2);
    expect(all.at(-1)).toBe('crm-1 left');
  });

  it('gets an isolated copy of its configuration', async () => {
    const changing = module().replace("note(id + ' made", "configuration.region = 'x'; note(id + ' made");
    const place = workplace({ ...base, 'tools/crm.mjs': changing });
    const { status, why } = await runAt(place);
    expect([status, why]).toEqual([
      'failed',
      expect.stringContaining('the toolset ./tools/crm.mjs did not start'),
    ]);
  });

  it('is left once if the worker fails, is stopped, or its model fails', async () => {
    const failing = workplace({
      ...base,
      'script.yaml': { main: [calls(['crm_say']), { stop: 'error' }] } as Json,
    });
    const schema = workplace({
      ...base,
      'main.worker': worker({ output: { type: 'object' }, toolsets: { './tools/crm.mjs': {} } }),
    });
    const gone = workplace({ ...base, 'script.yaml': { other: [] } });
    for (const place of [schema, gone]) {
      const { status } = await runAt(place);
      expect([status, notes(place).filter((note) => note.endsWith('left'))]).toEqual([
        'failed',
        ['crm-1 left'],
      ]);
    }
    expect(await openAt(failing)).toMatchObject({ ok: false });
  });

  it('is left if the run stops during its work', async () => {
    const { opened, open } = gate();
    const place = workplace({
      ...base,
      'tools/crm.mjs': module({
        call: "await new Promise((done) => signal.addEventListener('abort', done));",
      }),
    });
    const session = await sessionAt(place, {
      onEvent: (event) => event.type === 'recorded' && event.event.event === 'decision' && open(),
    });
    const running = session.run({});
    await opened;
    while (!notes(place).some((note) => note.includes('said')))
      await new Promise((done) => setTimeout(done, 5));
    session.stop('enough');
    expect((await running).status).toBe('stopped');
    expect(notes(place).filter((note) => note.endsWith('left'))).toEqual(['crm-1 left']);
  });

  const two = (second: string): Files => ({
    ...base,
    'main.worker': worker({ toolsets: { './tools/crm.mjs': {}, './tools/erp.mjs': {} } }),
    'tools/erp.mjs': second,
  });

  it('is left in reverse order if a later one cannot be entered, which is not left itself', async () => {
    const place = workplace(two(module({ name: 'erp', enter: "throw new Error('no line')" })));
    const { status, why, events } = await runAt(place);
    expect([status, why]).toEqual(['failed', 'the toolset ./tools/erp.mjs did not start: no line']);
    expect(notes(place)).toEqual(['crm-1 made {}', 'crm-1 entered', 'erp-1 made {}', 'crm-1 left']);
    expect(callsIn(events).map(([, tool, , came]) => [tool, came])).toEqual([
      ['toolset.start', 'completed'],
      ['toolset.start', 'failed'],
    ]);
  });

  it('is left if a later one is refused', async () => {
    const policy = {
      version: 1,
      default: 'pre_approved',
      capabilities: { 'code.load': { decision: 'blocked', match: { path: '**/erp.mjs' } } },
    };
    const place = workplace({ ...two(module({ name: 'erp' })), 'policy.yaml': policy });
    const { status } = await runAt(place, { open: true });
    expect([status, notes(place)]).toEqual(['failed', ['crm-1 made {}', 'crm-1 entered', 'crm-1 left']]);
  });

  it('is left even if leaving another fails, which fails the worker', async () => {
    const place = workplace(two(module({ name: 'erp', exit: "throw new Error('stuck')" })));
    const { status, why } = await runAt(place);
    expect([status, why]).toEqual(['failed', 'the toolset erp could not be left: stuck']);
    expect(notes(place).slice(-2)).toEqual(['erp-1 left', 'crm-1 left']);
  });

  it.each([
    ['undefined', 'nothing'],
    ["'crm'", 'a text'],
    ['[toolset]', 'a list'],
    ['{ ...toolset, tools: undefined, name: 7 }', 'something without a name of a toolset'],
    ['() => toolset', 'a function'],
  ])('is an error with its name if `configure` returns %s', async (gives, what) => {
    const place = workplace({ ...base, 'tools/crm.mjs': module({ gives }) });
    const { status, why } = await runAt(place);
    expect([status, why]).toEqual([
      'failed',
      `the toolset ./tools/crm.mjs did not start: \`configure\` of ./tools/crm.mjs returned ${what}, not a toolset: see defineToolset`,
    ]);
  });

  it('refuses a configuration by throwing, in its own words', async () => {
    const strict = module().replace(
      'const id =',
      "if (!configuration.key) throw new Error('a key is wanted'); const id =",
    );
    const { why, events } = await runAt(workplace({ ...base, 'tools/crm.mjs': strict }));
    expect(why).toBe('the toolset ./tools/crm.mjs did not start: a key is wanted');
    expect(reasonsIn(events)).toEqual(['a key is wanted']);
  });

  it('has a unique name across workers', async () => {
    const { why } = await runAt(workplace(two(module({ name: 'crm' }))));
    expect(why).toContain('two toolsets or workers are called `crm`: ');
    expect(why).toContain('/tools/crm.mjs, and ');
    const reserved = await runAt(workplace({ ...base, 'tools/crm.mjs': module({ name: 'filesystem' }) }));
    expect(reserved.why).toContain('its name `filesystem` is reserved');
  });

  it('does not start if its module exports both a toolset and `configure`', async () => {
    const both = `${module()}\nexport default { name: 'crm', tools: [], capabilities: [] };`;
    const { why } = await runAt(workplace({ ...base, 'tools/crm.mjs': both }));
    expect(why).toContain('exports a toolset and `configure`');
  });

  it('may be a function as the default export', async () => {
    const place = workplace({
      ...base,
      'tools/crm.mjs': module().replace('export async', 'export default async'),
    });
    expect((await runAt(place)).status).toBe('finished');
    expect(notes(place)).toContain('crm-1 left');
  });

  it('keeps approvals apart from its configuration, for its reference alone', async () => {
    const place = workplace({
      ...base,
      'main.worker': worker({
        toolsets: { './tools/crm.mjs': { region: 'eu', approvals: { crm_say: 'needs_approval' } } },
      }),
    });
    const { approver, questions } = asking(() => yes);
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(questions.map(({ tool }) => tool)).toEqual(['crm.crm_say']);
    expect(notes(place)[0]).toBe('crm-1 made {"region":"eu"}');
    expect(callsIn(events).at(-1)?.slice(2)).toEqual(['needs_approval', 'completed']);
  });
});

describe('a shared toolset', () => {
  const shared = `const toolset = { name: 'crm', capabilities: [], tools: [] };\nexport default toolset;`;

  it('refuses a configuration, and reports its keys with their place', async () => {
    const place = workplace({
      ...base,
      'tools/crm.mjs': shared,
      'main.worker': worker({ toolsets: { './tools/crm.mjs': { zone: 1, region: 'eu', Amount: 2 } } }),
    });
    const { status, why } = await runAt(place);
    expect([status, why]).toEqual([
      'failed',
      'the toolset ./tools/crm.mjs did not start: main.worker:1:14 ./tools/crm.mjs exports a toolset that is shared, and cannot be configured: `Amount`, `region`, `zone`',
    ]);
  });

  it.each([
    ['an object', `export default { name: 'crm', capabilities: [], tools: [] };`],
    [
      'a result of defineToolset',
      `import { defineToolset } from '@ambit/core';\nexport default defineToolset({});`,
    ],
    ['a constant', `export const toolset = defineToolset({});`],
  ])('refuses a configuration before the run if its text shows that it is %s', async (_, text) => {
    const main = worker({ toolsets: { './tools/crm.mjs': { zone: 1, region: 'eu', Amount: 2 } } });
    expect(await openAt(workplace({ ...base, 'tools/crm.mjs': text, 'main.worker': main }))).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'UNKNOWN_KEY',
          message:
            '`./tools/crm.mjs` is a module whose toolset all workers share, and cannot be configured here: `Amount`, `region`, `zone`',
        },
      ],
    });
  });

  it('reports a misspelled `approvals`, which would restrict nothing', async () => {
    const main = worker({ toolsets: { './tools/crm.mjs': { aprovals: { say: 'blocked' } } } });
    expect(await openAt(workplace({ ...base, 'main.worker': main }))).toMatchObject({
      ok: false,
      problems: [{ code: 'UNKNOWN_KEY', help: expect.stringContaining('did you mean `approvals`?') }],
    });
  });
});
