import {
  type Capability,
  createdPrefix,
  createRequest,
  isWithin,
  type NonEmpty,
  type Policy,
  type Request,
  remembered,
} from '@ambit/core';
import { createEngine, escapeText, type WrittenNamedRule } from '@ambit/policy';
import { conditionsInWords, subjectInWords } from '@ambit/policy/internal';
import { builtInTools } from '../names/tools.js';
import { CallSearch } from '../subject/call-search.js';
import { heardSites, type Lint, type LintedFile } from '../subject/scope.js';
import { isWide } from './rule-index.js';

const mostWorkers = 30;
const mostNames = 20;
const engine = createEngine();

/** Workers that may do what their callers may not, and that these may call. Each is shown by a decided call. */
export const amplifications: Lint = ({ file, files, now }, report) => {
  const [first, ...others] = files.map(({ policy }) => policy);
  const ofWorkers = heardSites(file).filter(({ rule }) => rule.worker !== null);
  if (first === undefined || ofWorkers.length === 0) return;
  const policies = [first, ...others] as const;
  const context: Context = {
    policies,
    now: now ?? 0,
    search: new CallSearch(policies, now),
    permitted: permittedNames(files),
    mayCall: new Map(),
  };
  const named = new Set(
    files.flatMap(({ policy }) => policy.document.rules.flatMap(({ worker }) => worker ?? [])),
  );
  const unnamed = ['main', 'caller', 'somebody'].find((name) => !named.has(name)) ?? null;
  const all = [...(unnamed === null ? [] : [unnamed]), ...named].slice(0, mostWorkers);
  const seen = new Set<string>();
  for (const { rule, decision: span } of ofWorkers) {
    if (rule.about === 'combination') continue;
    for (const [caller, callee] of pairsFor(rule, all)) {
      if (seen.has(`${caller} ${callee}`) || !mayCall(caller, callee, context)) continue;
      const example = exampleOf(rule, { ...context, caller, callee });
      if (example === null) continue;
      seen.add(`${caller} ${callee}`);
      const here = engine.decide({ ...example, chain: [caller], worker: caller }, context.policies).decision;
      report('AMPLIFIES', span, {
        message: `${workerInWords(caller, unnamed)} may call ${workerInWords(callee, unnamed)} without a question, and that worker may do more than the caller: for example, ${callInWords(example)} (${classOf(rule)}) runs there and is ${here} for the caller`,
        help: helpFor(rule, callee),
      });
      break;
    }
  }
};

function permittedNames(files: readonly LintedFile[]): readonly string[] {
  const rules = files.flatMap((file) => heardSites(file).map(({ rule }) => rule));
  const permissions = rules.filter((rule) => rule.about === 'capability' && rule.decision === 'pre_approved');
  return [...new Set(permissions.flatMap((rule) => (rule.about === 'combination' ? [] : [rule.name])))];
}

interface Context {
  readonly policies: NonEmpty<Policy>;
  readonly now: number;
  readonly search: CallSearch;
  readonly permitted: readonly string[];
  /** Known answers to whether a caller may call a worker. */
  readonly mayCall: Map<string, boolean>;
}

interface Pair extends Context {
  readonly caller: string;
  readonly callee: string;
}

/** Callers and callees. */
function pairsFor(
  { worker, decision, inherit }: WrittenNamedRule,
  all: readonly string[],
): readonly (readonly [string, string])[] {
  // A model may create a worker of any name; what it may then do is its caller's affair.
  if (worker === null || worker === 'created' || worker.startsWith(createdPrefix)) return [];
  const others = all.filter(
    (other) => other !== worker && other !== 'created' && !other.startsWith(createdPrefix),
  );
  if (decision === 'pre_approved') return others.map((caller) => [caller, worker]);
  return inherit ? [] : others.map((callee) => [worker, callee]);
}

function mayCall(caller: string, callee: string, { policies, now, mayCall: known }: Context): boolean {
  const capabilities = [{ name: 'worker.call', worker: callee, attachments: 0 }];
  const mayBy = (tool: string) => {
    const call = { tool, chain: [caller] as const, args: {}, capabilities, context: {}, history: [], now };
    return engine.decide(createRequest(call), policies).decision === 'pre_approved';
  };
  const tools = [`worker.${callee}`, 'delegation.worker_call'];
  return remembered(known, `${caller} ${callee}`, () => tools.some(mayBy));
}

/** A call that runs only through the callee. */
function exampleOf(
  rule: WrittenNamedRule,
  { policies, caller, callee, search, permitted }: Pair,
): Request | null {
  const { formulas } = search;
  for (const { tool, name } of carriersFor(rule, permitted)) {
    if (search.isDone) return null;
    const capability: Capability = name === 'tool.call' ? { name, tool } : { name };
    const here = { tool, chain: [caller] as const, capability };
    const there = { ...here, chain: [caller, callee] as const };
    const gained = [
      search.truthOf(rule, rule.decision === 'pre_approved' ? there : here),
      formulas.not(search.decisionOf(there).stops),
      search.decisionOf(here).stops,
    ] as const;
    const found = search.find(
      gained,
      there,
      (request) =>
        engine.decide(request, policies).decision === 'pre_approved' &&
        engine.decide({ ...request, chain: [caller], worker: caller }, policies).decision !== 'pre_approved',
    );
    if (found !== null) return found;
  }
  return null;
}

function carriersFor(
  rule: WrittenNamedRule,
  permitted: readonly string[],
): readonly { readonly tool: string; readonly name: string }[] {
  if (rule.about === 'tool') {
    const tool = rule.name.replace(/\*$/, 'tool');
    return (builtInTools[tool] ?? ['tool.call']).map((name) => ({ tool, name }));
  }
  const under = isWide(rule) ? permitted.filter((name) => isWithin(name, rule.name)).slice(0, mostNames) : [];
  return [...new Set([...under, rule.name])].map((name) => ({ tool: toolFor(name), name }));
}

function toolFor(capability: string): string {
  return Object.keys(builtInTools).find((tool) => builtInTools[tool]?.[0] === capability) ?? 'toolset.tool';
}

function workerInWords(name: string, unnamed: string | null): string {
  return name === unnamed ? `a worker that no rule names (such as \`${name}\`)` : `\`${name}\``;
}

/** `fs.write where path is /w/out/**` */
function classOf(rule: WrittenNamedRule): string {
  return [subjectInWords(rule), ...conditionsInWords(rule)].join(' ');
}

function callInWords({ tool, capabilities: [{ name, ...facts }] }: Request): string {
  const said = Object.entries(facts).map(([fact, value]) => `${fact}=${JSON.stringify(value)}`);
  return `\`${escapeText([name, ...said].join(' ').slice(0, 160))}\` by \`${escapeText(tool)}\``;
}

function helpFor({ decision }: WrittenNamedRule, callee: string): string {
  return decision === 'pre_approved'
    ? `let \`worker.call\` of \`${callee}\` ask, or restrict the caller: its restrictions hold for those who act for it`
    : `let \`worker.call\` of \`${callee}\` ask, or remove \`inherit: false\``;
}
