import { printable, type RunRecord, runStatus } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { ago } from '../../view/ago.js';
import { jsonText } from '../../view/json-text.js';
import { looksOf, wrapped } from '../../view/text.js';
import { withStore } from './with-store.js';

/** The runs of this folder that are kept, the newest first. */
export async function runsList(host: Host, { json = false }: { readonly json?: boolean }): Promise<Exit> {
  const { runs, questions } = await withStore(host, async (store) => ({
    runs: await store.runs(),
    questions: await store.questions(),
  }));
  const waiting = (run: string) =>
    questions.filter((one) => one.run === run && one.state === 'waiting').length;
  const rows = runs.map((run) => ({ ...runJson(run), waiting: waiting(run.id) }));
  if (json) {
    await write(host.stdout, `${jsonText({ runs: rows })}\n`);
    return exits.done;
  }
  const [{ width }, now] = [looksOf(host.stdout, host.environment), Date.now()];
  for (const row of rows) {
    const asks =
      row.waiting === 0 ? '' : `, ${row.waiting} ${row.waiting === 1 ? 'question waits' : 'questions wait'}`;
    const about = `${row.worker}, ${row.mode}, begun ${ago(row.begun, now)} ago${asks}`;
    const lines = wrapped(about, width, `${printable(row.id)}  ${row.status.padEnd(11)}  `);
    await write(host.stdout, `${lines.join('\n')}\n`);
  }
  await write(host.stderr, `${rows.length === 0 ? 'no run is kept here' : `${host.program} runs show ID`}\n`);
  return exits.done;
}

/** A run as other programs read it; what it was opened with is for `--resume` alone. */
export function runJson(record: RunRecord) {
  const { id, worker, mode, since, begun, log, pid } = record;
  return { id, worker, mode, status: runStatus(record), since, begun, log, pid };
}
