import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from '@ambit/core';
import { callsIn } from '../calls.js';
import { runToEnd } from '../run-to-end.js';
import { type Scratch, withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../nested-delegation/', import.meta.url));

await withScratch(async (scratch) => {
  const office = await runFor('office', scratch);
  assert.deepEqual(office, {
    calls: [
      'office, worker.clerk, completed',
      'office > clerk, worker.keeper, completed',
      'office > clerk > keeper, filesystem.list_files, completed',
      'office > clerk > keeper, filesystem.delete_file, completed',
      'office > clerk, filesystem.write_file, completed',
    ],
    refusals: [],
    letter: null,
    cleared: 'the desk\n',
  });
  const auditor = await runFor('auditor', scratch);
  assert.deepEqual(auditor, {
    calls: [
      'auditor, worker.clerk, completed',
      'auditor > clerk, worker.keeper, completed',
      'auditor > clerk > keeper, filesystem.list_files, completed',
      'auditor > clerk > keeper, filesystem.delete_file, blocked',
      'auditor > clerk, filesystem.write_file, completed',
    ],
    // The keeper acts for the auditor through another worker, and is refused like the auditor itself. The run continues.
    refusals: [['evidence', 'what an auditor has asked about is evidence']],
    letter: 'Dear Sirs\n',
    cleared: 'the desk\n',
  });
  process.stdout.write('the same keeper, the same letter: cleared for the office, kept for the auditor\n');
});

/** Runs one worker, and returns its log and the files of its folder. */
async function runFor(worker: 'office' | 'auditor', { folder, environment }: Scratch) {
  const root = join(folder, worker);
  await mkdir(join(root, 'desk'), { recursive: true });
  await writeFile(join(root, 'desk/letter.txt'), 'Dear Sirs\n');
  const events = await runToEnd('Tidy up', {
    worker,
    root,
    policies: [join(home, 'policy.yaml')],
    workers: join(home, 'workers'),
    model: `script:${join(home, 'script.yaml')}`,
    mode: 'strict',
    environment,
  });
  const calls = callsIn(events).map(({ chain, tool, came }) => `${chain}, ${tool}, ${came}`);
  for (const call of calls) process.stdout.write(`${printable(call)}\n`);
  const blocked = events.filter(({ event, decision }) => event === 'decision' && decision === 'blocked');
  const read = (name: string) => readFile(join(root, name), 'utf8').catch(() => null);
  return {
    calls,
    refusals: blocked.map(({ judgements = [], reason }) => [
      judgements.flatMap(({ rules }) => rules).find((rule) => rule.decision === 'blocked')?.id,
      reason,
    ]),
    letter: await read('desk/letter.txt'),
    cleared: await read('archive/cleared.txt'),
  };
}
