import { basename, join } from 'node:path/posix';
import {
  createdPrefix,
  fileSetOf,
  foldersUp,
  isObject,
  isUnknownMember,
  isWorkerName,
  type Json,
  ownMember,
  type Request,
} from '@ambit/core';
import type { FactPatterns } from '@ambit/policy';
import { matchesFact, patternText } from '@ambit/policy/internal';
import { formulasOf } from '../exact/explore.js';
import { openSlot } from '../exact/formula/slot.js';
import type { Value, Variable } from '../exact/formula/variable.js';
import { carriedSlots, concreteSlot, formulaOf } from '../exact/policy-formula.js';
import { concerning, workspaceFor } from '../exact/situation.js';
import type { AnalysedPolicy } from '../exact/subject-policy.js';
import { cutVariables } from '../exact/witness/cells.js';
import { Work } from '../exact/witness/work.js';
import type { CallChange } from './change.js';

export type CallCandidate = Omit<CallChange, 'decision'>;

export interface Candidate {
  readonly change: CallCandidate;
  /** The same change with values that a person would sooner expect, and that the same patterns cover. */
  readonly likelier: () => readonly CallCandidate[];
}

/** The most steps of exploring the conditions for one call. */
const mostSteps = 500_000;

/** Single changes of a call: one value for each answer that policies may get. Covered values come first. */
export function callCandidates(policies: readonly AnalysedPolicy[], request: Request): readonly Candidate[] {
  const { capabilities, history, tool, worker } = request;
  const near = concerning(
    policies,
    [...capabilities, ...history].map(({ name }) => name),
  );
  const workspace = workspaceFor(near, new Work(mostSteps));
  const { atoms, cache, work } = workspace;
  const slots = capabilities.map(({ name }, index) => openSlot(name, index));
  const callSlots = { call: [...slots, ...carriedSlots(near, tool)], history: history.map(concreteSlot) };
  const variables = cutVariables(formulasOf(formulaOf(near, callSlots, workspace)), {
    atoms,
    extent: { tools: [tool], worker },
    isEnough: () => false,
    cache,
    work,
  });
  const patterns = patternsIn(near);
  return variables
    .flatMap(({ variable, values }) => candidatesOf(variable, values, worker))
    .filter((candidate) => !isAsItIs(candidate, request))
    .map((candidate) => {
      const covers = coversOf(candidate, patterns, request);
      const pattern = covers.length === 1 ? patterns[covers[0] as number]?.patterns[0] : undefined;
      const covered = { ...candidate, covered_by: pattern === undefined ? null : patternText(pattern) };
      return {
        covered,
        rank:
          rankOf(covered, request) + (pattern === undefined ? 1 : (covers[0] as number) / patterns.length),
      };
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ covered }) => ({ change: covered, likelier: () => likelierThan(covered, patterns, request) }));
}

function likelierThan(
  candidate: CallCandidate,
  patterns: readonly FactPatterns[],
  request: Request,
): readonly CallCandidate[] {
  const { what, key, missing, value } = candidate;
  if (what !== 'fact' || missing) return [];
  const covers = String(coversOf(candidate, patterns, request));
  return likelyValues(value, key, valueNow(candidate, request))
    .map((likely) => ({ ...candidate, value: likely }))
    .filter((likely) => !isAsItIs(likely, request) && String(coversOf(likely, patterns, request)) === covers);
}

/** Values near the current value, or of an ordinary form. The given one is the shortest with the same answers. */
function likelyValues(value: Json, key: string, now: Json | undefined): readonly Json[] {
  if (key === 'port') return value === 0 ? [8080] : [];
  if (typeof value !== 'string') return [];
  if (key === 'host') return ['other.example'];
  if (key === 'path' && value.startsWith('/')) return pathsNear(value, now);
  return ['other', `other${value}`];
}

/** By the name that a path has now, and in the folders around it. */
function pathsNear(value: string, now: Json | undefined): readonly string[] {
  const isPath = typeof now === 'string' && /^\/./.test(now);
  const own = isPath ? basename(now) : 'other';
  const folders = isPath ? foldersUp(now).slice(1) : ['/'];
  const stem = own.replace(/(?!^)\.[^.]*$|^\..*/, '') || 'other';
  const name = basename(value);
  const names = name.startsWith('.') ? [stem + name, name] : name === '' ? [] : [name];
  return [
    ...(name === '' ? [] : [`${value}/${own}`, `${value}/other`]),
    ...[...folders, ...foldersUp(value).slice(1, 2)].flatMap((folder) =>
      names.map((each) => join(folder, each)),
    ),
    ...folders.flatMap((folder) => [join(folder, own), join(folder, 'other')]),
  ];
}

function candidatesOf(
  variable: Variable,
  values: readonly Value[],
  worker: string,
): readonly CallCandidate[] {
  switch (variable.kind) {
    case 'fact':
    case 'args':
    case 'context': {
      const what = ({ fact: 'fact', args: 'argument', context: 'context' } as const)[variable.kind];
      const capability = variable.kind === 'fact' ? variable.slot : null;
      const base = { of: 'call', what, capability, key: variable.path.join('.'), covered_by: null } as const;
      return values.map((value) => ({ ...base, missing: value === undefined, value: value ?? null }));
    }
    case 'chain': {
      const chains = values as readonly (readonly string[])[];
      // The first stands for all workers that no rule names.
      const alone = chains.slice(1).flatMap(([name = '', ...rest]) => (rest.length === 0 ? [name] : []));
      const named = alone.filter((name) => isWorkerName(name) && !name.startsWith(createdPrefix));
      return [...named.map((name) => ofWorker('worker', name)), ofWorker('chain', worker)];
    }
    case 'opaque': {
      const near = variable.literals.flatMap((value): readonly Json[] =>
        typeof value === 'number' ? [value, value + 1, value - 1] : [value],
      );
      return variable.reads.flatMap((read) => {
        if (read.kind === 'chain') return [ofWorker('chain', worker)];
        return read.kind === 'opaque' ? [] : candidatesOf(read, [...near, undefined], worker);
      });
    }
    case 'tool':
    case 'now':
      return [];
  }
}

function ofWorker(what: 'worker' | 'chain', value: string): CallCandidate {
  return { of: 'call', what, capability: null, key: what, missing: false, value, covered_by: null };
}

function patternsIn(policies: readonly AnalysedPolicy[]): readonly FactPatterns[] {
  return policies.flatMap(({ rules }) =>
    rules.flatMap((rule) =>
      [rule, ...rule.members].flatMap(({ match, except }) =>
        [...(match ?? []), ...(except ?? [])].flatMap(({ fact, patterns }) =>
          patterns
            .filter(({ kind }) => kind === 'glob' || kind === 'range')
            .map((pattern) => ({ fact, patterns: [pattern] as const })),
        ),
      ),
    ),
  );
}

function coversOf(
  { what, capability, key, missing, value }: CallCandidate,
  patterns: readonly FactPatterns[],
  { capabilities }: Request,
): readonly number[] {
  const now = what === 'fact' ? capabilities[capability ?? 0] : undefined;
  if (now === undefined || missing) return [];
  const then = { ...now, [key]: value };
  return patterns.flatMap((each, index) =>
    each.fact === key && matchesFact(each, then) === true ? [index] : [],
  );
}

function isAsItIs(candidate: CallCandidate, request: Request): boolean {
  const { what, missing, value } = candidate;
  if (what === 'worker') return value === request.worker;
  if (what === 'chain') return request.chain.length === 1;
  const now = valueNow(candidate, request);
  return missing ? now === undefined : JSON.stringify(now) === JSON.stringify(value);
}

/** Undefined if it is missing. */
function valueNow(
  { what, key, capability }: CallCandidate,
  { args, context, capabilities }: Request,
): Json | undefined {
  if (what === 'worker' || what === 'chain') return undefined;
  const start = { fact: capabilities[capability ?? 0], argument: args, context }[what];
  return key
    .split('.')
    .reduce<Json | undefined>((value, part) => (isObject(value) ? ownMember(value, part) : undefined), start);
}

/** Covered values first, then values of the same kind or a plain path for a set, then facts before the context. */
function rankOf(candidate: CallCandidate, request: Request): number {
  const { what, covered_by: covered, missing, value } = candidate;
  const now = valueNow(candidate, request);
  const isOtherKind =
    isUnknownMember(value) || (now !== undefined && fileSetOf(now) === null && typeof now !== typeof value);
  const order = ['fact', 'context', 'argument', 'worker', 'chain'].indexOf(what);
  return (covered === null ? 30 : 0) + (missing ? 20 : isOtherKind ? 10 : 0) + order;
}
