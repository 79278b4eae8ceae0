import {
  answer,
  type CallDecision,
  type Capability,
  createRequest,
  decide,
  type Grant,
  groupedBy,
  isOpenQuestion,
  isUnknownMember,
  type Json,
  type JsonObject,
  type NonEmpty,
  type Policy,
  pathFact,
  type Request,
  valueInWords,
} from '@ambit/core';
import { escapeText } from '@ambit/policy';
import { type Value, type Variable, withValueAt } from './formula/variable.js';

/** A call as `ambit decide` reads it. */
export interface ExampleCall {
  readonly worker: NonEmpty<string>;
  readonly tool: string;
  readonly args?: JsonObject;
  readonly capabilities: NonEmpty<Capability>;
  readonly context?: JsonObject;
  readonly history?: readonly Capability[];
  readonly grants?: readonly { readonly worker: string; readonly tool: string }[];
  readonly now?: string;
}

/** What the slots of a call are called, in the call itself and in what the run was permitted before. */
export interface SlotNames {
  readonly call: NonEmpty<string>;
  readonly history: readonly string[];
}

/** Values that are not given are absent. */
export function exampleCall(
  assignment: readonly (readonly [Variable, Value])[],
  names: SlotNames,
  standard: { readonly tool: string; readonly chain: readonly string[] },
): ExampleCall {
  const all = [...names.call, ...names.history];
  const slots: Json[] = all.map((name) => ({ name }));
  const sides: { args: Json; context: Json } = { args: {}, context: {} };
  let { tool, chain } = standard;
  let now: number | undefined;
  for (const [variable, value] of assignment) {
    if (variable.kind === 'tool') tool = value as string;
    else if (variable.kind === 'chain') chain = value as readonly string[];
    else if (variable.kind === 'now') now = value as number;
    else if (variable.kind === 'opaque' || value === undefined) continue;
    else if (variable.kind === 'fact')
      slots[variable.slot] = withValueAt(slots[variable.slot], variable.path, value);
    else sides[variable.kind] = withValueAt(sides[variable.kind], variable.path, value);
  }
  const capabilities = slots as unknown as Capability[];
  return {
    worker: chain as unknown as NonEmpty<string>,
    tool,
    ...(isEmpty(sides.args) ? {} : { args: sides.args as JsonObject }),
    capabilities: withSets(capabilities.slice(0, names.call.length)),
    ...(isEmpty(sides.context) ? {} : { context: sides.context as JsonObject }),
    ...(names.history.length === 0 ? {} : { history: capabilities.slice(names.call.length) }),
    ...(now === undefined ? {} : { now: new Date(now).toISOString() }),
  };
}

/** Capabilities that differ in their paths only become one of a file set, which is judged as they are. */
function withSets(capabilities: readonly Capability[]): NonEmpty<Capability> {
  const groups = groupedBy(capabilities, ({ path, ...rest }) =>
    JSON.stringify([rest, typeof path === 'string' ? '' : path]),
  );
  return [...groups.values()].map(([first, ...others]) =>
    typeof first?.path === 'string'
      ? { ...first, path: pathFact([first, ...others].map(({ path }) => path as string)) }
      : first,
  ) as unknown as NonEmpty<Capability>;
}

/** The decision of core. A call has a time where a rule reads it. */
export function decideCall(call: ExampleCall, policies: NonEmpty<Policy>): CallDecision {
  const request = requestOf(call);
  const grants: Grant[] = (call.grants ?? []).map((grant) => ({ source: 'reference', ...grant }));
  return answer(decide(request, policies), { request, policies, grants });
}

export function requestOf(call: ExampleCall): Request {
  const { tool, worker: chain, args = {}, capabilities, context = {}, history = [], now } = call;
  const at = now === undefined ? 0 : Date.parse(now);
  return createRequest({ tool, chain, args, capabilities, context, history, now: at });
}

/** 0 runs, 1 asks anybody, 2 asks a person, 3 never. */
export function levelOf(decision: CallDecision): 0 | 1 | 2 | 3 {
  if (decision.decision === 'pre_approved') return 0;
  if (decision.decision === 'blocked') return 3;
  return decision.judgements.some((judgement) => isOpenQuestion(judgement) && judgement.answer === 'person')
    ? 2
    : 1;
}

function isEmpty(value: Json): boolean {
  return Object.keys(value as JsonObject).length === 0;
}

/** One line for `ambit decide`; escaped. */
export function callText(call: ExampleCall): string {
  return Array.from(JSON.stringify(call), (character) =>
    escapeText(character) === character ? character : escapedUnits(character),
  ).join('');
}

/** The sets of unknown files that a call carries; JSON alone hardly shows them. Escaped. */
export function unknownFilesInWords({ capabilities }: ExampleCall): readonly string[] {
  const sets = capabilities.flatMap(({ path }) => (isUnknownMember(path) ? [path] : []));
  return [...new Set(sets.map((set) => escapeText(valueInWords(set))))];
}

/** What examples of one file say about many. Empty if no call names a file. */
export function manyFilesInWords(calls: readonly ExampleCall[]): readonly string[] {
  if (!calls.some(({ capabilities }) => capabilities.some(({ path }) => typeof path === 'string'))) return [];
  return [
    'a call on many files gets the strictest decision of its files: the same holds for it if one of them',
    'is such a file, no other one is decided more strictly, and no combination restricts them together',
  ];
}

const mostShown = 2000;

/** Cut for people. */
export function shownCall(call: ExampleCall): string {
  const text = callText(call);
  return text.length <= mostShown ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}

function escapedUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
