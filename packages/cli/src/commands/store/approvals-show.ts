import { printable, type Question } from '@ambit/core';
import type { StoredQuestion } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, type Printing, print, write } from '../../host.js';
import { answerText, questionJson, questionLines } from '../../questions/question-lines.js';
import { questionText } from '../../questions/question-text.js';
import { laterCalls, rungLines, rungsOf } from '../../questions/rungs.js';
import { timeText } from '../../view/ago.js';
import { type Looks, looksOf, styled, wrapped } from '../../view/text.js';
import { writeSets } from '../../view/written-sets.js';
import { questionNamed, withStore } from './with-store.js';

export async function approvalsShow(host: Host, id: string, { json }: Printing): Promise<Exit> {
  const found = await withStore(host, (store) => questionNamed(store, id));
  const looks = looksOf(host.stdout, host.environment);
  const lines = found.state === 'waiting' ? answerLines(found, host, looks) : closedLines(found);
  const { text } = questionText(found.question, { ...looks, whole: true });
  await print(host, json ? await writeSets(host)(questionJson(found)) : `${text}\n${lines.join('\n')}`);
  return exits.done;
}

function closedLines({ state, answer, closed }: StoredQuestion): readonly string[] {
  const how = answer === null ? state : answerText(answer);
  return [printable(`${how}, ${closed === null ? '' : timeText(closed)}`)];
}

function answerLines(found: StoredQuestion, { program }: Host, looks: Looks): readonly string[] {
  const { question, digest } = found;
  const command = (verb: string) =>
    `${program} approvals ${verb} ${printable(question.id)} --digest ${digest.slice(0, 12)}`;
  return [
    styled(`Asked ${timeText(found.asked)} by the run ${printable(found.run)}. To answer:`, 'bold', looks),
    `  ${command('approve')}`,
    `  ${command('deny')} --note TEXT`,
    ...keepLines(question, looks),
  ];
}

function keepLines(question: Question, looks: Looks): readonly string[] {
  if (question.keep === null) return ['  (an answer is for this call only)'];
  const { remember } = question.keep;
  const keep = remember === 'run' ? '--keep run' : '--keep run, or --keep always';
  return [
    `  and with approve, to keep the answer: ${keep}`,
    ...wrapped(`which covers ${laterCalls(question)}`, looks.width, '  '),
    ...rungsOf(question).flatMap((rung) =>
      rungLines(question, rung, { ...looks, first: `    --reach ${rung.reach.padEnd(11)}` }),
    ),
  ];
}

export async function approvalsList(
  host: Host,
  { all = false, json }: Printing & { readonly all?: boolean },
): Promise<Exit> {
  const found = await withStore(host, (store) => store.questions());
  const shown = found.filter(({ state }) => all || state === 'waiting');
  if (json) {
    const questions = await Promise.all(shown.map(questionJson).map(writeSets(host)));
    await print(host, { questions });
    return exits.done;
  }
  const looks = { ...looksOf(host.stdout, host.environment), now: Date.now() };
  for (const question of shown) await print(host, `${questionLines(question, looks).join('\n')}\n\n`);
  const hint =
    shown.length === 0
      ? `no ${all ? '' : 'open '}questions here`
      : `${host.program} approvals show ID; then approve ID, or deny ID`;
  await write(host.stderr, `${hint}\n`);
  return exits.done;
}
