import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, LogEvent } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { formatEvent, logSchema, readLog } from '../../../src/index.js';
import { folder, openLog, runEvent } from '../../events.js';
import { bothVerify } from '../../second-verifier.js';

const event: LogEvent = {
  now: 0,
  event: 'guard_changed',
  after: 'call-1',
  changes: [
    { path: '/w/main.worker', what: 'worker file', how: 'replaced' },
    { path: '/w/policy.yaml', what: 'policy file', how: 'gone' },
  ],
};

describe('the event `guard_changed`', () => {
  it('is written, accepted by both verifiers, and shown in one line', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await log.append([runEvent(), event]);
    await log.close();
    expect(await bothVerify(file)).toMatchObject({ ok: true, entries: 2 });
    const lines: string[] = [];
    for await (const { entry } of readLog(file)) lines.push(formatEvent(entry));
    expect(lines[1]).toBe(
      '   1  1970-01-01T00:00:00.000Z  guard_changed  worker file /w/main.worker replaced  policy file /w/policy.yaml gone  after call-1',
    );
    const { changes, after } = JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '') as JsonObject;
    expect({ changes, after }).toEqual({ changes: event.changes, after: 'call-1' });
  });

  it('is in the schema of the log', () => {
    const { oneOf } = logSchema() as unknown as { oneOf: { properties: Record<string, JsonObject> }[] };
    const members = oneOf.find(({ properties }) => properties.event?.const === 'guard_changed')?.properties;
    expect(Object.keys(members ?? {})).toEqual(['event', 'after', 'changes']);
  });
});
