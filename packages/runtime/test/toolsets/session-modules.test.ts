import { hash } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { defineToolset } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  type Files,
  linesOf,
  no,
  openAt,
  runAt,
  sessionAt,
  worker,
  workplace,
  writeFiles,
  yes,
} from '../session.js';

/** A toolset of one tool, `say`, whose module leaves a mark in the folder that it lies in when it is loaded. */
const module = ({ name = 'crm', says = 'hello', before = '' } = {}) => `
import { appendFileSync } from 'node:fs';
appendFileSync(new URL('./mark-${name}', import.meta.url), 'loaded ');
${before}
export default {
  name: '${name}',
  capabilities: [],
  tools: [
    {
      name: 'say',
      description: 'Says it.',
      input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
      describe: () => ({ capabilities: [{ name: 'crm.say' }] }),
      execute: () => {
        appendFileSync(new URL('./said', import.meta.url), '${says} ');
        return '${says}';
      },
    },
  ],
};
`;

const files: Files = {
  'policy.yaml': {
    version: 1,
    default: 'blocked',
    capabilities: { 'code.load': 'pre_approved', 'crm.say': 'pre_approved', 'worker.call': 'pre_approved' },
  },
  'main.worker': worker({ toolsets: { './tools/crm.mjs': {} } }),
  'tools/crm.mjs': module(),
  'script.yaml': { main: [calls(['say']), { say: 'done' }] },
};

describe('a module', () => {
  it('is loaded by its own judged call before its tools are available', async () => {
    const place = workplace(files);
    const sha256 = hash('sha256', module());
    const { events, status } = await runAt(place);
    expect(status).toBe('finished');
    expect(callsIn(events)).toEqual([
      ['main', 'toolset.start', 'pre_approved', 'completed'],
      ['main', 'crm.say', 'pre_approved', 'completed'],
    ]);
    expect(carriedBy(events, 'toolset.start')).toEqual([
      { name: 'code.load', path: place.path('tools/crm.mjs'), sha256, by: 'toolset:toolset' },
    ]);
    expect(events[0]).toMatchObject({ toolsets: { './tools/crm.mjs': sha256 } });
    expect(place.text('tools/mark-crm')).toBe('loaded ');
  });

  it('reports both paths if a link leads to it', async () => {
    const place = workplace({ ...files, 'main.worker': worker({ toolsets: { './link/crm.mjs': {} } }) });
    symlinkSync('tools', place.path('link'));
    const { events } = await runAt(place);
    expect(carriedBy(events, 'toolset.start').map(({ path }) => path)).toEqual([
      place.path('link/crm.mjs'),
      place.path('tools/crm.mjs'),
    ]);
  });

  it.each([
    ['blocked', 'approve_all', 'blocked'],
    ['needs_approval', 'strict', 'strict'],
    ['needs_approval', 'interactive', 'denied'],
    [{ decision: 'needs_approval', answer: 'person' }, 'approve_all', 'wants_person'],
  ] as const)(
    'is not loaded if that is %j in the mode %s, and the run fails with a reason',
    async (rule, mode, code) => {
      const policy = { version: 1, default: 'needs_approval', capabilities: { 'code.load': rule } };
      const place = workplace({ ...files, 'policy.yaml': policy });
      const { status, why, events } = await runAt(place, { mode, approver: asking(() => no).approver });
      expect([status, why]).toEqual([
        'failed',
        expect.stringContaining(`the toolset ./tools/crm.mjs may not start: ${code}: `),
      ]);
      expect(callsIn(events)).toEqual([['main', 'toolset.start', expect.any(String), code]]);
      expect(place.text('tools/mark-crm')).toBe(null);
      const permitting = /code.load: { decision: pre_approved, match: { path: "\/.*\/tools\/crm.mjs" } }/;
      if (code === 'blocked') expect(why).not.toMatch(permitting);
      else expect(why).toMatch(permitting);
    },
  );

  it('is not loaded when a worker is inspected or not called', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({ toolsets: { helper: {} } }),
      'helper.worker': worker({ toolsets: { './tools/crm.mjs': {} } }),
      'script.yaml': { main: [{ say: 'done' }] },
    });
    await runAt(place);
    expect(place.text('tools/mark-crm')).toBe(null);
  });

  it('of a delegate fails only the call of the delegate if it may not start', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': {
        version: 1,
        default: 'blocked',
        capabilities: { 'worker.call': 'pre_approved' },
        workers: { main: { capabilities: { 'code.load': 'pre_approved' } } },
      },
      'main.worker': worker({ toolsets: { helper: {} } }),
      'helper.worker': worker({ toolsets: { './tools/crm.mjs': {} } }),
      'script.yaml': { main: [calls(['helper', { input: 'x' }]), { say: 'done' }] },
    });
    const { status, events } = await runAt(place);
    expect([status, callsIn(events)]).toEqual([
      'finished',
      [
        ['main', 'worker.helper', 'pre_approved', 'failed'],
        ['main > helper', 'toolset.start', 'blocked', 'blocked'],
      ],
    ]);
    expect(place.text('tools/mark-crm')).toBe(null);
  });

  it('is judged for each worker with a reference, and loaded once', async () => {
    const helpers = ['a', 'b', 'c'];
    const place = workplace({
      ...files,
      'tools/crm.mjs': module({ before: 'await new Promise((resolve) => setTimeout(resolve, 20));' }),
      'main.worker': worker({ toolsets: { a: {}, b: {}, c: {} } }),
      ...Object.fromEntries(
        helpers.map((name) => [`${name}.worker`, worker({ toolsets: { './tools/crm.mjs': {} } })]),
      ),
      'script.yaml': {
        main: [calls(...helpers.map((name) => [name, { input: 'x' }] as const)), { say: 'done' }],
        ...Object.fromEntries(helpers.map((name) => [name, [calls(['say']), { say: 'done' }]])),
      },
    });
    const { events } = await runAt(place);
    expect(
      callsIn(events)
        .map(([, tool, , came]) => `${tool} ${came}`)
        .sort(),
    ).toEqual([
      ...helpers.map(() => 'crm.say completed'),
      ...helpers.map(() => 'toolset.start completed'),
      ...helpers.map((name) => `worker.${name} completed`),
    ]);
    expect(place.text('tools/mark-crm')).toBe('loaded ');
  });

  it('is not loaded if it changed after the session was opened', async () => {
    const place = workplace(files);
    const session = await sessionAt(place);
    writeFiles(place, { 'tools/crm.mjs': module({ says: 'other' }) });
    expect(await session.run({})).toMatchObject({
      status: 'stopped',
      why: `a guarded file changed: toolset module ${place.path('tools/crm.mjs')} was changed; look at it, then begin a new run or session`,
    });
    expect(place.text('tools/mark-crm')).toBe(null);
  });

  it('is not loaded if it changed during a question', async () => {
    const place = workplace({ ...files, 'policy.yaml': { version: 1, default: 'needs_approval' } });
    const { approver } = asking(() => {
      writeFiles(place, { 'tools/other.mjs': module({ says: 'other' }) });
      renameSync(place.path('tools/other.mjs'), place.path('tools/crm.mjs'));
      return yes;
    });
    const { why } = await runAt(place, { mode: 'interactive', approver });
    expect(why).toBe(
      `a guarded file changed: toolset module ${place.path('tools/crm.mjs')} was replaced; look at it, then begin a new run or session`,
    );
    expect(place.text('tools/mark-crm')).toBe(null);
  });

  it('is the version in the log, even if the program had loaded another one before', async () => {
    const place = workplace(files);
    await runAt(place);
    writeFiles(place, { 'tools/crm.mjs': module({ says: 'newer' }) });
    await runAt(place);
    expect(place.text('tools/said')).toBe('hello newer ');
  });

  it.each<readonly [string, string]>([
    ...['filesystem', 'shell', 'http', 'delegation', 'worker', 'provider', 'toolset', 'mcp-crm'].map(
      (name) => [name, `its name \`${name}\` is reserved`] as const,
    ),
    ['CRM', 'it exports no toolset as its default'],
    ['a.b', 'it exports no toolset as its default'],
    ['__proto__', 'it exports no toolset as its default'],
    ['main', 'two toolsets or workers are called `main`'],
    ['mine', 'two toolsets or workers are called `mine`'],
  ])('starts no toolset with the name %s', async (name, why) => {
    const place = workplace({ ...files, 'tools/crm.mjs': module({ name }) });
    const mine = defineToolset({ name: 'mine', tools: [] });
    const ran = await runAt(place, { toolsets: [mine] });
    expect([ran.status, ran.why]).toEqual(['failed', expect.stringContaining(why)]);
    expect(place.text('tools/said')).toBe(null);
  });

  it.each([
    ['nothing', 'export {};'],
    ['an invalid toolset', 'export default { name: "crm" };'],
    ['a toolset without a name', 'export default { tools: [] };'],
    ['null', 'export default null;'],
    ['two tools of one name', module().replace('tools: [', 'tools: [{ name: "say" },')],
    ['a tool without a name', module().replace("name: 'say'", "name: ''")],
    ['an exception', 'throw new Error("no");'],
    ['text that is not JavaScript', 'this is none'],
  ])('starts nothing if it exports %s, and the run fails', async (_, text) => {
    const { status, why } = await runAt(workplace({ ...files, 'tools/crm.mjs': text }));
    expect([status, why]).toEqual(['failed', expect.any(String)]);
  });

  it('starts no second toolset of one name, for any worker, simultaneously or later', async () => {
    const place = workplace({
      ...files,
      'tools/other.mjs': module({ says: 'other' }),
      'main.worker': worker({ toolsets: { a: {}, b: {} } }),
      'a.worker': worker({ toolsets: { './tools/crm.mjs': {} } }),
      'b.worker': worker({ toolsets: { './tools/other.mjs': {} } }),
      'script.yaml': {
        main: [calls(['a', { input: 'x' }], ['b', { input: 'x' }]), { say: 'done' }],
        a: [calls(['say']), { say: 'done' }],
        b: [calls(['say']), { say: 'done' }],
      },
    });
    const { events } = await runAt(place);
    const came = callsIn(events).flatMap(([, tool, , outcome]) =>
      tool === 'toolset.start' ? [`${outcome}`] : [],
    );
    expect(came.sort()).toEqual(['completed', 'failed']);
    expect(place.text('tools/said')).toMatch(/^(hello|other) $/);
  });

  it('is an error of the worker if a called tool does not exist', async () => {
    const main = worker({ toolsets: { './tools/crm.mjs': { approvals: { export: 'blocked' } } } });
    const { status, why } = await runAt(workplace({ ...files, 'main.worker': main }));
    expect([status, why]).toEqual([
      'failed',
      expect.stringContaining('names `export`, which crm does not have: say'),
    ]);
  });

  it('is resolved from the folder of the worker file, and not from unrelated folders above', async () => {
    const place = workplace({ ...files, 'main.worker': worker({ toolsets: { 'tools/crm.mjs': {} } }) });
    mkdirSync(place.path('node_modules'));
    expect(await openAt(place)).toMatchObject({ ok: false, problems: [{ code: 'UNKNOWN_TOOLSET' }] });
  });

  it('applies the approvals of its reference to its tools, and not to its start', async () => {
    const policy = {
      version: 1,
      default: 'needs_approval',
      capabilities: { 'code.load': 'pre_approved' },
      grants: { workers: true },
    };
    const main = (approvals: object) => worker({ toolsets: { './tools/crm.mjs': { approvals } } } as never);
    const granted = workplace({
      ...files,
      'policy.yaml': policy,
      'main.worker': main({ say: 'pre_approved' }),
    });
    expect(callsIn((await runAt(granted)).events)[1]).toEqual([
      'main',
      'crm.say',
      'pre_approved',
      'completed',
    ]);
    const blocked = workplace({ ...files, 'policy.yaml': policy, 'main.worker': main({ say: 'blocked' }) });
    const { log } = await runAt(blocked);
    expect(callsIn(linesOf(log))[1]).toEqual(['main', 'crm.say', 'blocked', 'blocked']);
  });
});
