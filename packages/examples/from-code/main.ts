import assert from 'node:assert/strict';
import { mkdir, open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open, type RunResult } from '@ambit/runtime';
import { runAmbit } from '../ambit.js';
import { readLog } from '../read-log.js';
import { type Scratch, withScratch } from '../scratch.js';
import { type Told, toldBy } from './told-by.js';

const home = fileURLToPath(new URL('../from-code/', import.meta.url));
const pitchdeck = fileURLToPath(new URL('../pitchdeck/', import.meta.url));

/** The same run, from the command line and from code. */
const program = {
  worker: join(pitchdeck, 'orchestrator.worker'),
  policy: join(pitchdeck, 'policy.yaml'),
  input: join(pitchdeck, 'decks'),
  model: `script:${join(home, 'script.yaml')}`,
  task: 'Evaluate aurora.pdf',
};

type Mode = 'strict' | 'approve_all';
type Ran = Pick<RunResult, 'status' | 'output' | 'why' | 'totals'>;

await withScratch(async (scratch) => {
  for (const mode of ['strict', 'approve_all'] as const) {
    const typed = await fromCommandLine(mode, scratch);
    const called = await fromCode(mode, scratch);
    // Everything except ids and times: decisions with reasons, answers, refusals and outcomes.
    assert.deepEqual(called.told, typed.told);
    assert.deepEqual(called.ran, typed.ran);
    const codes = typed.told.calls.flatMap(({ outcome }) =>
      outcome.code === undefined ? [] : [outcome.code],
    );
    assert.deepEqual([...new Set(codes)].sort(), [
      'bad_input',
      'blocked',
      'cannot',
      ...(mode === 'strict' ? ['strict'] : []),
      'unknown_tool',
    ]);
    process.stdout.write(`${mode}: ${typed.told.calls.length} calls, decided and answered alike\n`);
  }
  process.stdout.write('the same program from the command line and from code, to the letter\n');
});

async function fromCommandLine(
  mode: Mode,
  { folder, environment }: Scratch,
): Promise<{ told: Told; ran: Ran }> {
  const root = join(folder, `typed-${mode}`);
  await mkdir(root);
  const result = await openFile(join(root, 'result.json'), 'w');
  const args = ['run', program.worker, program.task, '--policy', program.policy, '--model', program.model];
  args.push('--folder', `input=${program.input}`, '--folder', `output=${join(root, 'reports')}`);
  args.push('--log', 'log.jsonl', '--json', '--quiet', mode === 'strict' ? '--strict' : '--approve-all');
  const exit = await runAmbit(args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', result.fd, 'ignore'],
  });
  await result.close();
  assert.equal(exit, 0, 'a run that finished is 0, refused calls or not');
  const { status, output, why, totals } = JSON.parse(
    await readFile(join(root, 'result.json'), 'utf8'),
  ) as Ran;
  return {
    told: toldBy(await readLog(join(root, 'log.jsonl')), root),
    ran: { status, output, why, totals },
  };
}

async function fromCode(mode: Mode, { folder, environment }: Scratch): Promise<{ told: Told; ran: Ran }> {
  const root = join(folder, `called-${mode}`);
  await mkdir(root);
  const opened = await open({
    root,
    policies: [program.policy],
    workers: program.worker,
    model: program.model,
    folders: { input: program.input, output: join(root, 'reports') },
    mode,
    environment,
  });
  assert(opened.ok, JSON.stringify(opened));
  const { session } = opened;
  const result = await session.run({ input: program.task });
  await session.close();
  const { status, output, why, totals } = result;
  return {
    told: toldBy(await readLog(session.log), root),
    // As JSON, like the other.
    ran: JSON.parse(JSON.stringify({ status, output, why, totals })) as Ran,
  };
}
