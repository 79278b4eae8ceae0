import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Approver, printable } from '@ambit/core';
import { callsIn, textOf } from '../calls.js';
import { runToEnd } from '../run-to-end.js';
import { withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../file-organiser/', import.meta.url));

const files = {
  'inbox/aunt.txt': 'The garden is well.\n',
  'inbox/beach.jpg': 'a picture',
  'inbox/old.txt': 'Milk, bread.\n',
  'inbox/setup.sh': 'rm -rf /\n',
  'inbox/tax-2025.pdf': 'paid',
  'inbox/tax-draft.pdf': 'not yet',
  'tidy/letters/bank.txt': 'Yours faithfully\n',
};

/** Drafts are not for the tax office. */
const approver: Approver = {
  ask: async ({ args }) => {
    const approves = !textOf(args.path).includes('draft');
    return approves
      ? { answer: 'approve', person: 'example' }
      : { answer: 'refuse', person: 'example', note: 'drafts stay in the inbox' };
  },
};

await withScratch(async ({ folder, environment }) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const events = await runToEnd('Tidy up', {
    root: folder,
    policies: [join(home, 'policy.yaml')],
    workers: join(home, 'organiser.worker'),
    model: `script:${join(home, 'script.yaml')}`,
    mode: 'interactive',
    approver,
    environment,
  });
  const calls = callsIn(events);
  const moves = calls.map(({ args, decision, came }) => [
    args.to === undefined ? textOf(args.path) : `${textOf(args.path)} > ${textOf(args.to)}`,
    decision,
    came,
  ]);
  for (const [what, decision, came] of moves)
    process.stdout.write(`${printable(String(what)).padEnd(46)} ${decision}, ${came}\n`);
  // The calls of a turn run in parallel, so their order in the log varies.
  assert.deepEqual(
    moves.map((row) => row.join(', ')).sort(),
    [
      'inbox, pre_approved, completed',
      'inbox/beach.jpg > tidy/pictures/beach.jpg, pre_approved, completed',
      'inbox/aunt.txt > tidy/letters/aunt.txt, pre_approved, completed',
      'inbox/tax-2025.pdf > tidy/taxes/tax-2025.pdf, needs_approval, completed',
      'inbox/tax-draft.pdf > tidy/taxes/tax-draft.pdf, needs_approval, denied',
      // The worker's own roots refuse these under any policy.
      'inbox/setup.sh > tidy/other/setup.sh, pre_approved, cannot',
      'inbox/old.txt > tidy/letters/bank.txt, pre_approved, cannot',
      // The policy blocks these.
      'inbox/old.txt > ../old.txt, blocked, blocked',
      'tidy/letters/bank.txt > tidy/other/bank.txt, blocked, blocked',
      'inbox/old.txt, blocked, blocked',
      'inbox/old.txt > tidy/other/old.txt, pre_approved, completed',
    ].sort(),
  );
  const deletion = calls.find(({ tool }) => tool === 'filesystem.delete_file');
  assert.match(deletion?.why ?? '', /nothing is thrown away here/);

  assert.deepEqual((await readdir(join(folder, 'inbox'))).sort(), ['setup.sh', 'tax-draft.pdf']);
  const tidy = await readdir(join(folder, 'tidy'), { recursive: true });
  assert.deepEqual(tidy.filter((name) => name.includes('.')).sort(), [
    'letters/aunt.txt',
    'letters/bank.txt',
    'other/old.txt',
    'pictures/beach.jpg',
    'taxes/tax-2025.pdf',
  ]);
  assert.equal(await readFile(join(folder, 'tidy/letters/bank.txt'), 'utf8'), 'Yours faithfully\n');
  process.stdout.write('five files moved, one by a person’s leave, and nothing lost\n');
});
