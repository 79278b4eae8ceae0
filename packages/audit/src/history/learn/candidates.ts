import {
  groupedBy,
  isNonEmpty,
  type Json,
  pinned,
  type Reach,
  reaches,
  remembered,
  sortedText,
} from '@ambit/core';
import { type Current, exposed } from './answerable.js';
import type { Choosing } from './choose.js';
import type { LearnOptions, Proposed } from './objection.js';
import { type Asked, coverage, inOrder, type ProposedRule } from './proposed-rule.js';

type Calls = Pick<Proposed, 'wanted' | 'guarded' | 'options'>;

interface Candidates {
  /** Narrowest first. */
  readonly candidates: readonly ProposedRule[];
  readonly choosing: Choosing;
  /** What each candidate covers. A rule for a folder also covers deeper files, although none of them supports it. */
  readonly reached: readonly bigint[];
}

/** The rules that may be chosen, and the questions, as bits, for which they are chosen. */
export function choosingFor({ wanted, guarded, options }: Calls, current: Current): Candidates {
  const approved = [...new Map(wanted.flatMap(({ asks }) => asks.map((one) => [keyOf(one), one]))).values()];
  const candidates = candidatesFor(approved, options.reach).filter((rule) => isNarrow(rule, options));
  const places = new Map(approved.map((one, place) => [keyOf(one), 1n << BigInt(place)]));
  const bits = (asked: readonly Asked[]) =>
    asked.reduce((all, one) => all | (places.get(keyOf(one)) ?? 0n), 0n);
  const covered = candidates.map((rule) =>
    approved.filter((one) => coverage(rule, one) === 'yes' && !isExcepted(rule, one, options)),
  );
  const covering = (one: Asked) =>
    candidates.flatMap((rule, index) => (coverage(rule, one) === 'no' ? [] : [index]));
  return {
    candidates,
    choosing: {
      covers: candidates.map((rule, index) =>
        bits((covered[index] ?? []).filter((one) => isDrawnFrom(rule, one, options))),
      ),
      wanted: wanted.map(({ asks }) => bits(asks)),
      kept: guarded
        .map(({ call, decision }) => exposed(call, decision, current))
        .filter((open) => open !== null)
        .map((open) => open.map(covering)),
    },
    reached: covered.map(bits),
  };
}

/** Whether a rule for a folder leaves other parts of the root to ask about. */
function isNarrow({ facts: { path } }: ProposedRule, { root, widen = false }: LearnOptions): boolean {
  if (widen || root === undefined || path?.pin !== 'under') return true;
  return !`${root}/`.startsWith(`${path.folder}/`);
}

/** Whether a rule for a folder excepts this file. */
function isExcepted({ facts: { path } }: ProposedRule, one: Asked, { files }: LearnOptions): boolean {
  const own = one.capability.path;
  return path?.pin === 'under' && typeof own === 'string' && files?.isExcepted(own, path.folder) === true;
}

/** Whether a rule may be drawn from this question. A rule for a folder needs a file directly in that folder. */
function isDrawnFrom(rule: ProposedRule, one: Asked, { widen = false }: LearnOptions): boolean {
  const { path } = rule.facts;
  const own = one.capability.path;
  // A rule without a path would cover any folder.
  if (path === undefined && own !== undefined) return widen;
  if (path?.pin !== 'under' || typeof own !== 'string') return true;
  return widen || own.lastIndexOf('/') === path.folder.length;
}

function keyOf({ worker, tool, capability }: Asked): string {
  return sortedText([worker, tool, capability]);
}

/** All candidate rules, narrowest first: for each question, each rung of the ladder, and workers and tools. */
function candidatesFor(approved: readonly Asked[], most: Exclude<Reach, 'call'>): readonly ProposedRule[] {
  const shapes = new Map<string, Pick<ProposedRule, 'name' | 'facts' | 'reach'>>();
  for (const reach of rungs(most))
    for (const { capability } of approved) {
      const pins = inOrder(capability.name, pinned(capability, reach).facts);
      const facts = Object.fromEntries(pins.filter(([, { pin }]) => pin !== 'free'));
      const isBare = Object.keys(facts).length === 0 && Object.keys(capability).length > 1;
      // Without fixed facts, a rule is on the rung of the capability itself.
      if (isBare && reach !== 'capability') continue;
      const shape = { name: capability.name, facts, reach };
      remembered(shapes, sortedText([capability.name, facts as unknown as Json]), () => shape);
    }
  const byName = groupedBy(approved, ({ capability }) => capability.name);
  return [...shapes.values()].flatMap((shape) => scoped(shape, byName.get(shape.name) ?? []));
}

function rungs(most: Exclude<Reach, 'call'>): readonly Exclude<Reach, 'call'>[] {
  const admitted = reaches.slice(1, reaches.indexOf(most) + 1) as readonly Exclude<Reach, 'call'>[];
  // Sizes and earlier existence are useless in a rule, unless they are the only facts.
  const useful = admitted.filter((reach) => reach !== 'arguments');
  return [...useful.slice(0, 1), 'arguments', ...useful.slice(1)];
}

function scoped(
  shape: Pick<ProposedRule, 'name' | 'facts' | 'reach'>,
  approved: readonly Asked[],
): readonly ProposedRule[] {
  const [workers, tools] = [distinct(approved, 'worker'), distinct(approved, 'tool')];
  if (!isNonEmpty(workers) || !isNonEmpty(tools)) return [];
  const covered = approved.filter((one) => coverage({ ...shape, workers, tools }, one) === 'yes');
  const scopes = [
    ...covered.map(({ worker, tool }) => ({ workers: [worker] as const, tools: [tool] as const })),
    ...distinct(covered, 'worker').map((worker) => ({
      workers: [worker] as const,
      tools: distinct(
        covered.filter((one) => one.worker === worker),
        'tool',
      ),
    })),
    { workers: distinct(covered, 'worker'), tools: distinct(covered, 'tool') },
  ];
  const found = new Map<string, ProposedRule>();
  for (const scope of scopes)
    if (isNonEmpty(scope.workers) && isNonEmpty(scope.tools))
      found.set(JSON.stringify(scope), {
        ...shape,
        workers: scope.workers,
        tools: scope.tools,
      });
  return [...found.values()];
}

function distinct(list: readonly Asked[], key: 'worker' | 'tool'): readonly string[] {
  return [...new Set(list.map((one) => one[key]))].sort();
}

const mostQuestions = 200;

const mostOfFolder = 3;

/** A sample of the questions of a large file set, so that choosing rules takes no longer. */
export function representatives(
  asked: readonly Asked[],
  isExcepted: (path: string, folder: string) => boolean = () => false,
): readonly Asked[] {
  if (asked.length <= mostQuestions) return asked;
  const counts = new Map<string, number>();
  return asked.filter(({ capability: { name, path } }) => {
    if (typeof path !== 'string') return true;
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (isExcepted(path, folder)) return true;
    const count = (counts.get(`${name} ${folder}`) ?? 0) + 1;
    counts.set(`${name} ${folder}`, count);
    return count <= mostOfFolder;
  });
}
