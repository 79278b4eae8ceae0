import { fewest } from './cover.js';

/** The choice, by index: candidates, questions, and the calls with these questions. */
export interface Choosing {
  /** The coverage of each candidate as bits; narrowest candidates first. */
  readonly covers: readonly bigint[];
  /** The calls to answer: the questions of each, as bits. */
  readonly wanted: readonly bigint[];
  /** The calls that must keep asking: for each of their questions, the candidates that cover it. */
  readonly kept: readonly (readonly (readonly number[])[])[];
}

export interface Choice {
  readonly chosen: readonly number[];
  /** Indices of the calls that these answer. */
  readonly answered: readonly number[];
  /** Whether it is certain that no choice answers more, or the same with fewer rules. */
  readonly exact: boolean;
  /** No choice with the same answers has fewer rules. */
  readonly atLeast: number;
}

/** The most combinations that are tried. */
const mostTries = 200;

/** Answers the most approvals with the fewest and narrowest rules, and never answers a call that must keep asking. */
export function choose(of: Choosing, banned: ReadonlySet<number>): Choice {
  const search = { tries: 0, isWhole: true };
  const alone = (index: number) => of.kept.some((asks) => asks.every((by) => by.includes(index)));
  const open = new Set(
    of.covers.map((_, index) => index).filter((index) => !banned.has(index) && !alone(index)),
  );
  const found = within(open);
  return {
    ...found,
    exact: found.exact && search.isWhole,
    atLeast: search.isWhole ? found.atLeast : Math.min(1, found.chosen.length),
  };

  function within(candidates: ReadonlySet<number>): Choice {
    search.tries += 1;
    const list = [...candidates];
    const reach = union(of.covers, list);
    const answered = of.wanted.flatMap((asks, index) => ((asks & ~reach) === 0n ? [index] : []));
    const needed = union(of.wanted, answered);
    const cover = fewest(
      list.map((index) => of.covers[index] as bigint),
      needed,
    );
    const chosen = narrowed(
      cover.chosen.map((index) => list[index] as number),
      list,
      needed,
    );
    const violated = of.kept.find((asks) => asks.every((by) => by.some((index) => chosen.includes(index))));
    if (violated === undefined) return { chosen, answered, exact: cover.exact, atLeast: cover.atLeast };
    // One question of the call must stay open.
    const ways = violated.map((by) => new Set(list.filter((index) => !by.includes(index))));
    const tried =
      search.tries < mostTries ? ways : ways.sort((one, other) => other.size - one.size).slice(0, 1);
    if (tried.length < violated.length) search.isWhole = false;
    return tried.map(within).reduce((best, one) => (isBetter(one, best) ? one : best));
  }

  function isBetter(one: Choice, other: Choice): boolean {
    const more = one.answered.length - other.answered.length;
    return more === 0 ? one.chosen.length < other.chosen.length : more > 0;
  }

  function narrowed(chosen: readonly number[], list: readonly number[], needed: bigint): readonly number[] {
    const now = [...chosen];
    for (const [place] of now.entries()) {
      const own = needed & ~union(of.covers, now.toSpliced(place, 1));
      const narrow = list.find((index) => (own & ~(of.covers[index] as bigint)) === 0n);
      if (narrow !== undefined && narrow < (now[place] as number)) now[place] = narrow;
    }
    return now.sort((one, other) => one - other);
  }
}

/** The same choice without redundant rules. `covers` is the coverage of each candidate. */
export function withoutSpare(choice: Choice, { covers, wanted }: Choosing): Choice {
  const needed = union(wanted, choice.answered);
  let chosen = choice.chosen;
  for (const index of choice.chosen) {
    const others = chosen.filter((one) => one !== index);
    if ((needed & ~union(covers, others)) === 0n) chosen = others;
  }
  return { ...choice, chosen, atLeast: Math.min(choice.atLeast, chosen.length) };
}

function union(sets: readonly bigint[], indices: readonly number[]): bigint {
  return indices.reduce((all, index) => all | (sets[index] as bigint), 0n);
}
