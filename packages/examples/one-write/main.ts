import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Approver, printable } from '@ambit/core';
import { open } from '@ambit/runtime';
import { readLog } from '../read-log.js';
import { withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../one-write/', import.meta.url));
// The words of a question contain data, so characters that control a terminal are escaped.
const say = (line: string) => process.stdout.write(`${printable(line)}\n`);

// In a real program, this asks a person. An invalid answer, or an exception, refuses the call.
const approver: Approver = {
  ask: async ({ chain, tool, capabilities, reason }) => {
    say(`${chain.join(' > ')} wants to call ${tool}`);
    for (const { words } of capabilities) say(`  to ${words}`);
    say(`  asked because ${reason}`);
    say('  approved');
    return { answer: 'approve', person: 'example' };
  },
};

await withScratch(async ({ folder, environment }) => {
  const opened = await open({
    root: folder,
    policies: [join(home, 'policy.yaml')],
    workers: join(home, 'writer.worker'),
    model: `script:${join(home, 'script.yaml')}`,
    mode: 'interactive',
    approver,
    environment,
  });
  assert(opened.ok, JSON.stringify(opened));
  const { session } = opened;
  const result = await session.run({ input: 'Say hello' });
  await session.close();

  assert.equal(result.status, 'finished', result.why ?? '');
  assert.equal(await readFile(join(folder, 'out/hello.txt'), 'utf8'), 'Hello, approver.\n');
  const events = await readLog(session.log);
  // The decision is on disk before the question, and the answer before the write.
  assert.deepEqual(
    events.map(({ event }) => event),
    ['run', 'policy', 'decision', 'approval', 'outcome', 'end'],
  );
  const [, , decision, approval, outcome] = events;
  assert.deepEqual([decision?.tool, decision?.decision], ['filesystem.write_file', 'needs_approval']);
  assert.deepEqual([approval?.how, approval?.approved], ['person', true]);
  assert.equal(outcome?.outcome, 'completed');
  say('one write, one approval, and a log that holds both');
});
