import { counted, printable, shellWord } from '@ambit/core';
import { canGoOn, type RunRecord, runStatus, type StoredCall, storedCalls } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { questionJson, questionLines } from '../../questions/question-lines.js';
import { setLister } from '../../view/set-lister.js';
import { ago, field, type Looks, looksOf, timeText, wrapped } from '../../view/text.js';
import type { OptionsOf } from '../table/table.js';
import { questionsAndRuns, runNamed, withStore } from './with-store.js';

export async function runsShow(host: Host, id: string, { json }: OptionsOf<'runs show'>): Promise<void> {
  const { run, isBegun, calls, questions } = await withStore(host, async (store) => {
    const found = runNamed(await store.runs(), id);
    const all = await store.questions();
    const steps = await store.steps(found.id);
    return {
      run: runJson(found),
      // A run that was killed before it knew its task can only be restarted.
      isBegun: steps.some(({ step }) => step === 'entry'),
      calls: storedCalls(steps),
      questions: all.filter((one) => one.run === found.id && one.state === 'waiting'),
    };
  });
  if (json) {
    const waiting = await Promise.all(questions.map(questionJson).map(setLister(host)));
    await print(host, { ...run, questions: waiting, calls });
    return;
  }
  const [looks, now] = [looksOf(host.stdout, host.environment), Date.now()];
  const lines = [
    field('run', run.id),
    field('worker', run.worker),
    field('mode', run.mode),
    field(
      'status',
      run.status +
        (['interrupted', 'ended'].includes(run.status)
          ? ''
          : ` since ${timeText(run.since)}, ${ago(run.since, now)} ago`),
    ),
    field('started', timeText(run.begun)),
    field('log', run.log),
    ...(isBegun && ['interrupted', 'parked', 'failed'].includes(run.status)
      ? [field('resume', `${host.program} run --resume ${shellWord(run.id)}`)]
      : []),
    ...(questions.length === 0 ? [] : ['', 'Open questions']),
    ...questions.flatMap((question) => questionLines(question, { ...looks, now })),
    ...(calls.length === 0 ? [] : ['', 'Calls']),
    ...calls.flatMap((call) => callLines(call, looks)),
  ];
  await print(host, lines.join('\n'));
}

function callLines(call: StoredCall, { width }: Looks): readonly string[] {
  const answers = call.answers.map((one) => `${one.approved ? 'approved' : 'refused'} by ${whoText(one)}`);
  const why = call.why === null ? '' : `: ${call.why}`;
  const way = [call.decision ?? 'not judged', ...answers, call.outcome.replace('_', ' ') + why].join(', ');
  const id = `${call.parent === null ? '  ' : '    '}${printable(call.call)}  `;
  return [
    ...wrapped(`${call.chain.join(' › ')}  ${call.tool}`, width, id),
    ...wrapped(way.replace(/\s*\n\s*/g, '; '), width, '      '),
  ];
}

function whoText({ how, who }: StoredCall['answers'][number]): string {
  const named = typeof who === 'object' && who !== null && 'person' in who ? who.person : who;
  return typeof named === 'string' ? named : how;
}

/** Newest first. */
export async function runsList(host: Host, { json }: OptionsOf<'runs list'>): Promise<void> {
  const [questions, runs] = await questionsAndRuns(host);
  const waiting = (run: string) =>
    questions.filter((one) => one.run === run && one.state === 'waiting').length;
  const rows = runs.map((run) => ({ ...runJson(run), waiting: waiting(run.id) }));
  if (json) return print(host, { runs: rows });
  const [{ width }, now] = [looksOf(host.stdout, host.environment), Date.now()];
  for (const row of rows) {
    const asks = row.waiting === 0 ? '' : `, ${counted(row.waiting, 'open question')}`;
    const about = `${row.worker}, ${row.mode}, started ${ago(row.begun, now)} ago${asks}`;
    const head = `${printable(row.id)}  ${row.status.padEnd(11)}  `;
    // A narrow terminal has no room beside it.
    const isNarrow = width < head.length + 30;
    const lines = isNarrow ? [head.trimEnd(), ...wrapped(about, width, '  ')] : wrapped(about, width, head);
    await print(host, lines.join('\n'));
  }
  await write(host.stderr, `${rows.length === 0 ? 'no runs here' : `${host.program} runs show ID`}\n`);
}

/** A run for programs; its options are only for `--resume`. */
function runJson(record: RunRecord) {
  const { id, worker, mode, since, begun, log, pid } = record;
  return { id, worker, mode, status: runStatus(record), since, begun, log, pid };
}

/** Deletes the named or old runs from the store; none if one of them is running. */
export async function runsForget(
  host: Host,
  ids: readonly string[],
  { older, json }: OptionsOf<'runs forget'>,
): Promise<Exit> {
  if (ids.length === 0 && older === undefined)
    throw new UnusableError('no run given', 'ambit runs forget RUN, or --older DAYS');
  const { forgotten, kept } = await withStore(host, async (store) => {
    const runs = await store.runs();
    const named = ids.map((id) => runNamed(runs, id));
    requireOver(named);
    const wanted = new Set([...named, ...(older === undefined ? [] : runs.filter(endedBefore(older)))]);
    const [gone, stay]: [string[], string[]] = [[], []];
    for (const run of wanted) ((await store.forget(run)) ? gone : stay).push(run.id);
    return { forgotten: gone, kept: stay };
  });
  if (json) await print(host, { forgotten, kept });
  else {
    for (const id of forgotten) await print(host, `${printable(id)} is deleted`);
    if (forgotten.length + kept.length === 0) await write(host.stderr, 'no run is old enough\n');
    for (const id of kept)
      await write(host.stderr, `${printable(id)} was resumed meanwhile; it is not deleted\n`);
  }
  return kept.length === 0 ? exits.done : exits.bad;
}

function requireOver(runs: readonly RunRecord[]): void {
  const running = runs.find((run) => runStatus(run) === 'running');
  if (running === undefined) return;
  throw new UnusableError(
    `the run \`${running.id}\` is running; nothing was deleted`,
    `end it first: it is process ${running.pid}`,
  );
}

/** Those that can be resumed are forgotten by name alone. */
function endedBefore(days: number): (run: RunRecord) => boolean {
  const time = Date.now() - days * 86_400_000;
  return (run) => !canGoOn(run) && run.since < time;
}
