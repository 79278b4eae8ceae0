import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog, verifyLog } from '../src/index.js';
import { decisionEvent, folder, key as logKey } from './events.js';
import { bothVerify, hasPython } from './second-verifier.js';
import { headsOf, linesOf, parse, rehashed, signedLog, signedRun, signer } from './signed.js';

const keys = [signer.verifier];
const verifier = fileURLToPath(new URL('../../../verifier/', import.meta.url));

// Says of each file that it is told of what `main` would; one process for all of them.
const loop = `import json, sys
sys.path.insert(0, sys.argv[1])
import verify_log
key = verify_log.key_of(sys.argv[2])
for path in sys.stdin:
    print(json.dumps(verify_log.verify(path.rstrip(), [key], [])))
`;

function saidOf(files: readonly string[]): readonly unknown[] {
  const { stdout, stderr } = spawnSync(
    'python3',
    ['-S', '-E', '-B', '-c', loop, verifier, signer.verifier.text],
    { input: files.map((file) => `${file}\n`).join(''), encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  if (stderr !== '') throw new Error(stderr);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

describe.skipIf(!hasPython)('the second verifier', () => {
  it('reads every value as this one does', async () => {
    const values = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 400, seed: 6 }) as Json[];
    const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 400, seed: 7 });
    const texts = fc.sample(fc.string({ unit: 'binary' }), { numRuns: 400, seed: 8 });
    const more = [
      2 ** 53 + 2,
      1e21,
      1e-7,
      123e-20,
      5e-324,
      -0,
      1e300,
      { '10': 1, '9': 2, '\u{1f600}': 3, '\ufb33': 4 },
    ];
    const events = [...values, ...numbers, ...texts, ...more].map((value, at) =>
      decisionEvent(`c${at}`, 'blocked', { value }),
    );
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key: logKey, signer });
    await log.append([signedRun(), ...events]);
    await log.close();
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: events.length + 1 });
  });

  it('finds the same in the same place, whatever is done to a log and its heads', async () => {
    const log = await signedLog();
    const [bytes, heads] = [readFileSync(log), readFileSync(`${log}.heads`)];
    const place = folder();
    const edits = fc.record({
      what: fc.constantFrom('flip', 'cut', 'drop', 'put', 'double', 'swap', 'hash', 'heads' as const),
      at: fc.nat(),
      to: fc.nat(),
    });
    const files = fc.sample(edits, { numRuns: 250, seed: 6 }).map(({ what, at, to }, index) => {
      const file = join(place, `log-${index}`);
      const lines = linesOf(log);
      const one = at % lines.length;
      const other = to % lines.length;
      const joined = (changed: readonly string[]) => Buffer.from(changed.map((line) => `${line}\n`).join(''));
      const flipped = (from: Buffer) => {
        const turned = Buffer.from(from);
        turned[at % turned.length] = (turned[at % turned.length] ?? 0) ^ (1 << (to % 8));
        return turned;
      };
      const tampered = {
        flip: () => flipped(bytes),
        cut: () => bytes.subarray(0, at % bytes.length),
        drop: () => joined(lines.toSpliced(one, 1)),
        put: () =>
          Buffer.concat([
            bytes.subarray(0, at % bytes.length),
            Buffer.from([to % 256]),
            bytes.subarray(at % bytes.length),
          ]),
        double: () => joined(lines.toSpliced(one, 0, lines[other] ?? '')),
        swap: () => joined(lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '')),
        hash: () => joined(rehashed(lines.toSpliced(one, to % 2, lines[other] ?? '').map(parse))),
        heads: () => bytes,
      };
      writeFileSync(file, tampered[what]());
      writeFileSync(`${file}.heads`, what === 'heads' ? flipped(heads) : heads);
      return file;
    });
    const said = saidOf(files);
    const found = await Promise.all(
      files.map(async (file) => {
        const verification = await verifyLog(file, { keys });
        return verification.ok
          ? { ok: true, entries: verification.entries, root: verification.root }
          : { ok: false, code: verification.code, line: verification.line };
      }),
    );
    const disagreements = found.flatMap((one, index) => {
      const other = said[index] as Record<string, unknown>;
      const same = Object.entries(one).every(([key, value]) => other[key] === value);
      return same ? [] : [{ one, other, text: readFileSync(files[index] ?? '', 'latin1').slice(0, 300) }];
    });
    expect(disagreements).toEqual([]);
    // The edits are no formality: nearly all of them do harm, of many kinds.
    expect(found.filter(({ ok }) => ok).length).toBeLessThan(40);
    expect(new Set(found.map((one) => ('code' in one ? one.code : 'ok'))).size).toBeGreaterThan(8);
    expect(headsOf(log)).toHaveLength(5);
  });
});
