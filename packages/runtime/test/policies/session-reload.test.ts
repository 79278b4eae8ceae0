import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  out,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
  writeFiles,
  yes,
} from '../session.js';

const policy = (decision: string) => ({
  version: 1,
  default: 'blocked',
  capabilities: { fs: decision, 'fs.write': decision },
});
const decided = (decision: string) => ['main', 'filesystem.write_file', decision] as const;

/** Two writes one after the other; `between` happens while a person is asked about the first. */
async function runWith(place: Workplace, between: () => void) {
  let rounds = 0;
  const { approver, questions } = asking(() => {
    rounds += 1;
    if (rounds === 1) between();
    return yes;
  });
  const ran = await runAt(place, { mode: 'interactive', approver });
  return { ...ran, questions };
}

const files = {
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': { main: [calls(write('out/a.txt')), calls(write('out/b.txt')), { say: 'done' }] },
};

describe('a policy file that changes during a run', () => {
  it('judges from then on beside the initial policies, and is recorded', async () => {
    const place = workplace({ ...files, 'policy.yaml': policy('needs_approval') });
    const { events, questions } = await runWith(place, () =>
      writeFiles(place, { 'policy.yaml': policy('blocked') }),
    );
    expect(callsIn(events)).toEqual([
      [...decided('needs_approval'), 'blocked'],
      [...decided('blocked'), 'blocked'],
    ]);
    expect([questions.length, place.text('out/a.txt'), place.text('out/b.txt')]).toEqual([1, null, null]);
    const sources = events.filter(({ event }) => event === 'policy').map(({ files: logged }) => logged);
    expect(sources).toMatchObject([
      [{ source: JSON.stringify(policy('needs_approval')) }],
      [{ source: JSON.stringify(policy('blocked')) }],
    ]);
  });

  it('loosens nothing', async () => {
    const place = workplace({ ...files, 'policy.yaml': policy('needs_approval') });
    const { events } = await runWith(place, () =>
      writeFiles(place, { 'policy.yaml': policy('pre_approved') }),
    );
    expect(callsIn(events)).toEqual([
      [...decided('needs_approval'), 'completed'],
      [...decided('needs_approval'), 'completed'],
    ]);
  });

  it('is recorded once if it no longer loads, and the run continues with the old text', async () => {
    const place = workplace({ ...files, 'policy.yaml': policy('needs_approval') });
    const { events } = await runWith(place, () =>
      writeFiles(place, { 'policy.yaml': 'version: 1\ndefault: alow\n' }),
    );
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['completed', 'completed']);
    expect(events.filter(({ problems }) => problems !== undefined)).toMatchObject([
      { event: 'policy', files: [], problems: [expect.stringContaining('policy.yaml')] },
    ]);
  });

  it('stops the run if it is missing', async () => {
    const place = workplace({ ...files, 'policy.yaml': policy('needs_approval') });
    const { events, status } = await runWith(place, () => rmSync(place.path('policy.yaml')));
    expect([status, callsIn(events).map(([, , , came]) => came)]).toEqual(['stopped', ['stopped']]);
    expect(events.filter(({ event }) => event === 'guard_changed')).toMatchObject([
      { changes: [{ path: place.path('policy.yaml'), what: 'policy file', how: 'gone' }] },
    ]);
  });

  it('stops the run without waiting if it became a pipe without a writer', async () => {
    const place = workplace({ ...files, 'policy.yaml': policy('needs_approval') });
    const { events, status } = await runWith(place, () => {
      rmSync(place.path('policy.yaml'));
      execFileSync('mkfifo', [place.path('policy.yaml')]);
    });
    expect([status, callsIn(events).map(([, , , came]) => came)]).toEqual(['stopped', ['stopped']]);
  });

  it('is the same policy if it is written again unchanged', async () => {
    const place = workplace({ ...files, 'policy.yaml': policy('needs_approval') });
    const same = () => writeFiles(place, { 'policy.yaml': policy('needs_approval') });
    const { events } = await runWith(place, same);
    expect(events.filter(({ event }) => event === 'policy')).toHaveLength(1);
  });

  it('is reloaded if another policy extends it', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': { ...policy('needs_approval'), extends: ['org.yaml'] },
      'org.yaml': { version: 1, default: 'pre_approved' },
    });
    const { events } = await runWith(place, () => writeFiles(place, { 'org.yaml': policy('blocked') }));
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['blocked', 'blocked']);
  });
});
