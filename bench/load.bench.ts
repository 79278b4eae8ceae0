import { createHash } from 'node:crypto';
import { type CheckedForm, loadPolicies, type PolicyWorld } from '@ambit/policy';
import { parseAllDocuments } from 'yaml';
import { median } from './timing.js';
import { workloadOf } from './workload.js';

/**
 * By CPU time: reading a policy, compared with the YAML library alone, with and without its search for duplicate keys; and using
 * the checked form, compared with `JSON.parse` of it.
 */
const rounds = 21;
const rules = Number(process.env.AMBIT_RULES ?? 1_000);
const { text } = workloadOf(rules, Number(process.env.AMBIT_SEED ?? 15));
/** As most people write it: one line for each rule, without the quotes of JSON. */
const bytes = Buffer.from(text.replaceAll('":', '": ').replaceAll('"', ''));

let kept: string | null = null;
const world: PolicyWorld = {
  read: () => Promise.resolve(bytes),
  home: '/home/ada',
  root: '/w',
};
const forms: NonNullable<PolicyWorld['forms']> = {
  find: () => {
    if (kept === null) return null;
    createHash('sha256').update(kept).digest('hex');
    return JSON.parse(kept) as CheckedForm;
  },
  keep: (_, form) => {
    kept = JSON.stringify(form);
  },
};

const load = async (given: PolicyWorld) => {
  const loaded = await loadPolicies(['policy.yaml'], given);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return loaded;
};
const work = {
  yaml: () => parseAllDocuments(bytes.toString()),
  bare: () => parseAllDocuments(bytes.toString(), { uniqueKeys: false }),
  first: () => load(world),
  json: () => JSON.parse(kept ?? 'null') as unknown,
  cached: () => load({ ...world, forms }),
};

async function milliseconds(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

await load({ ...world, forms });
const times: Record<keyof typeof work, number[]> = { yaml: [], bare: [], first: [], json: [], cached: [] };
for (let round = 0; round < rounds; round += 1)
  for (const [name, run] of Object.entries(work) as [keyof typeof work, () => unknown][])
    times[name].push(await milliseconds(run));
const usual = (name: keyof typeof work) => median(times[name].slice(3));
const to = (one: keyof typeof work, other: keyof typeof work) =>
  `${usual(one).toFixed(1)} to ${usual(other).toFixed(1)} ms: ${(usual(one) / usual(other)).toFixed(2)} x`;
process.stdout.write(
  [
    `${rules} rules, ${bytes.length} bytes`,
    `reading, to yaml: ${to('first', 'yaml')}`,
    `reading, to yaml that does not look for repeated keys: ${to('first', 'bare')}`,
    `using the checked form, to JSON.parse of it: ${to('cached', 'json')}`,
    '',
  ].join('\n'),
);
