import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ambitProgram } from '../ambit.js';
import { callsIn, textOf } from '../calls.js';
import { readLog } from '../read-log.js';
import { type Scratch, withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../pipeline/', import.meta.url));
const model = ['--model', `script:${join(home, 'script.yaml')}`];
const tickets = '7 the door does not open\n12 can I have the invoice by letter?\n';

await withScratch(async (scratch) => {
  // The output goes on in the pipeline. A run with a refused call can succeed.
  const done = await piped('done', { tickets, more: [...model, '--log', 'decisions.jsonl'] }, scratch);
  assert.deepEqual([done.exit, done.out], [0, '7\n']);
  assert.deepEqual(await readdir(join(done.folder, 'labels')), ['12.txt', '7.txt']);
  assert.deepEqual(await readdir(join(done.folder, 'letters')).catch(() => []), []);
  const calls = callsIn(await readLog(join(done.folder, 'decisions.jsonl')));
  assert.deepEqual(
    calls.map(({ args, decision, came }) => `${textOf(args.path)} ${decision} ${came}`).sort(),
    [
      'labels/12.txt pre_approved completed',
      'labels/7.txt pre_approved completed',
      'letters/12.txt needs_approval strict',
    ],
  );
  const letter = calls.find(({ came }) => came === 'strict');
  assert.match(letter?.why ?? '', /a customer reads this, so one of us reads it first/);

  // 1: it was stopped, or its answer is invalid. Nothing goes on in the pipeline.
  const stopped = await piped('stopped', { tickets, more: [...model, '--max-calls', '1'] }, scratch);
  assert.deepEqual([stopped.exit, stopped.out], [1, '']);
  assert.match(stopped.err, /over budget/);
  const unfit = await piped('unfit', { tickets: 'good morning\n', more: model }, scratch);
  assert.deepEqual([unfit.exit, unfit.out], [1, '']);
  // 2: it was not started.
  const unusable = await piped('unusable', { tickets, more: ['--model', 'script:nothing.yaml'] }, scratch);
  assert.deepEqual([unusable.exit, unusable.out], [2, '']);

  // With --json: one line for each event, and the result as the last line.
  const events = (await told(scratch))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
  assert.deepEqual([...new Set(events.map(({ v }) => v))], [1]);
  const outcomes = events.flatMap(({ event }) => (event?.event === 'outcome' ? [event.outcome] : []));
  assert.deepEqual(
    ['completed', 'refused'].map((outcome) => outcomes.filter((each) => each === outcome).length),
    [2, 1],
  );
  const last = events.at(-1);
  assert.deepEqual([last?.type, last?.status, last?.totals?.outcomes.refused], ['result', 'finished', 1]);
  process.stdout.write('one urgent ticket, two labels, and a letter that nobody was there to read\n');
});

/** The members of a line of `ambit run --json` that are used here. */
interface Told {
  readonly v: number;
  readonly type: string;
  readonly event?: { readonly event: string; readonly outcome?: string };
  readonly status?: string;
  readonly totals?: { readonly outcomes: { readonly refused: number } };
}

/** `echo TICKETS | triage.sh MORE`, in a folder of its own. */
async function piped(
  name: string,
  given: { readonly tickets: string; readonly more: readonly string[] },
  { folder, environment }: Scratch,
) {
  const cwd = join(folder, name);
  await mkdir(cwd);
  const ended = await run(['bash', join(home, 'triage.sh'), ...given.more], {
    cwd,
    environment: { ...environment, AMBIT: `${process.execPath} ${ambitProgram}` },
    stdin: given.tickets,
  });
  return { ...ended, folder: cwd };
}

async function told({ folder, environment }: Scratch): Promise<string> {
  const cwd = join(folder, 'told');
  await mkdir(cwd);
  const args = ['run', join(home, 'triage.worker'), '-', '--policy', join(home, 'policy.yaml')];
  const command = [process.execPath, ambitProgram, ...args, ...model, '--strict', '--json'];
  const { exit, out, err } = await run(command, { cwd, environment, stdin: tickets });
  assert.equal(exit, 0, err);
  return out;
}

async function run(
  [program = '', ...args]: readonly string[],
  of: { readonly cwd: string; readonly environment: Scratch['environment']; readonly stdin: string },
): Promise<{ readonly exit: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(program, args, { cwd: of.cwd, env: of.environment });
  // A program may end before it has read all of its input.
  child.stdin.on('error', () => undefined).end(of.stdin);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [exit, out, err] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { exit, out, err };
}
