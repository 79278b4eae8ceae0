import { printable, type StoredCall, storedCalls } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { questionJson } from '../../questions/question-json.js';
import { questionLines } from '../../questions/question-lines.js';
import { ago, timeText } from '../../view/ago.js';
import { jsonText } from '../../view/json-text.js';
import { shellWord } from '../../view/shell-word.js';
import { type Looks, looksOf, wrapped } from '../../view/text.js';
import { writeSets } from '../../view/written-sets.js';
import { byId } from './by-id.js';
import { runJson } from './runs-list.js';
import { withStore } from './with-store.js';

/** One run: what became of it, which questions of it wait, and its calls. */
export async function runsShow(
  host: Host,
  id: string,
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  const { run, isBegun, calls, questions } = await withStore(host, async (store) => {
    const found = byId(await store.runs(), id, {
      noun: 'run',
      idOf: (one) => one.id,
      list: 'ambit runs list',
    });
    const all = await store.questions();
    const steps = await store.steps(found.id);
    return {
      run: runJson(found),
      // One that was killed before it knew what it was to do can only be started anew.
      isBegun: steps.some(({ step }) => step === 'entry'),
      calls: storedCalls(steps),
      questions: all.filter((one) => one.run === found.id && one.state === 'waiting'),
    };
  });
  if (json) {
    const waiting = await Promise.all(questions.map(questionJson).map(writeSets(host)));
    await write(host.stdout, `${jsonText({ ...run, questions: waiting, calls })}\n`);
    return exits.done;
  }
  const [looks, now] = [looksOf(host.stdout, host.environment), Date.now()];
  const lines = [
    field('run', run.id),
    field('worker', run.worker),
    field('mode', run.mode),
    field('status', `${run.status} since ${timeText(run.since)}, ${ago(run.since, now)} ago`),
    field('begun', timeText(run.begun)),
    field('log', run.log),
    ...(isBegun && ['interrupted', 'parked', 'failed'].includes(run.status)
      ? [field('go on', `${host.program} run --resume ${shellWord(run.id)}`)]
      : []),
    ...(questions.length === 0 ? [] : ['', 'Questions that wait']),
    ...questions.flatMap((question) => questionLines(question, { ...looks, now })),
    ...(calls.length === 0 ? [] : ['', 'Calls']),
    ...calls.flatMap((call) => callLines(call, looks)),
  ];
  await write(host.stdout, `${lines.join('\n')}\n`);
  return exits.done;
}

function callLines(call: StoredCall, { width }: Looks): readonly string[] {
  const answers = call.answers.map((one) => `${one.approved ? 'approved' : 'refused'} by ${whoText(one)}`);
  const came = call.why === null ? call.outcome : `${call.outcome}: ${call.why}`;
  const way = [call.decision ?? 'not judged', ...answers, came.replace('_', ' ')].join(', ');
  const id = `${call.parent === null ? '  ' : '    '}${printable(call.call)}  `;
  return [
    ...wrapped(`${call.chain.join(' › ')}  ${call.tool}`, width, id),
    ...wrapped(way.replace(/\s*\n\s*/g, '; '), width, '      '),
  ];
}

function whoText({ how, who }: StoredCall['answers'][number]): string {
  if (typeof who === 'string') return who;
  if (typeof who === 'object' && who !== null && 'person' in who && typeof who.person === 'string')
    return who.person;
  return how;
}

function field(name: string, value: string): string {
  return `${name.padEnd(8)}${printable(value)}`;
}
