import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readUnchanged } from '../../src/policies/read-unchanged.js';

const rest = 'capabilities:\n  net: blocked\n';

test('a file that is written to while it is read is read again', async () => {
  const { path, append } = writer();
  let reads = 0;
  const bytes = await readUnchanged(path, async () => {
    const found = readFileSync(path);
    if (reads === 0) append(rest);
    reads += 1;
    return found;
  });
  expect([reads, bytes.toString()]).toEqual([2, `version: 1\n${rest}`]);
});

test('a file that is written to while it is read is refused', async () => {
  const { path, append } = writer();
  const reading = readUnchanged(path, async () => {
    const found = readFileSync(path);
    append('# more\n');
    return found;
  });
  await expect(reading).rejects.toThrow('it is written to while it is read');
});

function writer() {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'policy.yaml');
  writeFileSync(path, 'version: 1\n');
  const append = (text: string) => {
    const descriptor = openSync(path, 'a');
    writeSync(descriptor, text);
    closeSync(descriptor);
  };
  return { path, append };
}
