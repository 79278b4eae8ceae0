import { readdirSync } from 'node:fs';
import { verifyLog } from '@ambit/audit';
import { beforeAll, describe, expect, it } from 'vitest';
import { build, ended, program, start } from '../program.js';
import { calls, linesOf, out, worker, workplace, write } from '../session.js';

describe('a full disk for the log', () => {
  beforeAll(build, 300_000);

  it('stops the run, and no unrecorded call has run', async () => {
    const place = workplace({
      'policy.yaml': { version: 1, default: 'needs_approval' },
      'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
      'script.yaml': { main: Array.from({ length: 100 }, (_, index) => calls(write(`out/${index}`))) },
    });
    const options = ['--policy', 'policy.yaml', '--model', 'script:script.yaml', '--approve-all', '--quiet'];
    // The system lets no file grow beyond 256 blocks of 1024 bytes: the log wants to, and what it is kept in before.
    const limited = 'ulimit -f 256 && exec "$0" "$@"';
    const command = ['bash', '-c', limited, process.execPath, program, 'run', 'main', ...options] as const;
    const { exit, err } = await ended(start(place, [...command, '--log', 'log.jsonl']));
    expect([exit, err]).toEqual([1, expect.stringMatching(/cannot be (?:stored|written)/)]);
    expect(await verifyLog(place.path('log.jsonl'))).toMatchObject({ ok: true, ended: false });
    const events = linesOf(place.path('log.jsonl'));
    const approved = events.filter(({ event }) => event === 'approval').map(({ call }) => call);
    const judged = events.filter(({ event, call }) => event === 'decision' && approved.includes(call));
    const paths = judged.map(({ args }) => (args as { path: string }).path);
    const made = readdirSync(place.path('out')).map((file) => `out/${file}`);
    expect(made.filter((path) => !paths.includes(path))).toEqual([]);
    expect([made.length > 0, made.length < 100]).toEqual([true, true]);
  });
});
