import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAmbit } from '../ambit.js';
import { readLog } from '../read-log.js';
import { type Scratch, withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../two-environments/', import.meta.url));

await withScratch(async (scratch) => {
  const dev = await runIn('dev', scratch);
  const ci = await runIn('ci', scratch);
  assert.deepEqual(dev, {
    decisions: [
      ['filesystem.read_file', 'pre_approved'],
      ['filesystem.write_file', 'pre_approved'],
    ],
    outcomes: ['completed', 'completed'],
    summary: 'One change.\n',
  });
  assert.deepEqual(ci, {
    decisions: [
      ['filesystem.read_file', 'pre_approved'],
      ['filesystem.write_file', 'blocked'],
    ],
    outcomes: ['completed', 'blocked'],
    summary: null,
  });
  process.stdout.write('the same calls: in dev both ran, in ci the write was blocked\n');
});

/** Runs the worker with this context from the host, and returns its log and the files of its folder. */
async function runIn(env: 'dev' | 'ci', { folder, environment }: Scratch) {
  const cwd = join(folder, env);
  await mkdir(join(cwd, 'notes'), { recursive: true });
  await writeFile(join(cwd, 'notes/changes.md'), 'Doors open inwards now.\n');
  const args = ['run', join(home, 'builder.worker'), 'Summarise the changes'];
  args.push('--policy', join(home, 'policy.yaml'), '--model', `script:${join(home, 'script.yaml')}`);
  args.push('--context', `env=${env}`, '--strict', '--log', 'decisions.jsonl');
  const code = await runAmbit(args, { cwd, env: environment, stdio: 'inherit' });
  assert.equal(code, 0, 'a run that finished is 0, refused calls or not');
  const events = await readLog(join(cwd, 'decisions.jsonl'));
  return {
    decisions: events
      .filter(({ event }) => event === 'decision')
      .map(({ tool, decision }) => [tool, decision]),
    outcomes: events.filter(({ event }) => event === 'outcome').map(({ code, outcome }) => code ?? outcome),
    summary: await readFile(join(cwd, 'out/summary.md'), 'utf8').catch(() => null),
  };
}
