import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { verifyLog } from '@ambit/audit';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { stride } from '../../../../test/depth.js';
import { resume } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import {
  approving,
  dying,
  environmentOf,
  files,
  interrupted,
  ledger,
  nobodyAsked,
  resumed,
} from '../resuming.js';
import { linesOf, sessionAt, workplace } from '../session.js';

describe('the log of a resumed run', () => {
  it('contains each event once, besides another run, after any number of interruptions', async () => {
    for (let after = 4; after < 20; after += stride) {
      const place = workplace(files);
      const store = memoryStore();
      const { toolset } = ledger();
      const approver = approving(nobodyAsked());
      const options = { mode: 'interactive', approver, toolsets: [toolset] } as const;
      const log = 'all.jsonl';
      const other = async () => {
        const session = await sessionAt(place, { ...options, log, store: memoryStore() });
        await session.run({ input: 'work' });
        await session.close();
      };
      const run = await interrupted(place, { ...options, log, store: dying(store, after, true) });
      await other();
      const again = { ...options, store: dying(store, 3, true) };
      await resumed(place, run, again).catch(() => undefined);
      await other();
      const { status, log: file } = await resumed(place, run, { ...options, store });
      expect([after, status]).toEqual([after, 'finished']);
      expect(await verifyLog(file)).toMatchObject({ ok: true, runs: 3 });
      const own = linesOf(file).filter(({ run: id, event }) => id === run && event !== 'run');
      const kept = (await store.steps(run)).flatMap((step) => (step.step === 'events' ? step.events : []));
      expect(own.map(({ event, call }) => [event, call])).toEqual(
        kept
          .filter(({ event }) => event !== 'run')
          .map((event) => [event.event, 'call' in event ? event.call : undefined]),
      );
    }
  });

  it('is not continued if it contains an entry that the run did not write', async () => {
    const place = workplace(files);
    const store = memoryStore();
    const { toolset } = ledger();
    const options = { mode: 'interactive', approver: approving(nobodyAsked()), toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dying(store, 9, true) });
    const log = (await store.run(run))?.log ?? '';
    const text = readFileSync(log, 'utf8');
    const rest = { root: place.root, environment: environmentOf(place), ...options, store };
    appendFileSync(log, forged(text));
    expect(await verifyLog(log)).toMatchObject({ ok: true });
    const opened = await resume(run, rest);
    const message = `${log}:${text.split('\n').length}: the run never wrote this entry: put back the log that it wrote, or start another run`;
    expect(opened).toMatchObject({ ok: false, problems: [{ code: 'CANNOT_START', message }] });
    writeFileSync(log, text);
    expect(await resumed(place, run, { ...options, store })).toMatchObject({ status: 'finished' });
  });
});

/** One more line, a decision that nobody made, with the right hash. */
function forged(text: string): string {
  const lines = text.split('\n').slice(0, -1);
  const last = lines.at(-1) ?? '';
  const { seq } = JSON.parse(last) as { readonly seq: number };
  const decision = lines.findLast((line) => line.includes('"event":"decision"')) ?? '';
  const rest = JSON.parse(decision) as JsonObject;
  const time = '2030-01-01T00:00:00.000Z';
  const prev = createHash('sha256').update(last).digest('hex');
  return `${JSON.stringify({ ...rest, call: 'forged', seq: seq + 1, prev, time })}\n`;
}
