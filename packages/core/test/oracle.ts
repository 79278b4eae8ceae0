import type {
  Capability,
  CombinationRule,
  Decision,
  Json,
  KeptAnswer,
  NonEmpty,
  Policy,
  ReferenceGrant,
  Rule,
  Truth,
} from '../src/index.js';
import type { Case } from './arbitrary/case.js';

/**
 * The sentences of docs/semantics.md a second time, in another style: no maximum with undecided rules in it, but every
 * way in which the undecided ones could turn out, and the worst of them. Shares nothing with core but its types.
 */

/** From the least strict. There are two kinds of question, because only a person can answer a person's. */
const levels = ['runs', 'asks', 'asks a person', 'never'] as const;
type Level = (typeof levels)[number];

export interface Verdict {
  readonly decision: Decision;
  /** By capability and policy, before standing grants. */
  readonly before: readonly Level[];
  /** The same, after every grant. */
  readonly after: readonly Level[];
}

export function oracle({ request, policies, grants }: Case): Verdict {
  const capabilities = [...request.capabilities];
  for (const { tool, capability } of policies.flatMap((policy) => policy.carries)) {
    if (isKeyOf(tool, request.tool)) capabilities.push(capability);
  }
  const carried = distinct(capabilities);
  const all = carried.flatMap(oneByOne);
  const pairs = carried.flatMap((capability) => policies.map((policy) => ({ capability, policy })));
  const before = pairs.map(({ capability, policy }) =>
    worst(
      oneByOne(capability).flatMap((member) =>
        outcomes(policy, { capability: member, all, request }).map((outcome) => outcome.level),
      ),
    ),
  );
  const after = pairs.map(({ capability, policy }, index) => {
    if (before[index] !== 'asks') return before[index] as Level;
    const isStanding = oneByOne(capability)
      .flatMap((member) => outcomes(policy, { capability: member, all, request }))
      .every((outcome) => outcome.isGranted);
    const isGranted = grants.some((grant) =>
      grant.source === 'reference'
        ? isReferenceHeard(grant, { policy, capability, request })
        : isKeptHeard(grant, { policy, capability, request }),
    );
    return isStanding || isGranted ? 'runs' : 'asks';
  });
  const isGuard = capabilities.some(({ name }) => name === 'sys.guard' || name.startsWith('sys.guard.'));
  const level = isGuard ? 'never' : worst(after);
  const decision = level === 'runs' ? 'pre_approved' : level === 'never' ? 'blocked' : 'needs_approval';
  return { decision, before, after };
}

interface Outcome {
  readonly level: Level;
  readonly isGranted: boolean;
}

/** One capability among all that a call carries. */
interface Looked {
  readonly capability: Capability;
  readonly all: readonly Capability[];
  readonly request: Case['request'];
}

/**
 * What a policy says in every world that its undecided rules allow; a block that asks where it is undecided asks a person in each,
 * whether it then holds or not.
 */
function outcomes(policy: Policy, given: Looked): readonly Outcome[] {
  const { request } = given;
  const truths = policy.rules.map((rule) => truthFor(rule, given));
  const open = truths.flatMap((truth, index) => (typeof truth === 'boolean' ? [] : [index]));
  const asking = open.filter((index) => {
    const { decision, undecided } = policy.rules[index] as Rule;
    return decision === 'blocked' && undecided === 'needs_approval';
  });
  const worlds = Array.from({ length: 2 ** open.length }, (_, world) => {
    const holding = policy.rules.filter((_rule, index) => {
      const bit = open.indexOf(index);
      if (asking.includes(index)) return false;
      return bit === -1 ? truths[index] === true : Math.floor(world / 2 ** bit) % 2 === 1;
    });
    const said = outcome(policy, holding, request);
    const level = asking.length === 0 ? said.level : worst([said.level, 'asks a person']);
    return { ...said, level: isUnderstood(policy, given) ? level : worst([level, 'asks']) };
  });
  return worlds;
}

/** Whether a policy may be silent about an opaque program: where it restricts nothing, or speaks about them for everybody. */
function isUnderstood(policy: Policy, { capability: { name } }: Looked): boolean {
  if (name !== 'proc.exec.opaque' || policy.default.decision !== 'pre_approved') return true;
  const heard = policy.rules.filter(({ observe }) => !observe);
  const isAbout = (rule: Rule) =>
    rule.about === 'capability' && rule.name === 'proc.exec.opaque' && rule.worker === null;
  return heard.some(isAbout) || heard.every((rule) => rule.decision === 'pre_approved');
}

/** With every rule decided, the sentence is short: the strictest of what applies, or the default. */
function outcome(policy: Policy, holding: readonly Rule[], request: Case['request']): Outcome {
  const grants = holding.filter((rule) => rule.about === 'tool' && rule.decision === 'pre_approved');
  const own = holding.filter(
    (rule) =>
      rule.about === 'capability' &&
      (rule.worker === null ||
        rule.worker === request.worker ||
        (rule.worker === 'created' && request.worker.startsWith('created:'))),
  );
  const others = holding.filter((rule) => !own.includes(rule) && !grants.includes(rule));
  const said = [...(own.length === 0 ? [policy.default] : own), ...others].map(levelOf);
  return { level: worst(said), isGranted: grants.length > 0 };
}

function truthFor(rule: Rule, { capability: found, all, request }: Looked): Truth {
  const capability = withoutOddFacts(found);
  if (rule.observe || !isRuleForWorkers(rule, request.chain)) return false;
  if (rule.about === 'combination') return combinationFor(rule, { capability, all, request });
  if (rule.about === 'tool') return isKeyOf(rule.name, request.tool) && rule.condition(request);
  const isSame = capability.name === rule.name;
  const isUnder = capability.name.startsWith(`${rule.name}.`);
  const isCovered = isSame || (isUnder && (rule.decision !== 'pre_approved' || rule.below));
  return isCovered && rule.condition({ ...request, capability });
}

/** All listed things are there, and this is one of them; for each the best that any capability can say. */
function combinationFor(rule: CombinationRule, { capability, all, request }: Looked): Truth {
  const before = rule.within === 'run' ? request.history.flatMap(oneByOne) : [];
  const around = [...all, ...before].map(withoutOddFacts);
  const meets = ({ name, condition }: CombinationRule['members'][number], one: Capability) =>
    one.name === name || one.name.startsWith(`${name}.`) ? condition({ ...request, capability: one }) : false;
  const scores = [
    score(rule.condition(request)),
    Math.max(...rule.members.map((member) => score(meets(member, capability)))),
    ...rule.members.map((member) => Math.max(...around.map((one) => score(meets(member, one))))),
  ];
  const least = Math.min(...scores);
  return least === 1 ? { undecided: 'one of them is' } : least === 2;
}

function score(truth: Truth): number {
  return typeof truth === 'boolean' ? (truth ? 2 : 0) : 1;
}

function isRuleForWorkers({ worker, decision, inherit }: Rule, chain: NonEmpty<string>): boolean {
  if (worker === null) return true;
  const acting = chain.at(-1);
  if (decision === 'pre_approved') return worker === acting;
  return (inherit ? [...chain] : [acting ?? '']).some((member) => {
    const created = member.startsWith('created:') ? ['created', member.slice('created:'.length)] : [];
    return [member, ...created].includes(worker);
  });
}

interface Asked {
  readonly policy: Policy;
  readonly capability: Capability;
  readonly request: Case['request'];
}

function isReferenceHeard(grant: ReferenceGrant, { policy, capability, request }: Asked): boolean {
  const { workers } = policy.admits;
  const isAdmitted = Array.isArray(workers) ? workers.includes(request.tool) : workers === true;
  const isForCall = grant.worker === request.worker && grant.tool === request.tool;
  return isAdmitted && isForCall && (grant.capabilities ?? [capability.name]).includes(capability.name);
}

const lengths = ['call', 'run', 'always'];
const distances = ['call', 'arguments', 'file', 'folder', 'program', 'capability'];

function isKeptHeard(grant: KeptAnswer, { policy, capability, request }: Asked): boolean {
  if (text([...grant.chain]) !== text([...request.chain]) || grant.tool !== request.tool) return false;
  // A policy that came later has not been answered, nor is anything once the time is up.
  if (!grant.policies.some((name) => name === policy.name)) return false;
  if (request.now >= (grant.until ?? Number.POSITIVE_INFINITY)) return false;
  if (lengths.indexOf(grant.remember) > lengths.indexOf(policy.admits.remember)) return false;
  if (distances.indexOf(grant.reach) > distances.indexOf(policy.admits.reach)) return false;
  if (grant.reach === 'arguments' && text(grant.args) !== text(request.args)) return false;
  const shown = grant.shown.flatMap(oneByOne);
  return oneByOne(capability).every((file) => shown.some((one) => isReached(file, one, grant.reach)));
}

/** One file, or all that nobody knows, by an answer about one file, or all that nobody knew. */
function isReached(capability: Capability, shown: Capability, reach: string): boolean {
  const folderOfUnknown = isSomeUnknown(capability.path) ? underOf(capability) : null;
  if (folderOfUnknown === '' || shown.name !== capability.name) return false;
  if (shown.agent !== capability.agent) return false;
  if (reach === 'capability') return shown.name !== 'tool.call' || shown.named === capability.named;
  // A call that is made again finds what it has made.
  if (reach === 'arguments') {
    const made = Object.hasOwn(shown, 'exists') ? ['exists'] : [];
    return text(factsBut(shown, made)) === text(factsBut(capability, made));
  }
  // How much may differ from `file` on; where, from `folder` on; nothing else.
  if (text(factsBut(shown, ['path', 'bytes'])) !== text(factsBut(capability, ['path', 'bytes'])))
    return false;
  if (text(shown.path ?? null) === text(capability.path ?? null)) return true;
  if (reach === 'file') return false;
  const wanted = folderOfUnknown ?? pathOf(capability);
  const deep = underOf(shown);
  if (deep !== '') return wanted === deep || wanted.startsWith(deep === '/' ? '/' : `${deep}/`);
  const folder = pathOf(shown).replace(/[^/]*$/, '');
  return folder.length > 1 && wanted.startsWith(folder);
}

/** Nothing where it is not one of those that nobody knows, or not said. */
function underOf({ path }: Capability): string {
  if (!isSomeUnknown(path)) return '';
  const { under } = path as Record<string, Json>;
  return typeof under === 'string' ? under : '';
}

function levelOf({ decision, answer }: Pick<Rule, 'decision' | 'answer'>): Level {
  if (decision === 'pre_approved') return 'runs';
  if (decision === 'blocked') return 'never';
  return answer === 'person' ? 'asks a person' : 'asks';
}

function worst(of: readonly Level[]): Level {
  return levels[Math.max(...of.map((level) => levels.indexOf(level)))] ?? 'never';
}

function isKeyOf(key: string, tool: string): boolean {
  const [toolset] = tool.split('.');
  return [tool, `${toolset}.*`].includes(key);
}

/** The universe has one fact with a canonical form, and one spelling that is not canonical. */
function withoutOddFacts(capability: Capability): Capability {
  const { path, ...others } = capability;
  const isOne = typeof path === 'string' && path.startsWith('/');
  return isOne || isSomeUnknown(path) ? capability : (others as Capability);
}

/** A capability for each file of a set, and one for all unknown files. */
function oneByOne(capability: Capability): readonly Capability[] {
  const { path } = capability;
  if (typeof path !== 'object' || path === null || Array.isArray(path)) return [capability];
  const { paths, open, under, ...others } = path as Record<string, Json>;
  const isSet =
    Array.isArray(paths) &&
    Object.keys(others).length === 0 &&
    (open === true || (open === undefined && under === undefined && paths.length > 0));
  if (!isSet) return [capability];
  const known = [...new Set(paths as string[])].map((one) => ({ ...capability, path: one }));
  const folder = typeof under === 'string' && under.startsWith('/') ? { under } : {};
  return open === true ? [...known, { ...capability, path: { paths: [], open, ...folder } }] : known;
}

function isSomeUnknown(path: Json | undefined): boolean {
  return typeof path === 'object' && path !== null && 'open' in path && path.open === true;
}

function pathOf({ path }: Capability): string {
  return typeof path === 'string' ? path : '';
}

function factsBut(capability: Capability, left: readonly string[]): Json {
  return Object.fromEntries(Object.entries(capability).filter(([fact]) => !left.includes(fact)));
}

function distinct(list: readonly Capability[]): readonly Capability[] {
  return list.filter((one, index) => list.findIndex((other) => text(other) === text(one)) === index);
}

function text(value: Json): string {
  return JSON.stringify(value, (_key, item: Json) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
