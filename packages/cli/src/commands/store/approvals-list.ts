import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { questionJson } from '../../questions/question-json.js';
import { questionLines } from '../../questions/question-lines.js';
import { jsonText } from '../../view/json-text.js';
import { looksOf } from '../../view/text.js';
import { writeSets } from '../../view/written-sets.js';
import { withStore } from './with-store.js';

export async function approvalsList(
  host: Host,
  { all = false, json = false }: { readonly all?: boolean; readonly json?: boolean },
): Promise<Exit> {
  const found = await withStore(host, (store) => store.questions());
  const shown = found.filter(({ state }) => all || state === 'waiting');
  if (json) {
    const questions = await Promise.all(shown.map(questionJson).map(writeSets(host)));
    await write(host.stdout, `${jsonText({ questions })}\n`);
    return exits.done;
  }
  const looks = { ...looksOf(host.stdout, host.environment), now: Date.now() };
  for (const question of shown) await write(host.stdout, `${questionLines(question, looks).join('\n')}\n\n`);
  const hint =
    shown.length === 0
      ? `no question ${all ? 'was asked' : 'waits'} here`
      : `${host.program} approvals show ID`;
  await write(host.stderr, `${hint}\n`);
  return exits.done;
}
