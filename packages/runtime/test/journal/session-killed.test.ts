import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { verifyLog } from '@ambit/audit';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDeep, some } from '../../../../test/depth.js';
import { build, ended, program, start } from '../program.js';
import {
  calls,
  type Entry,
  linesOf,
  out,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
} from '../session.js';

const turns = 60;
const atOnce = 20;
const files = {
  'policy.yaml': { version: 1, default: 'needs_approval' },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'nothing.yaml': { main: [{ say: 'nothing' }] },
  'script.yaml': {
    main: Array.from({ length: turns }, (_, turn) =>
      calls(...Array.from({ length: atOnce }, (_each, index) => write(`out/${turn}-${index}`, 'whole'))),
    ),
  },
};

const options = ['--policy', 'policy.yaml', '--model', 'script:script.yaml', '--approve-all', '--quiet'];

type Moment = { readonly after: number; readonly of: 'milliseconds' | 'files' };

/** From before the program has begun to the middle of its work. */
const moments: readonly Moment[] = some<Moment>([
  ...[0, 60, 150, 250, 330, 390, 450, 520, 600, 700].map((after) => ({ after, of: 'milliseconds' }) as const),
  ...[1, 2, 3, 5, 8, 13, 19, 20, 21, 41, 60, 99].map((after) => ({ after, of: 'files' }) as const),
]);

async function killed(place: Workplace, name: string, { after, of }: Moment): Promise<void> {
  const child = start(place, [
    process.execPath,
    program,
    'run',
    'main',
    ...options,
    '--log',
    `logs/${name}.jsonl`,
    '--folder',
    `out=out/${name}`,
  ]);
  const done = ended(child);
  let alive = true;
  void done.then(() => {
    alive = false;
  });
  if (of === 'milliseconds') await wait(after);
  else while (alive && written(place, name).length < after) await wait(1);
  if (alive) process.kill(-(child.pid ?? 0), 'SIGKILL');
  const { exit, err } = await done;
  // Null where it was killed; a run that was faster than the moment has ended by itself.
  expect([exit === null || exit === 0, err]).toEqual([true, expect.not.stringContaining('Error')]);
}

/** The files that the run has made, except for those that have no name yet. */
function written({ path }: Workplace, name: string): readonly string[] {
  const folder = path(`out/${name}`);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((file) => !file.startsWith('.ambit-'));
}

/** The paths that a log permits to be written: judged and, where that was asked, approved. */
function permitted(events: readonly Entry[]): ReadonlySet<unknown> {
  const judged = events.filter(({ event }) => event === 'decision');
  const approved = new Set(
    events.filter(({ event, approved: yes }) => event === 'approval' && yes === true).map(({ call }) => call),
  );
  const free = judged.filter(({ decision, call }) => decision === 'pre_approved' || approved.has(call));
  return new Set(free.map(({ args }) => (args as { path: string }).path));
}

describe('a killed run', () => {
  beforeAll(build, 300_000);

  it.skipIf(!isDeep)('leaves a valid log, and no executed call without a recorded decision', async () => {
    const place = workplace(files);
    let [begun, done] = [0, 0];
    for (const [index, moment] of moments.entries()) {
      const name = `r${index}`;
      await killed(place, name, moment);
      const made = written(place, name);
      const log = place.path(`logs/${name}.jsonl`);
      if (!existsSync(log)) {
        expect(made).toEqual([]);
        continue;
      }
      expect(await verifyLog(log)).toMatchObject({ ok: true });
      const paths = permitted(linesOf(log));
      expect(made.filter((file) => !paths.has(`out/${file}`))).toEqual([]);
      expect(new Set(made.map((file) => readFileSync(place.path(`out/${name}/${file}`), 'utf8')))).toEqual(
        new Set(made.length === 0 ? [] : ['whole']),
      );
      begun += 1;
      done += made.length;
    }
    // The log of a killed run is continued.
    await runAt(place, { log: `logs/r${moments.length - 1}.jsonl`, model: 'script:nothing.yaml' });
    // The moments that wait for files have come in the middle of the work.
    const waited = moments.flatMap(({ after, of }) => (of === 'files' ? [after] : []));
    expect(begun).toBeGreaterThanOrEqual(waited.length);
    expect(done).toBeGreaterThanOrEqual(waited.reduce((sum, after) => sum + after, 0));
  });
});
