import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex, openIndex, type ReplaySummary, replayFile, replayIndex } from '@ambit/audit';
import { loadPolicyText } from '@ambit/policy';
import { loggedJudge } from '../src/index.js';
import { makeLog, newPolicyText } from './made-log.js';

const entries = 100_000;
const rounds = Number(process.env.ROUNDS ?? 11);

const folder = mkdtempSync(join(tmpdir(), 'ambit-bench-'));
const [file, index] = [join(folder, 'run.jsonl'), join(folder, 'index')];
makeLog(file, entries);
const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
const loaded = loadPolicyText('policy.yaml', newPolicyText, { root: '/work', home: '/home/ada' });
if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
const judge = () => loggedJudge([loaded.policy]);

const { save } = await buildIndex(file);
if (!(await save(index))) throw new Error('the index was not saved');

const indexed = async (): Promise<ReplaySummary> => {
  const open = await openIndex(file, index);
  if (open === null) throw new Error('the index is not of this log');
  const summary = await replayIndex(open, judge());
  if (summary === null) throw new Error('the index holds too little');
  return summary;
};
const [raw, short] = [await replayFile(file, judge()), await indexed()];
if (JSON.stringify(raw) !== JSON.stringify(short))
  throw new Error('the index says something other than the log');

const work = {
  'JSON.parse over its lines': () => {
    for (const line of lines) JSON.parse(line);
  },
  'replay of the log': () => replayFile(file, judge()),
  'replay by its index': indexed,
  'making the index': async () => (await buildIndex(file)).save(index),
};
const samples = Object.entries(work).map(([name, run]) => ({
  name,
  run,
  times: [] as number[],
  cpu: [] as number[],
}));
for (let round = 0; round < rounds; round += 1)
  for (const { run, times, cpu } of samples) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    await run();
    const { user, system } = process.cpuUsage(used);
    times.push(performance.now() - start);
    cpu.push((user + system) / 1000);
  }
rmSync(folder, { recursive: true });

const median = (list: readonly number[]) =>
  [...list].sort((one, other) => one - other)[list.length >> 1] ?? Number.NaN;
const [parse] = samples;
process.stdout.write(
  `${lines.length} entries, ${raw.calls} decisions, of which ${raw.looser + raw.stricter} change; medians of ${rounds} rounds in turn\n\n`,
);
process.stdout.write(
  '| | by the clock | to JSON.parse | processor time | to JSON.parse |\n| --- | --- | --- | --- | --- |\n',
);
for (const { name, times, cpu } of samples) {
  // Round by round, so that what else the machine does meets both alike.
  const ratio = (own: readonly number[], to: readonly number[]) =>
    median(own.map((time, round) => (to[round] as number) / time));
  process.stdout.write(
    `| ${name} | ${median(times).toFixed(0)} ms | ${ratio(times, parse?.times ?? []).toFixed(2)} x as fast | ${median(cpu).toFixed(0)} ms | ${ratio(cpu, parse?.cpu ?? []).toFixed(2)} x |\n`,
  );
}
