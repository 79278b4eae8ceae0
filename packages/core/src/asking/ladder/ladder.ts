import { isUnbounded, isWithinReachOf, type Reach, reaches } from '../../decide/reach.js';
import type { NonEmpty } from '../../words/decision.js';
import { equalJson } from '../../words/json.js';
import { beside, type ExampleCall, sameAgain, wider } from './example-calls.js';
import { rungInWords } from './ladder-words.js';
import type { ShownCall } from './shown-call.js';

export interface Rung {
  readonly reach: Exclude<Reach, 'call'>;
  /** "later calls of this tool by this chain …". Not escaped. */
  readonly words: string;
  /** Up to three; the same call again if it covers no other. */
  readonly covers: NonEmpty<ExampleCall>;
  readonly not: ExampleCall;
}

/** The rungs up to the widest that is admitted, narrowest first. Empty if no answer may be kept. */
export function ladder(call: ShownCall, most: Reach): readonly Rung[] {
  // An answer about files that may lie anywhere covers no call.
  if (call.capabilities.some(({ path }) => isUnbounded(path))) return [];
  const admitted = reaches.slice(1, reaches.indexOf(most) + 1) as readonly Rung['reach'][];
  const rungs: Rung[] = [];
  // What narrower rungs cover, the nearest first.
  let before: readonly ExampleCall[] = [];
  for (const reach of admitted) {
    const found = reach === 'arguments' ? [sameAgain(call)] : wider(call, reach);
    const last = rungs.at(-1)?.reach;
    const fresh = found.filter(
      (example) =>
        isCoveredBy(call, reach, example) && (last === undefined || !isCoveredBy(call, last, example)),
    );
    const covers = distinct([...fresh, ...before]).slice(0, 3);
    const [first, ...others] = covers;
    if (fresh.length === 0 || first === undefined) continue;
    rungs.push({
      reach,
      words: rungInWords(call, reach),
      covers: [first, ...others],
      not: outside(call, reach),
    });
    // The same call is not an example once a rung covers others.
    before = reach === 'arguments' ? [] : covers;
  }
  return rungs;
}

/** Whether an answer to `call` with this reach answers every question about the other call. */
export function isCoveredBy(call: ShownCall, reach: Reach, example: ExampleCall): boolean {
  if (reach === 'arguments' && (example.args === null || !equalJson(example.args, call.args))) return false;
  return example.capabilities.every((capability) => isWithinReachOf(call.capabilities, reach, capability));
}

/** From the next rungs, else another capability. */
function outside(call: ShownCall, reach: Rung['reach']): ExampleCall {
  const others = reaches.slice(reaches.indexOf(reach) + 1) as readonly Exclude<Rung['reach'], 'arguments'>[];
  const near = others.flatMap((other) => wider(call, other));
  const [argument, another] = beside(call);
  const candidates = reach === 'arguments' && argument !== null ? [argument, ...near] : near;
  const not = candidates.filter((example) => !isCoveredBy(call, reach, example));
  // The first call beyond a program is another program.
  const program = reach !== 'program' ? undefined : not.find((example) => hasOtherProgram(call, example));
  return program ?? not[0] ?? another;
}

function hasOtherProgram({ capabilities }: ShownCall, example: ExampleCall): boolean {
  return example.differ.some((index) => {
    const [one, other] = [example.capabilities[index]?.program, capabilities[index]?.program];
    return one !== undefined && other !== undefined && one !== other;
  });
}

function distinct(list: readonly ExampleCall[]): readonly ExampleCall[] {
  const same = (one: ExampleCall, other: ExampleCall) =>
    equalJson(one.args, other.args) && equalJson(one.capabilities, other.capabilities);
  return list.filter((one, index) => list.findIndex((other) => same(one, other)) === index);
}
