import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printableLines } from '@ambit/core';
import { logFolderOf } from '@ambit/runtime';
import { runAmbit } from '../ambit.js';
import { readLog } from '../read-log.js';
import { decksIn, reportName } from './decks.js';
import { type Options, readOptions, usage } from './options.js';
import { marksOf, type Result, resultsOf } from './reports.js';
import { standInScript } from './stand-in.js';

const usualModel = 'anthropic:claude-sonnet-5-5';
const home = fileURLToPath(new URL('../pitchdeck/', import.meta.url));
const shippedDecks = join(home, 'decks');
const scriptedDecks = ['aurora.pdf', 'basalt.pdf', 'cinder.pdf'];

// npm runs scripts in the folder of the package; INIT_CWD is the folder of the user.
const here = process.env.INIT_CWD ?? process.cwd();
// File names come from outside, so characters that control a terminal are escaped.
const say = (line: string) => process.stderr.write(`${printableLines(line)}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  const read = readOptions(process.argv.slice(2), here);
  if (!read.ok) return unusable(`${read.problem}\nnpm start -- --help lists what there is`);
  const { options } = read;
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const input = options.input ?? shippedDecks;
  const decks = await decksIn(input).catch(() => null);
  if (decks === null) return unusable(`the folder ${input} cannot be read`);
  if (decks.length === 0) return unusable(`there is no PDF in ${input}`);
  const twin = decks.find(
    (deck, index) => decks.findIndex((other) => reportName(other) === reportName(deck)) < index,
  );
  if (twin !== undefined) return unusable(`two decks in ${input} would share the report ${reportName(twin)}`);
  const scratch = await mkdtemp(join(tmpdir(), 'ambit-pitchdeck-'));
  try {
    const chosen = await chooseModel({ input, decks, scratch, wanted: options.model });
    say(chosen.words);
    return await evaluate(decks, { options, input, model: chosen.model });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function evaluate(
  decks: readonly string[],
  { options, input, model }: { options: Options; input: string; model: string },
): Promise<number> {
  const folder = join(here, 'reports');
  const before = await marksOf(folder, decks);
  const logsBefore = await logsIn(here);
  const args = ['run', join(home, 'orchestrator.worker'), 'Evaluate every deck in the folder `input`.'];
  args.push('--policy', join(home, 'policy.yaml'), '--model', model);
  args.push('--folder', `input=${input}`, '--folder', `output=${folder}`);
  if (options.mode !== null) args.push(`--${options.mode}`);
  if (options.log !== null) args.push('--log', options.log);
  const code = await runAmbit(args, { cwd: here, stdio: 'inherit' });
  // If the run ended early, ambit has printed the reason.
  if (code !== 0) return code;
  const newLogs = (await logsIn(here)).filter((name) => !logsBefore.includes(name));
  const log = options.log ?? newLogs[0];
  const events = log === undefined ? [] : await readLog(log);
  return report(await resultsOf(decks, { folder, before, events }), { folder, mode: options.mode });
}

/**
 * Prints the reports that exist now. A deck without a report is a failure, unless a person or the mode `strict` refused
 * it.
 */
function report(
  results: readonly Result[],
  { folder, mode }: { readonly folder: string; readonly mode: Options['mode'] },
): number {
  const written = results.filter(({ became }) => became === 'reported');
  const where = relative(here, folder);
  say(`\n${written.length} of ${results.length} reports are new in ./${where}`);
  for (const result of results) {
    if (result.became === 'reported' && result.unread !== null)
      say(`  ${result.deck} was reported on unread: ${result.unread}`);
    if (result.became === 'refused') say(`  no report on ${result.deck}: ${result.why}`);
    if (result.became === 'lost')
      say(`  no report on ${result.deck}, and the log holds no refusal that says why`);
  }
  const isWrong = ({ became }: Result) =>
    became === 'lost' || (became === 'refused' && mode === 'approve-all');
  return results.some(isWrong) ? 1 : 0;
}

async function chooseModel(of: {
  readonly input: string;
  readonly decks: readonly string[];
  readonly scratch: string;
  readonly wanted: string | null;
}): Promise<{ readonly model: string; readonly words: string }> {
  const { input, decks, scratch, wanted } = of;
  const hasKey = (process.env.ANTHROPIC_API_KEY ?? '') !== '';
  if (wanted !== null || hasKey) {
    const model = wanted ?? usualModel;
    const count = `${decks.length} ${decks.length === 1 ? 'deck' : 'decks'}`;
    return { model, words: `${model} is given ${count} of ${input}` };
  }
  const isShipped = (await realpath(input)) === (await realpath(shippedDecks));
  if (isShipped && decks.join() === scriptedDecks.join()) {
    const words =
      'ANTHROPIC_API_KEY is not set, so no model reads the decks: a script, written\n' +
      'beforehand for these three, says what a model might. Everything else is real:\n' +
      'the files, the tools, the policy, your answers and the log.';
    return { model: `script:${join(home, 'script.yaml')}`, words };
  }
  const script = join(scratch, 'script.yaml');
  await writeFile(script, standInScript(decks));
  const words =
    'ANTHROPIC_API_KEY is not set, so no model reads these decks: each report will\nonly say that.';
  return { model: `script:${script}`, words };
}

async function logsIn(folder: string): Promise<readonly string[]> {
  const logs = await logFolderOf(process.env, folder);
  const names = await readdir(logs).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(logs, name));
}

function unusable(problem: string): number {
  say(`pitchdeck: ${problem}`);
  return 2;
}
