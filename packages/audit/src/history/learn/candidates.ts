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
import { type Asked, coverage, inOrder, type ProposedRule } from './proposed-rule.js';

/** All candidate rules, narrowest first: for each question, each rung of the ladder, and workers and tools. */
export function candidatesFor(
  approved: readonly Asked[],
  most: Exclude<Reach, 'call'>,
): readonly ProposedRule[] {
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
