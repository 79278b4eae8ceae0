import {
  type Capability,
  equalJson,
  frozenCopy,
  isJsonObject,
  type JsonObject,
  messageOf,
  type Tool,
  type Toolset,
} from '@ambit/core';
import fc from 'fast-check';
import { argumentsOf } from './arbitrary-arguments.js';
import { checkDescription } from './check-description.js';
import { type Finding, type FindingCode, finding } from './finding.js';
import { type Effect, forbidden } from './watch/effects.js';
import { type Watched, watch } from './watch/watch.js';

export interface Described {
  readonly args: JsonObject;
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
}

/** Milliseconds. */
const slow = 1000;

const aDay = 86_400_000;

/** Describes each call twice, and watches the effects. */
export async function checkDescribing(toolset: Toolset, tool: Tool, given: Drawing) {
  const { accepted, unusable } = accept(tool, given);
  const findings: Finding[] = [...unusable];
  const described: Described[] = [];
  const reads = new Set<string>();
  for (const args of accepted) {
    const [first, second] = [await describeOnce(tool, args, 0), await describeOnce(tool, args, aDay)];
    for (const { kind, on } of first.watched.effects)
      if (kind === 'read_variable' || kind === 'clock' || kind === 'random') reads.add(on);
    const problems = problemsOf({ toolset, tool, args }, first, second);
    findings.push(...problems);
    if (first.said !== null) described.push({ args, ...first.said });
  }
  return { findings: firstOfEach(findings), described, reads: [...reads].sort() };
}

interface Drawing {
  readonly runs: number;
  readonly seed: number;
  readonly examples: readonly JsonObject[];
}

function accept(
  tool: Tool,
  { runs, seed, examples }: Drawing,
): { readonly accepted: readonly JsonObject[]; readonly unusable: readonly Finding[] } {
  // Small ones first, so findings are small.
  const drawn = fc.sample(argumentsOf(tool.input.json), { numRuns: runs, seed }).filter(isJsonObject);
  const accepted: JsonObject[] = [];
  const unusable: Finding[] = [];
  for (const [index, args] of [...examples, ...drawn].entries()) {
    const parsed = tool.input.parse(frozenCopy(args));
    if (parsed.ok) accepted.push(frozenCopy(parsed.value));
    else if (index < examples.length) {
      const message = `an example does not fit the schema: ${parsed.problem}`;
      unusable.push(finding('NOT_CHECKED', message, { tool: tool.name, args }));
    }
  }
  if (accepted.length === 0) {
    const message = 'no arguments were found that its schema accepts: give examples';
    unusable.push(finding('NOT_CHECKED', message, { tool: tool.name }));
  }
  accepted.sort((one, other) => JSON.stringify(one).length - JSON.stringify(other).length);
  return { accepted, unusable };
}

interface Once {
  readonly watched: Watched<unknown>;
  readonly said: { readonly capabilities: readonly Capability[]; readonly cannot: string | null } | null;
  readonly milliseconds: number;
}

async function describeOnce(tool: Tool, args: JsonObject, later: number): Promise<Once> {
  const begun = process.hrtime.bigint();
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  const watched = await watch(() => tool.describe(args, context), later);
  const milliseconds = Number(process.hrtime.bigint() - begun) / 1e6;
  return { watched, said: 'value' in watched.result ? saidIn(watched.result.value) : null, milliseconds };
}

function saidIn(value: unknown): Once['said'] {
  if (typeof value !== 'object' || value === null) return null;
  const { capabilities, cannot = null } = value as { capabilities?: unknown; cannot?: unknown };
  if (!Array.isArray(capabilities) || (cannot !== null && typeof cannot !== 'string')) return null;
  if (!capabilities.every((one) => isJsonObject(one) && typeof one.name === 'string')) return null;
  return { capabilities: capabilities as Capability[], cannot };
}

function problemsOf(
  { toolset, tool, args }: { readonly toolset: Toolset; readonly tool: Tool; readonly args: JsonObject },
  first: Once,
  second: Once,
): readonly Finding[] {
  const about = { tool: tool.name, args };
  const found = (code: FindingCode, message: string) => finding(code, message, about);
  const { result, effects } = first.watched;
  const impure = effects.filter(({ kind }) => forbidden.includes(kind));
  const problems = impure.map((effect) => found('NOT_PURE', `describing ${inWords(effect)}`));
  if ('error' in result)
    return [...problems, found('NOT_TOTAL', `describing threw: ${messageOf(result.error)}`)];
  if (first.said === null)
    return [
      ...problems,
      found('NOT_TOTAL', 'it returned no valid description: `{ capabilities: [{ name, … }] }`'),
    ];
  if (Math.max(first.milliseconds, second.milliseconds) > slow)
    problems.push(found('SLOW', `describing took ${Math.round(first.milliseconds)} ms`));
  if (!equalJson(asJson(first.said), asJson(second.said)))
    problems.push(
      found(
        'NOT_DETERMINISTIC',
        'the same call was described differently a moment later, with the clock a day ahead',
      ),
    );
  return [...problems, ...checkDescription(toolset, { ...about, capabilities: first.said.capabilities })];
}

function asJson(said: Once['said']): JsonObject {
  return JSON.parse(JSON.stringify({ said })) as JsonObject;
}

const words: Readonly<Record<string, string>> = {
  write: 'wrote',
  delete: 'deleted',
  meta: 'changed the metadata of',
  connect: 'connected to',
  resolve: 'looked up the name',
  run: 'ran',
  set_variable: 'set',
  read: 'read',
  list: 'listed',
};

export function inWords({ kind, on, by }: Effect): string {
  return `${words[kind] ?? kind} ${on} (${by})`;
}

/** Once for each message and tool, with the smallest arguments. */
function firstOfEach(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, message }) => {
    const key = `${code} ${message.replace(/[:(].*$/s, '')}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
