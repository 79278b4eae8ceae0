import { describe, expect, it } from 'vitest';
import {
  calls,
  callsIn,
  decisionOn,
  openAt,
  out,
  runAt,
  worker,
  workplace,
  write,
  writeFiles,
} from '../session.js';

const policy = {
  version: 1,
  default: 'blocked',
  capabilities: { 'fs.write': 'pre_approved', 'fs.read': 'pre_approved' },
};
const newer = {
  version: 1,
  default: 'needs_approval',
  extends: ['base.yaml'],
  together: [
    { id: 'no-write-after-read', capabilities: ['fs.read', 'fs.write'], within: 'run', decision: 'blocked' },
  ],
  capabilities: { 'fs.write': 'pre_approved', 'fs.read': 'pre_approved' },
};
const files = {
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': {
    main: [
      calls(write('out/a.txt')),
      calls(['read_file', { path: 'out/a.txt' }]),
      calls(write('out/b.txt')),
      { say: 'done' },
    ],
  },
  'policy.yaml': policy,
  'new.yaml': newer,
  'base.yaml': { version: 1, default: 'pre_approved' },
};

describe('policies that a run only observes', () => {
  it('log their decisions about the real course of the run', async () => {
    const place = workplace(files);
    const { events, status } = await runAt(place, { observe: ['new.yaml'] });
    expect(status).toBe('finished');
    expect(callsIn(events).map(([, tool, decision, came]) => [tool, decision, came])).toEqual([
      ['filesystem.write_file', 'pre_approved', 'completed'],
      ['filesystem.read_file', 'pre_approved', 'completed'],
      ['filesystem.write_file', 'pre_approved', 'completed'],
    ]);
    const observed = events.filter(({ event }) => event === 'decision').map((event) => event.observed);
    expect(observed).toMatchObject([
      { decision: 'pre_approved' },
      {
        decision: 'blocked',
        judgements: [{ rules: [{ id: 'no-write-after-read' }, { id: 'capabilities.fs.read' }] }, {}],
      },
      { decision: 'blocked' },
    ]);
    expect(place.text('out/b.txt')).not.toBeNull();
  });

  it('are named in the log with their sources and extended files, and marked', async () => {
    const { events } = await runAt(workplace(files), { observe: ['new.yaml'] });
    const recorded = events.filter(({ event }) => event === 'policy').map(({ files: logged }) => logged);
    expect(recorded).toMatchObject([
      [
        { name: expect.stringMatching(/policy\.yaml$/) },
        { name: 'new.yaml', source: JSON.stringify(newer), observed: true },
        { name: 'base.yaml', observed: true },
      ],
    ]);
    expect((recorded as [object[]][])[0]?.[0]).not.toHaveProperty('observed');
  });

  it('do not change the log if there are none', async () => {
    const { events } = await runAt(workplace(files));
    expect(events.filter((event) => Object.hasOwn(event, 'observed'))).toEqual([]);
  });

  it('may be open, and may also be the judging policy', async () => {
    const { events } = await runAt(workplace(files), { observe: ['base.yaml', 'policy.yaml'] });
    const { judgements } = decisionOn(events, 'filesystem.read_file').observed as {
      judgements: { policy: string }[];
    };
    expect(judgements.map((judgement) => judgement.policy)).toEqual(['base.yaml', 'policy.yaml']);
  });

  it.each([
    ['does not load', 'version: 1\ndefault: alow\n', ['UNKNOWN_DECISION']],
    ['extends a missing file', 'version: 1\ndefault: blocked\nextends: [gone.yaml]\n', ['CANNOT_READ']],
    ['is missing', null, ['CANNOT_READ']],
  ])('refuse the start if one %s, and nothing is written', async (_, text, codes) => {
    const place = workplace(files);
    if (text !== null) writeFiles(place, { 'bad.yaml': text });
    const opened = await openAt(place, { observe: ['new.yaml', 'bad.yaml'] });
    expect(opened.ok ? [] : opened.problems.map(({ code }) => code)).toEqual(codes);
    expect(place.text('.ambit')).toBeNull();
  });

  it('cannot be changed by the observed run', async () => {
    const rooted = { paths: { here: { root: '.', mode: 'rw' } } };
    const place = workplace({
      ...files,
      'main.worker': worker({ sandbox: rooted, toolsets: { filesystem: {} } }),
      'script.yaml': { main: [calls(write('here/new.yaml')), { say: 'done' }] },
    });
    const { events } = await runAt(place, { observe: ['new.yaml'] });
    expect(callsIn(events)).toMatchObject([['main', 'filesystem.write_file', 'blocked', 'blocked']]);
    expect(place.text('new.yaml')).toBe(JSON.stringify(newer));
  });

  it('are not reloaded when their files change', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(write('out/a.txt')), { say: 'done' }] },
    });
    const { events } = await runAt(place, {
      observe: ['new.yaml'],
      onEvent: (event) => {
        if (event.type === 'worker_started')
          writeFiles(place, { 'new.yaml': { version: 1, default: 'blocked' } });
      },
    });
    expect(decisionOn(events, 'filesystem.write_file').observed).toMatchObject({ decision: 'pre_approved' });
    expect(events.filter(({ event }) => event === 'policy')).toHaveLength(1);
  });
});
