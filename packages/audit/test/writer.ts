import { writeSync } from 'node:fs';
import { createLog, parseSigningKey } from '../src/index.js';
import { decisionEvent, key } from './decision-event.js';

// A run that is killed: says on its output how many entries it was told are durable.
const [file = '', size = '0', secret = ''] = process.argv.slice(2);
const signer = parseSigningKey(secret);
const log = await createLog({
  file,
  run: 'r1',
  key,
  ...(signer === null ? {} : { signer, heads: { entries: 7, seconds: 0.01 } }),
});
writeSync(1, 'open\n');
const args = { text: 'x'.repeat(Number(size)) };
let failed = 0;
for (let round = 0; failed < 2 && round < 100_000; round += 1) {
  const batches = Array.from({ length: 1 + (round % 4) }, (_, index) =>
    log.append([decisionEvent(`c${round}`, 'pre_approved', args), decisionEvent(`d${index}`)]),
  );
  for (const result of await Promise.allSettled(batches)) {
    if (result.status === 'fulfilled') writeSync(1, 'durable\n');
    else {
      const { code, message } = result.reason as { code: string; message: string };
      writeSync(1, `failed ${code} ${message}\n`);
      failed += 1;
    }
  }
}
