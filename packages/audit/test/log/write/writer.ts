import { writeSync } from 'node:fs';
import { createLog, parseSigningKey } from '../../../src/index.js';
import type { LogOptions } from '../../../src/log/write/file-log.js';
import { decisionEvent, key } from '../../decision-event.js';

/** The instructions for a writer that is killed. */
export interface Told {
  readonly file: string;
  /** The prefix of its call ids. */
  readonly name: string;
  /** Of an argument. */
  readonly size: number;
  readonly secret: string | null;
  readonly rotate: NonNullable<LogOptions['rotate']>;
  readonly commit: NonNullable<LogOptions['commit']>;
}

// A run that is killed: says on its output which of its calls it was told are durable.
const { file, name, size, secret, rotate, commit } = JSON.parse(process.argv[2] ?? '') as Told;
const signer = secret === null ? null : parseSigningKey(secret);
const log = await createLog({
  file,
  run: 'r1',
  key,
  rotate,
  commit,
  ...(signer === null ? {} : { signer, heads: { entries: 7, seconds: 0.01 } }),
});
writeSync(1, 'open\n');
const args = { text: 'x'.repeat(size) };
let failed = 0;
for (let round = 0; failed < 2 && round < 100_000; round += 1) {
  const calls = Array.from({ length: 1 + (round % 4) }, (_, index) => `${name}-${round}-${index}`);
  const batches = calls.map((call) =>
    log.append([decisionEvent(call, 'pre_approved', args), decisionEvent(`${call}-again`)]),
  );
  for (const [index, result] of (await Promise.allSettled(batches)).entries()) {
    if (result.status === 'fulfilled') writeSync(1, `durable ${calls[index] ?? ''}\n`);
    else {
      const { code, message } = result.reason as { code: string; message: string };
      writeSync(1, `failed ${code} ${message}\n`);
      failed += 1;
    }
  }
}
