import type { Contender, Decides } from './contender.js';
import { explained, floor, plain, settled } from './rivals/ambit.js';
import { casbin } from './rivals/casbin.js';
import { casl, caslPatterns } from './rivals/casl.js';
import { cedar } from './rivals/cedar.js';
import { type Timed, timeAll } from './timing.js';
import { type Workload, workloadOf } from './workload.js';

export const contenders: readonly Contender[] = [
  floor,
  settled,
  explained,
  plain,
  casl,
  caslPatterns,
  casbin,
  cedar,
];

/** One size of the first workload. */
export interface Comparison {
  readonly rules: number;
  readonly loadMilliseconds: number;
  readonly bytes: number;
  /** Nanoseconds a call, by contender; those that were left out are not in it. */
  readonly times: Readonly<Record<string, number>>;
  readonly verified: string;
}

export async function compareAll(
  sizes: readonly number[],
  say: (what: string) => void,
): Promise<readonly Comparison[]> {
  const list: Comparison[] = [];
  for (const size of sizes) {
    say(`${size} rules`);
    list.push(await compare(workloadOf(size)));
  }
  return list;
}

async function compare(workload: Workload): Promise<Comparison> {
  const size = workload.rules.length;
  const entered = contenders.filter(({ mostRules }) => mostRules >= size);
  const ready: { name: string; decides: Decides }[] = [];
  for (const { name, prepare } of entered) ready.push({ name, decides: await prepare(workload) });
  const verified = verify(ready, workload);
  const times = timeAll(ready.map(({ name, decides }) => timed(name, decides, workload.calls.length)));
  const { loadMilliseconds, text } = workload;
  return { rules: size, loadMilliseconds, bytes: text.length, times: Object.fromEntries(times), verified };
}

/** Goes on through the calls from where it stopped, so that a slow one is not measured on a few calls alone. */
function timed(name: string, decides: Decides, calls: number): Timed {
  let next = 0;
  return {
    name,
    run: (times) => {
      for (let time = 0; time < times; time += 1) {
        decides(next);
        next = next + 1 === calls ? 0 : next + 1;
      }
    },
  };
}

/** All decide alike, except for the floor, which only looks names up. A slow one is asked as much as two seconds allow. */
function verify(ready: readonly { name: string; decides: Decides }[], { calls }: Workload): string {
  const reference = ready.find(({ name }) => name === settled.name)?.decides as Decides;
  const notes: string[] = [];
  let allowed = 0;
  for (let call = 0; call < calls.length; call += 1) if (reference(call)) allowed += 1;
  for (const { name, decides } of ready) {
    if (name === floor.name || name === settled.name) continue;
    const end = Date.now() + 2_000;
    let asked = 0;
    while (asked < calls.length && Date.now() < end) {
      if (decides(asked) !== reference(asked)) throw new Error(`${name} decides call ${asked} otherwise`);
      asked += 1;
    }
    if (asked < calls.length) notes.push(`${name} about ${asked}`);
  }
  const rest = notes.length === 0 ? '' : `; asked about the first alone, for the time: ${notes.join(', ')}`;
  return `${allowed} of ${calls.length} calls are allowed, and all say so${rest}`;
}
