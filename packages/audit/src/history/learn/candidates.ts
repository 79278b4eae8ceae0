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
import { exposed } from './answerable.js';
import type { Choosing } from './choose.js';
import type { LearnOptions, Subject } from './learning.js';
import {
  type Asked,
  coverage,
  coverageByFacts,
  endingOf,
  inOrder,
  type ProposedRule,
} from './proposed-rule.js';

/** The rules that may be chosen, narrowest first, and the questions, as bits, for which they are chosen. */
export function choosingFor(of: Subject) {
  const { wanted, guarded, options } = of;
  const approved = [...new Map(wanted.flatMap(({ asks }) => asks.map((one) => [keyOf(one), one]))).values()];
  const candidates = candidatesFor(approved, options.reach)
    .filter((rule) => isNarrow(rule, options))
    .map((rule) => withEndings(rule, approved, options));
  const places = new Map(approved.map((one, place) => [keyOf(one), 1n << BigInt(place)]));
  const bits = (asked: readonly Asked[]) =>
    asked.reduce((all, one) => all | (places.get(keyOf(one)) ?? 0n), 0n);
  const covered = candidates.map((rule) => coveredBy(rule, approved, options));
  const covering = (one: Asked) =>
    candidates.flatMap((rule, index) => (coverage(rule, one) === 'no' ? [] : [index]));
  const choosing: Choosing = {
    covers: candidates.map((rule, index) =>
      bits((covered[index] ?? []).filter((one) => isDrawnFrom(rule, one, options))),
    ),
    wanted: wanted.map(({ asks }) => bits(asks)),
    kept: guarded
      .map((judged) => exposed(judged, of))
      .filter((open) => open !== null)
      .map((open) => open.map(covering)),
  };
  // A rule for a folder also covers deeper files, although none of them supports it.
  return { candidates, choosing, reached: covered.map(bits) };
}

/** Whether a rule for a folder leaves other parts of the root to ask about. */
function isNarrow({ facts: { path } }: ProposedRule, { root, widen = false }: LearnOptions): boolean {
  if (widen || root === undefined || path?.pin !== 'under') return true;
  return !`${root}/`.startsWith(`${path.folder}/`);
}

function coveredBy(rule: ProposedRule, approved: readonly Asked[], options: LearnOptions): readonly Asked[] {
  return approved.filter((one) => coverage(rule, one) === 'yes' && !isExcepted(rule, one, options));
}

/** A rule for more kinds of files, or for names with and without a dot, covers all names. */
const mostEndings = 3;

/** A rule for a folder covers only names that end like those from which it is drawn. */
function withEndings(rule: ProposedRule, approved: readonly Asked[], options: LearnOptions): ProposedRule {
  if (rule.facts.path?.pin !== 'under') return rule;
  const from = coveredBy(rule, approved, options).filter((one) => isDrawnFrom(rule, one, options));
  const found = new Set(from.map(({ capability }) => endingOf(capability.path as string)));
  const endings = [...found].filter((ending) => ending !== null).sort();
  const isMixed = endings.length < found.size || (endings.includes('') && endings.length > 1);
  return isMixed || endings.length > mostEndings || !isNonEmpty(endings) ? rule : { ...rule, endings };
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

type Shape = Pick<ProposedRule, 'name' | 'facts' | 'reach'>;

/** All candidate rules, narrowest first: for each question, each rung of the ladder, and workers and tools. */
function candidatesFor(approved: readonly Asked[], most: Exclude<Reach, 'call'>): readonly ProposedRule[] {
  const shapes = new Map<string, Shape>();
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

/** For each question that it covers, for each worker, and for all. */
function scoped(shape: Shape, approved: readonly Asked[]): readonly ProposedRule[] {
  const covered = approved.filter(({ capability }) => coverageByFacts(shape, capability) === 'yes');
  const groups = [
    ...covered.map((one) => [one]),
    ...distinct(covered, 'worker').map((worker) => covered.filter((one) => one.worker === worker)),
    covered,
  ];
  const scopes = groups.flatMap((group) => {
    const [workers, tools] = [distinct(group, 'worker'), distinct(group, 'tool')];
    return isNonEmpty(workers) && isNonEmpty(tools) ? [{ workers, tools }] : [];
  });
  const once = new Map(scopes.map((scope) => [JSON.stringify(scope), scope]));
  return [...once.values()].map((scope) => ({ ...shape, ...scope }));
}

function distinct(list: readonly Asked[], key: 'worker' | 'tool'): readonly string[] {
  return [...new Set(list.map((one) => one[key]))].sort();
}

const mostQuestions = 200;

const mostOfFolder = 3;

/** A sample of the questions about a large file set, so that its size does not slow the choice of rules. */
export function representatives(
  asked: readonly Asked[],
  isExcepted: (path: string, folder: string) => boolean = () => false,
): readonly Asked[] {
  if (asked.length <= mostQuestions) return asked;
  const folders = new Map<string, Map<string | null, number>>();
  return asked.filter(({ capability: { name, path } }) => {
    if (typeof path !== 'string') return true;
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (isExcepted(path, folder)) return true;
    const counts = remembered(folders, `${name} ${folder}`, () => new Map<string | null, number>());
    const ending = endingOf(path);
    const count = (counts.get(ending) ?? 0) + 1;
    if (count > 1 || counts.size <= mostEndings) counts.set(ending, count);
    return count <= mostOfFolder && counts.has(ending);
  });
}
