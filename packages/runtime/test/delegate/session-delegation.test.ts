import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  decisionOn,
  type Files,
  out,
  reasonsIn,
  runAt,
  worker,
  workplace,
  write,
  yes,
} from '../session.js';

const delegating = { version: 1, default: 'needs_approval', capabilities: { 'worker.call': 'pre_approved' } };
const help = (input = 'help') => calls(['helper', { input }]);
const files: Files = {
  'policy.yaml': delegating,
  'main.worker': worker({ sandbox: out, toolsets: { helper: {}, filesystem: {} } }),
  'helper.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': { main: [help(), { say: 'done' }], helper: [{ say: 'helped' }] },
};
const writing = {
  main: [help(), calls(write('out/by-main')), { say: 'done' }],
  helper: [calls(write('out/by-helper')), { say: 'wrote' }],
};

describe('a worker as a tool', () => {
  it('is one tool with its name, recorded as `worker.NAME`, with the chain in every line', async () => {
    const place = workplace({ ...files, 'script.yaml': writing });
    const { events, status, totals } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events)).toEqual([
      ['main', 'worker.helper', 'pre_approved', 'completed'],
      ['main > helper', 'filesystem.write_file', 'needs_approval', 'completed'],
      ['main', 'filesystem.write_file', 'needs_approval', 'completed'],
    ]);
    expect(carriedBy(events, 'worker.helper')).toEqual([
      { name: 'worker.call', worker: 'helper', attachments: 0 },
    ]);
    expect([status, totals.approvedBy]).toEqual(['finished', { 'mode:approve_all': 2 }]);
  });

  it('shows a person the whole chain', async () => {
    const { approver, questions } = asking(() => yes);
    await runAt(workplace({ ...files, 'script.yaml': writing }), { mode: 'interactive', approver });
    expect(questions.map(({ chain }) => chain)).toEqual([['main', 'helper'], ['main']]);
  });

  it.each([
    ['capabilities', { capabilities: { 'fs.write': 'pre_approved' } }],
    ['tools', { tools: { 'filesystem.write_file': 'pre_approved' } }],
  ])('has a permission for a caller, by %s, only for that caller', async (_, rules) => {
    const policy = { ...delegating, workers: { main: rules } };
    const { events } = await runAt(workplace({ ...files, 'policy.yaml': policy, 'script.yaml': writing }));
    expect(callsIn(events).slice(1)).toEqual([
      ['main > helper', 'filesystem.write_file', 'needs_approval', 'strict'],
      ['main', 'filesystem.write_file', 'pre_approved', 'completed'],
    ]);
  });

  it('may have a permission that its caller lacks', async () => {
    const policy = { ...delegating, workers: { helper: { capabilities: { 'fs.write': 'pre_approved' } } } };
    const { events } = await runAt(workplace({ ...files, 'policy.yaml': policy, 'script.yaml': writing }));
    expect(callsIn(events).map(([, , decision]) => decision)).toEqual([
      'pre_approved',
      'pre_approved',
      'needs_approval',
    ]);
  });

  it.each([
    ['a restriction of its caller', 'main', 'blocked', 'blocked'],
    [
      'no restriction of its caller with `inherit: false`',
      'main',
      { decision: 'blocked', inherit: false },
      'pre_approved',
    ],
    ['no restriction of another worker', 'other', 'blocked', 'pre_approved'],
  ])('has %s', async (_, name, rule, decision) => {
    const policy = {
      ...delegating,
      capabilities: { 'worker.call': 'pre_approved', 'fs.write': 'pre_approved' },
      workers: { [name]: { capabilities: { 'fs.write': rule } } },
    };
    const { events } = await runAt(workplace({ ...files, 'policy.yaml': policy, 'script.yaml': writing }));
    expect(callsIn(events)[1]?.slice(0, 3)).toEqual(['main > helper', 'filesystem.write_file', decision]);
  });

  it('does not inherit an answer kept for its caller', async () => {
    const place = workplace({
      ...files,
      'script.yaml': {
        main: [calls(write('out/1')), calls(write('out/2')), help(), calls(write('out/3')), { say: 'done' }],
        helper: [calls(write('out/4')), calls(write('out/5')), { say: 'wrote' }],
      },
    });
    const { approver, questions } = asking(() => ({ ...yes, keep: { remember: 'run', reach: 'folder' } }));
    await runAt(place, { mode: 'interactive', approver });
    expect(questions.map(({ chain, args }) => [chain.length, args.path])).toEqual([
      [1, 'out/1'],
      [2, 'out/4'],
    ]);
  });

  it('is not started if its call is blocked', async () => {
    const policy = { ...delegating, capabilities: { 'worker.call': 'blocked' } };
    const started: string[] = [];
    const { events } = await runAt(workplace({ ...files, 'policy.yaml': policy, 'script.yaml': writing }), {
      onEvent: (event) => event.type === 'worker_started' && started.push(event.chain.join(' > ')),
    });
    expect(callsIn(events)[0]).toEqual(['main', 'worker.helper', 'blocked', 'blocked']);
    expect(started).toEqual(['main']);
  });

  it('is not restricted by its caller’s references to other toolsets', async () => {
    const main = worker({
      sandbox: out,
      toolsets: { helper: {}, filesystem: { approvals: { write_file: 'blocked' } } },
    });
    const place = workplace({ ...files, 'main.worker': main, 'script.yaml': writing });
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events).map(([, , decision]) => decision)).toEqual([
      'pre_approved',
      'needs_approval',
      'blocked',
    ]);
  });

  it('fails its call if it fails, and its caller continues', async () => {
    const helper = worker({ output: { type: 'object' } });
    const { events, status, output } = await runAt(workplace({ ...files, 'helper.worker': helper }));
    expect([status, output]).toEqual(['finished', 'done']);
    expect(callsIn(events)).toEqual([['main', 'worker.helper', 'pre_approved', 'failed']]);
    expect(reasonsIn(events)).toEqual(['helper did not answer with JSON, which its output schema requires']);
  });

  it('runs at the same time as others', async () => {
    const script = {
      main: [
        calls(...['a', 'b', 'c', 'd'].map((each) => ['helper', { input: each }] as const)),
        { say: 'done' },
      ],
      helper: ['a', 'b', 'c', 'd'].flatMap((each) => [
        { for: each, ...(calls(write(`out/${each}`)) as object) },
        { for: each, say: each },
      ]),
    };
    const place = workplace({ ...files, 'script.yaml': script });
    // No one is answered before all are asked.
    let answer = () => {};
    const all = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { approver, questions } = asking(async () => {
      if (questions.length === 4) answer();
      await all;
      return yes;
    });
    const { events, totals } = await runAt(place, { mode: 'interactive', approver });
    expect(['a', 'b', 'c', 'd'].map((each) => place.text(`out/${each}`))).toEqual([
      'text',
      'text',
      'text',
      'text',
    ]);
    expect([totals.calls, totals.outcomes.completed]).toEqual([8, 8]);
    expect(new Set(callsIn(events).map(([chain]) => chain))).toEqual(new Set(['main', 'main > helper']));
  });
});

describe('the depth of a chain', () => {
  const self = (header: object) => worker({ toolsets: { main: {} }, ...header });

  it('is limited to five by default', async () => {
    const script = { main: [calls(['main', { input: 'again' }]), { say: 'done' }] };
    const { events } = await runAt(workplace({ ...files, 'main.worker': self({}), 'script.yaml': script }));
    const deepest = callsIn(events).at(-1);
    expect(deepest).toEqual(['main > main > main > main > main', 'worker.main', 'pre_approved', 'cannot']);
    expect(reasonsIn(events)).toEqual([
      'main cannot call main: that would be depth 6, and the limit of main is 5',
    ]);
  });

  it('stops two workers that call each other, with a message', async () => {
    const place = workplace({
      'policy.yaml': delegating,
      'main.worker': worker({ toolsets: { other: {} }, max_depth: 3 }),
      'other.worker': worker({ toolsets: { main: {} } }),
      'script.yaml': {
        main: [calls(['other', { input: 'x' }]), { say: 'done' }],
        other: [calls(['main', { input: 'x' }]), { say: 'other' }],
      },
    });
    const { events, status } = await runAt(place);
    expect([status, reasonsIn(events)]).toEqual([
      'finished',
      ['main cannot call other: that would be depth 4, and the limit of main is 3'],
    ]);
  });

  it.each([
    ['its own', { a: 1, b: 1, c: 5 }, 'a cannot call b: that would be depth 2, and the limit of a is 1'],
    ["its caller's", { a: 2, b: 5, c: 5 }, 'b cannot call c: that would be depth 3, and the limit of a is 2'],
    [
      'that of one in the middle',
      { a: 9, b: 1, c: 5 },
      'b cannot call c: that would be depth 2, and the limit of b is 1',
    ],
  ])('is limited by %s', async (_, limits, reason) => {
    const place = workplace({
      'policy.yaml': delegating,
      'main.worker': worker({ toolsets: { a: {} }, max_depth: 9 }),
      'a.worker': worker({ toolsets: { b: {} }, max_depth: limits.a }),
      'b.worker': worker({ toolsets: { c: {} }, max_depth: limits.b }),
      'c.worker': worker({ max_depth: limits.c }),
      'script.yaml': {
        main: [calls(['a', { input: 'x' }]), { say: 'done' }],
        a: [calls(['b', { input: 'x' }]), { say: 'a' }],
        b: [calls(['c', { input: 'x' }]), { say: 'b' }],
        c: [{ say: 'c' }],
      },
    });
    expect(reasonsIn((await runAt(place)).events)).toEqual([reason]);
  });
});

describe('worker_call', () => {
  const through = (allow_workers: readonly string[], call: object = { worker: 'helper', input: 'help' }) => ({
    ...files,
    'main.worker': worker({ toolsets: { delegation: { allow_workers } } }),
    'script.yaml': {
      main: [calls(['worker_call', call as never]), { say: 'done' }],
      helper: [{ say: 'helped' }],
    },
  });

  it.each([[['helper']], [['*']], [['*', 'helper']]])('calls workers that %j allows', async (allowed) => {
    const { events } = await runAt(workplace(through(allowed)));
    expect(callsIn(events)).toEqual([['main', 'delegation.worker_call', 'pre_approved', 'completed']]);
    expect(carriedBy(events, 'delegation.worker_call')).toEqual([
      { name: 'worker.call', worker: 'helper', attachments: 0 },
    ]);
  });

  it.each([
    [[], 'helper', 'none'],
    [['main'], 'helper', 'main'],
    [['*'], 'nobody', 'helper, main'],
    [['*'], 'constructor', 'helper, main'],
    [['*'], '*', 'helper, main'],
    [['*'], '../helper', 'helper, main'],
    [['*'], 'helprs', 'helper, main; did you mean `helper`?'],
    [['helper'], 'Helper', 'helper; did you mean `helper`?'],
  ])('refuses other workers: %j and %j', async (allowed, name, known) => {
    const { events } = await runAt(workplace(through(allowed, { worker: name, input: 'x' })));
    expect(callsIn(events)).toEqual([['main', 'delegation.worker_call', 'pre_approved', 'cannot']]);
    expect(reasonsIn(events)).toEqual([`\`${name}\` is not among the workers that can be called: ${known}`]);
  });

  it('refuses another worker, even if it is a tool of the worker', async () => {
    const toolsets = { delegation: { allow_workers: ['other'] }, helper: {} };
    const place = workplace({
      ...through([]),
      'main.worker': worker({ toolsets }),
      'other.worker': worker(),
    });
    expect(callsIn((await runAt(place)).events)[0]?.[3]).toBe('cannot');
  });

  it('is judged by the same rules as the tool of the worker', async () => {
    const policy = {
      ...delegating,
      capabilities: { 'worker.call': { decision: 'blocked', match: { worker: 'helper' } } },
    };
    const { events } = await runAt(workplace({ ...through(['*']), 'policy.yaml': policy }));
    expect(callsIn(events)[0]?.slice(2)).toEqual(['blocked', 'blocked']);
  });

  it('respects the depth limits', async () => {
    const main = worker({ toolsets: { delegation: { allow_workers: ['*'] } }, max_depth: 1 });
    const { events } = await runAt(workplace({ ...through(['*']), 'main.worker': main }));
    expect(callsIn(events)[0]?.[3]).toBe('cannot');
  });
});

describe('the input and output of a worker', () => {
  const schema = {
    input: {
      type: 'object',
      properties: { n: { type: 'number' }, unit: { type: 'string', default: 'points' } },
      required: ['n'],
      additionalProperties: false,
    },
    output: { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] },
  };
  const scored = (call: readonly [string, object], say: string): Files => ({
    ...files,
    'main.worker': worker({ toolsets: { helper: {}, delegation: { allow_workers: ['*'] } } }),
    'helper.worker': worker(schema),
    'script.yaml': {
      main: [calls(call as never), { say: 'done' }],
      // A turn that takes part only where the worker's model reads the default.
      helper: [{ for: '"unit": "points"', say }, { say: 'no unit' }],
    },
  });

  it.each([
    ['its own tool', ['helper', { n: 1 }]],
    ['worker_call', ['worker_call', { worker: 'helper', input: { n: 1 } }]],
  ] as const)('matches its schemas, with defaults applied, through %s', async (_, call) => {
    const { events } = await runAt(workplace(scored(call, '{"score": 7}')));
    expect([callsIn(events)[0]?.[3], reasonsIn(events)]).toEqual(['completed', []]);
  });

  it.each([
    ['its own tool', ['helper', { n: 'one' }], 'bad_input'],
    ['its own tool, with a key too many', ['helper', { n: 1, m: 2 }], 'bad_input'],
    [
      'its own tool, with attachments that it does not take',
      ['helper', { n: 1, attachments: [] }],
      'bad_input',
    ],
    ['worker_call', ['worker_call', { worker: 'helper', input: { n: 'one' } }], 'cannot'],
    ['worker_call, with text', ['worker_call', { worker: 'helper', input: 'one' }], 'cannot'],
    [
      'worker_call, with an extra key',
      ['worker_call', { worker: 'helper', input: { n: 1, m: 2 } }],
      'cannot',
    ],
  ] as const)('is refused if it does not match, through %s', async (_, call, code) => {
    const { events } = await runAt(workplace(scored(call, '{"score": 7}')));
    expect(callsIn(events)[0]?.[3]).toBe(code);
  });

  it.each(['{"score": "seven"}', '{}', '[]', 'seven', ''])(
    'is not accepted if it does not match: %s',
    async (say) => {
      const { events, status } = await runAt(workplace(scored(['helper', { n: 1 }], say)));
      expect([callsIn(events)[0]?.[3], status]).toEqual(['failed', 'finished']);
    },
  );

  it('fails the run if the entry worker gives no valid answer', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({ output: schema.output }),
      'script.yaml': { main: [{ say: 'seven' }] },
    });
    expect(await runAt(place)).toMatchObject({
      status: 'failed',
      why: 'main did not answer with JSON, which its output schema requires',
    });
  });

  it('is described before judgement: the callee, and the number of attachments', async () => {
    const place = workplace({ ...files, 'policy.yaml': { version: 1, default: 'blocked' } });
    const { events } = await runAt(place);
    expect(decisionOn(events, 'worker.helper')).toMatchObject({
      decision: 'blocked',
      capabilities: [{ name: 'worker.call', worker: 'helper', attachments: 0 }],
    });
  });
});
