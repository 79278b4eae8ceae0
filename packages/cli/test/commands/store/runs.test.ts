import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { asked, StoredPlace, storedRun } from './stored.js';

let place: StoredPlace;
beforeEach(() => {
  place = new StoredPlace();
});

const event = (call: string, more: object) => ({ now: 1, call, ...more });

async function fill(): Promise<void> {
  await place.filled(async (store) => {
    await store.begin(storedRun('m1-aaaa'));
    await store.begin(storedRun('m2-bbbb', { pid: process.pid, begun: Date.now() }));
    await store.begin(storedRun('m3-cccc', { worker: 'evil\u001b[2J', mode: 'strict' }));
    await store.setStatus('m3-cccc', 'finished', Date.now());
    await store.ask({ ...asked('q1'), run: 'm1-aaaa' });
    await store.ask({ ...asked('q2'), run: 'm1-aaaa' });
    await store.withdraw('q2', 1);
    await store.append('m1-aaaa', [
      { step: 'entry', entry: { input: 'go' } },
      {
        step: 'events',
        events: [
          event('c1', {
            event: 'decision',
            chain: ['orchestrator'],
            tool: 'filesystem.write_file',
            args: {},
            decision: 'needs_approval',
          }),
          event('c1', {
            event: 'approval',
            how: 'person',
            who: { person: 'ada', approval: 'a1' },
            approved: true,
            edited: false,
            note: null,
          }),
        ] as never,
      },
      { step: 'executing', call: 'c1' },
      {
        step: 'events',
        events: [
          event('c2', {
            event: 'decision',
            parent: 'c1',
            chain: ['orchestrator', 'evaluator'],
            tool: 'shell.run',
            args: {},
            decision: 'blocked',
          }),
          event('c2', {
            event: 'outcome',
            outcome: 'refused',
            code: 'blocked',
            reason: 'no \u001b[2J shell\n  for you',
          }),
        ] as never,
      },
    ]);
  });
}

describe('ambit runs list', () => {
  it('shows the newest run first, and marks interrupted runs', async () => {
    await fill();
    const { exit, out, err } = await place.ambit('runs', 'list');
    expect([exit, err]).toEqual([0, 'ambit runs show ID\n']);
    // How long ago it was decides where a line is broken.
    expect(out.replace(/\n {22}/g, ' ').replace(/started \d+ \w+ ago/g, 'started some time ago')).toBe(
      `m3-cccc  finished     evil\\u{1b}[2J, strict, started some time ago
m2-bbbb  running      orchestrator, interactive, started some time ago
m1-aaaa  interrupted  orchestrator, interactive, started some time ago, 1 open question
`,
    );
    expect((await place.ambit('runs')).out.split('\n')).toHaveLength(out.split('\n').length);
    expect((await place.ambit('approvals')).out).toContain('q1');
    const { runs } = JSON.parse((await place.ambit('runs', 'list', '--json')).out) as { runs: unknown[] };
    const { options: _, ...first } = storedRun('m1-aaaa');
    expect(runs.at(-1)).toEqual({ ...first, status: 'interrupted', since: first.begun, waiting: 1 });
  });

  it('shows when the agent of a session has ended', async () => {
    await place.filled(async (store) => {
      await store.begin(storedRun('s1', { mode: 'client' }));
      await store.begin(storedRun('s2', { mode: 'client', pid: process.pid, begun: Date.now() }));
    });
    expect((await place.ambit('runs', 'list')).out).toMatch(/^s2 {2}running .*\ns1 {2}ended /);
    expect((await place.ambit('runs', 'show', 's1')).out).toMatch(/^status +ended$/m);
  });

  it('is mentioned at the next start after a crash, with the command to resume it', async () => {
    await fill();
    // A session of another agent, which resumes it by itself.
    await place.filled((store) => store.begin(storedRun('m4-dddd', { mode: 'client' })));
    writeFileSync(join(place.root, 'w.worker'), 'toolsets: {}\n---\nWork.\n');
    writeFileSync(join(place.root, 'policy.yaml'), 'version: 1\ndefault: blocked\n');
    writeFileSync(join(place.root, 'script.yaml'), 'w: [{ say: done }]\n');
    const words = 'run w --policy policy.yaml --model script:script.yaml --strict --quiet';
    const { exit, err } = await place.ambit(...words.split(' '));
    const named = 'ambit: the run m1-aaaa of orchestrator was interrupted; ambit run --resume m1-aaaa\n';
    expect([exit, err]).toEqual([0, expect.stringContaining(named)]);
  });

  it('fits 80 columns, with wrapped details', async () => {
    // What is to come is 0 s ago, however slow this is.
    const begun = Date.now() + 3_600_000;
    const run = { worker: 'a-worker-with-a-name-that-goes-on', pid: process.pid, begun };
    await place.filled(async (store) => {
      await store.begin(storedRun('mwqjjmw0-89b383707b8e', run));
      await store.ask({ ...asked('q1'), run: 'mwqjjmw0-89b383707b8e' });
    });
    const { out } = await place.ambit('runs', 'list');
    expect(out).toBe(
      `mwqjjmw0-89b383707b8e  running      a-worker-with-a-name-that-goes-on,
                                    interactive, started 0 s ago, 1 open
                                    question
`,
    );
  });

  it('reports an empty list', async () => {
    expect(await place.ambit('runs', 'list')).toEqual({ exit: 0, out: '', err: 'no runs here\n' });
  });
});

describe('ambit runs show', () => {
  beforeEach(fill);

  it('shows the state of a run, its waiting questions and its calls', async () => {
    const { exit, out, err } = await place.ambit('runs', 'show', 'm1');
    expect([exit, err]).toEqual([0, '']);
    expect(
      out.replace(/, \d+ \w+ ago$/gm, ', some time ago').replace(/asked \d+ \w+ ago/, 'asked some time ago'),
    ).toBe(
      `run       m1-aaaa
worker    orchestrator
mode      interactive
status    interrupted
started   2026-11-21T09:00:00.000Z
log       /w/.ambit/log/r1.jsonl
resume    ambit run --resume m1-aaaa

Open questions
q1  waiting, asked some time ago, run m1-aaaa
  orchestrator › evaluator wants to call filesystem.write_file
  to write /work/out/a.md

Calls
  c1  orchestrator  filesystem.write_file
      needs_approval, approved by ada, unknown
    c2  orchestrator › evaluator  shell.run
      blocked, refused: no \\u{1b}[2J shell; for you
`,
    );
  });

  it('leaves a command in a reason as it is', async () => {
    const reason = 'ambit approvals approve toolu_01.1';
    const of = { chain: ['agent'], tool: 'shell.run', args: {}, decision: 'needs_approval' };
    const decided = event('c3', { event: 'decision', ...of });
    const refused = event('c3', { event: 'outcome', outcome: 'refused', code: 'unanswered', reason });
    await place.filled(async (store) => {
      await store.append('m3-cccc', [{ step: 'events', events: [decided, refused] as never }]);
    });
    expect((await place.ambit('runs', 'show', 'm3')).out).toContain(`refused: ${reason}`);
  });

  it('does not suggest to resume a run that has not started or has ended', async () => {
    await place.filled(async (store) => {
      await store.begin(storedRun('m4-dddd'));
      await store.append('m3-cccc', [{ step: 'entry', entry: {} }]);
    });
    for (const id of ['m4', 'm3', 'm2'])
      expect((await place.ambit('runs', 'show', id)).out).not.toContain('resume');
  });

  it('gives one JSON document', async () => {
    const { out } = await place.ambit('runs', 'show', 'm1-aaaa', '--json');
    expect(JSON.parse(out)).toMatchObject({
      id: 'm1-aaaa',
      status: 'interrupted',
      questions: [{ id: 'q1', state: 'waiting' }],
      calls: [
        { call: 'c1', decision: 'needs_approval', outcome: 'unknown' },
        { call: 'c2', parent: 'c1', decision: 'blocked', outcome: 'refused' },
      ],
    });
  });

  it('finds only runs of its folder', async () => {
    expect(await place.ambit('runs', 'show', 'm')).toMatchObject({ exit: 2, out: '' });
    expect(await place.ambit('runs', 'show', 'nothing')).toEqual({
      exit: 2,
      out: '',
      err: 'ambit: there is no run `nothing` here\nhint: ambit runs list\n',
    });
    const { exit, err } = await new StoredPlace().ambit('runs', 'show', 'm1-aaaa');
    expect([exit, err]).toEqual([2, expect.stringContaining('go to the folder of the project')]);
  });
});
