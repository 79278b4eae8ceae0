import { isWithin } from '@ambit/core';
import type { PolicyDocument, WrittenNamedRule, WrittenPolicy } from '@ambit/policy';
import { wellKnown } from '@ambit/toolsets';
import {
  absent,
  type CompiledRules,
  type Kind,
  kinds,
  looser,
  type RuleNote,
  type StaticRule,
  type Subject,
  stricter,
} from './static-rule.js';

interface Carried {
  readonly all: readonly string[];
  /** Null: a command may carry every capability. */
  readonly some: readonly string[] | null;
}

/** The capabilities that every call of a kind carries, and those that it may carry. */
const carried: Readonly<Record<Kind, Carried>> = {
  shell: { all: ['proc.exec'], some: null },
  read: { all: ['fs.read'], some: ['fs', 'secret'] },
  write: { all: ['fs.write'], some: ['fs', 'sys', 'secret'] },
  web: { all: ['net.connect', 'content.untrusted'], some: ['net', 'content'] },
  server: { all: ['mcp.call'], some: ['mcp', 'tool'] },
  agent: { all: ['worker.call'], some: ['worker', 'tool'] },
  other: { all: ['tool.call'], some: ['tool', 'proc', 'sys'] },
};

/**
 * The parts of policies that a client's own settings can express. A kind of call is refused if the policies never
 * permit it, allowed only if they certainly permit it, and asks otherwise. The notes list what was lost.
 */
export function rulesFrom(
  policies: readonly WrittenPolicy[],
  root: string,
): CompiledRules & { readonly notes: readonly RuleNote[] } {
  const documents = policies.map(({ document }) => document);
  const notes: RuleNote[] = [];
  const denials = documents.flatMap((document) => document.rules.flatMap((rule) => denialOf(rule, notes)));
  // Rules about tools and combinations may restrict any call, and no client supports them.
  const isPlain = documents.every(
    ({ rules, carries }) =>
      carries.length === 0 && rules.every(({ about, observe }) => observe || about === 'capability'),
  );
  const rest = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      documents.some((document) => isNever(document, carried[kind].all)) ? 'deny' : 'ask',
    ]),
  ) as CompiledRules['rest'];
  const permissions = isPlain ? permissionsOf(documents) : [];
  if (!isPlain)
    notes.push(stricter('tools, together, carries', 'with such rules nothing is allowed without a question'));
  for (const kind of kinds)
    if (rest[kind] === 'ask' && documents.some((document) => mayPermit(document, carried[kind].all)))
      notes.push(
        stricter(kind, 'what the policy permits asks in the client, except for the rules that it allows'),
      );
  for (const kind of kinds)
    if (rest[kind] === 'ask' && documents.some((document) => mayBlock(document, carried[kind])))
      notes.push(looser(kind, 'some calls that the policy blocks ask in the client'));
  for (const kind of kinds)
    if (denials.some(({ isStricter, subject }) => isStricter && subject.about === kind))
      notes.push(stricter(kind, 'rules with a condition refuse in every case'));
  for (const kind of ['shell', 'read'] as const)
    if (rest[kind] === 'deny') notes.push(stricter(kind, 'refused as a whole, also what the policy permits'));
  return { rest, rules: [...denials, ...permissions], root, notes };
}

/** Whether no rule permits one of these capabilities, or a rule blocks one without a condition. */
function isNever(document: PolicyDocument, names: readonly string[]): boolean {
  return names.some((name) => {
    const about = capabilityRules(document);
    const isBlocked = about.some(
      (rule) =>
        rule.decision === 'blocked' &&
        isWithin(name, rule.name) &&
        isUnconditional(rule) &&
        rule.worker === null,
    );
    const isPermitted = about.some((rule) => rule.decision === 'pre_approved' && mayCover(rule, name));
    const asks = about.some(
      (rule) =>
        rule.decision === 'needs_approval' && (isWithin(name, rule.name) || isWithin(rule.name, name)),
    );
    return isBlocked || (document.default.decision === 'blocked' && !isPermitted && !asks);
  });
}

function mayPermit(document: PolicyDocument, names: readonly string[]): boolean {
  return (
    document.default.decision === 'pre_approved' ||
    capabilityRules(document).some(
      (rule) => rule.decision === 'pre_approved' && names.some((name) => mayCover(rule, name)),
    )
  );
}

function mayBlock({ rules, default: { decision } }: PolicyDocument, of: Carried): boolean {
  return (
    decision === 'blocked' ||
    rules.some(
      (rule) => rule.decision === 'blocked' && (rule.about !== 'capability' || mayCarry(of, rule.name)),
    )
  );
}

function mayCarry({ all, some }: Carried, name: string): boolean {
  return some === null || [...all, ...some].some((each) => isWithin(each, name) || isWithin(name, each));
}

/** The rules about capabilities that are in force. */
function capabilityRules({ rules }: PolicyDocument): readonly WrittenNamedRule[] {
  return rules.flatMap((rule) => (rule.about === 'capability' && !rule.observe ? [rule] : []));
}

/** Whether a permission is about this capability. */
function covers({ name, below }: WrittenNamedRule, wanted: string): boolean {
  return name === wanted || (below && isWithin(wanted, name));
}

/** Whether it is also about a narrower one that a call may carry instead, such as `fs.write.outside`. */
function mayCover(rule: WrittenNamedRule, wanted: string): boolean {
  return covers(rule, wanted) || isWithin(rule.name, wanted);
}

function isUnconditional({ match, except, when, until }: WrittenNamedRule): boolean {
  return match === null && except === null && when === null && until === null;
}

/** Well-known secrets in places without exceptions or conditions, but the settings of git, which it needs in a sandbox. */
const plainSecrets = wellKnown
  .filter(({ capability, except, beside }) => capability === 'secret.read' && !except && beside === undefined)
  .flatMap(({ places }) => places.filter((place) => !place.includes('/.git/')));

/** A block of the policy as rules of a client, or a note if there is no equivalent. */
function denialOf(rule: PolicyDocument['rules'][number], notes: RuleNote[]): readonly StaticRule[] {
  if (rule.observe || rule.decision !== 'blocked') return [];
  const from = rule.id;
  const lost = (why: string): readonly StaticRule[] => {
    notes.push(absent(from, why));
    return [];
  };
  if (rule.about === 'combination' || rule.worker !== null)
    return lost('clients have no rules about this; the calls ask, or are refused by default');
  const isAlways = rule.when === null && rule.except === null;
  // A person decides about a whole tool, or kind of call, that the policy blocks in some cases only.
  if (!isAlways && (rule.about === 'tool' || (rule.match === null && !isNarrow(rule.name)))) {
    notes.push(looser(from, 'clients have no conditions; the calls ask, or are refused by default'));
    return [];
  }
  if (rule.about === 'tool') {
    const subject = toolSubject(rule.name);
    if (subject === null) return lost('its name can be split in two ways');
    if (subject.about === 'server')
      notes.push(looser(from, 'clients compare names exactly: other spellings of this one ask'));
    return [{ decision: 'deny', subject, from }];
  }
  const deny = (subject: Subject): StaticRule =>
    isAlways ? { decision: 'deny', subject, from } : { decision: 'deny', subject, from, isStricter: true };
  if (!isAlways)
    notes.push(stricter(from, 'clients have no conditions, so these calls are refused in every case'));
  if (isWithin('vcs.push', rule.name) && rule.match === null) {
    notes.push(looser(from, 'only commands that begin with `git push` are refused'));
    return [deny({ about: 'shell', words: ['git', 'push'], isExact: false })];
  }
  if (isWithin('secret.read', rule.name) && rule.match === null) {
    notes.push(looser(from, 'only secrets whose names have no exceptions are refused'));
    return [deny({ about: 'read', globs: plainSecrets })];
  }
  const subjects = subjectsOf(rule);
  return subjects === null ? lost('clients have no such rule') : subjects.map(deny);
}

/** Whether the name alone means few calls. */
function isNarrow(name: string): boolean {
  return isWithin('vcs.push', name) || isWithin('secret.read', name);
}

/** A tool by its name in policies; of an MCP server, if the name can be split in one way. */
function toolSubject(name: string): Subject | null {
  const [, server, tool = ''] = /^mcp-([^.]+)\.(.+)$/.exec(name) ?? [];
  if (server === undefined) return { about: 'other', tool: name };
  const [, ...splits] = [...`${server}__${tool}`.matchAll(/(?=__)/g)];
  return splits.length > 0 ? null : { about: 'server', server, tool: tool === '*' ? null : tool };
}

/**
 * The calls of a rule with plain patterns; null if a client cannot express it. Only paths may have wildcards, and none
 * in the folder of `./` or `~/`, where the client would read them.
 */
function subjectsOf({ name, match }: WrittenNamedRule): readonly Subject[] | null {
  const facts = new Map((match ?? []).map((fact) => [fact.fact, fact.patterns] as const));
  const texts = (key: string): readonly string[] | null => {
    const patterns = facts.get(key);
    if (patterns === undefined || facts.size > 1) return null;
    const globs = patterns.flatMap((pattern) => (pattern.kind === 'glob' ? [pattern.glob] : []));
    const isPlain = (text: string) => !/[*?]/.test(text);
    const isSaid = globs.every(({ text, segments }) =>
      key === 'path'
        ? segments.every((each) => each === '**' || !('literal' in each) || isPlain(each.literal))
        : isPlain(text),
    );
    return isSaid && globs.length === patterns.length ? globs.map(({ text }) => text) : null;
  };
  const isEverything = match === null;
  const kinds = (['read', 'write'] as const).filter((kind) => isWithin(carried[kind].all[0] ?? '', name));
  if (kinds.length > 0) {
    const globs = isEverything ? null : texts('path');
    if (globs === null) return isEverything ? [] : null;
    return kinds.map((about) => ({ about, globs }));
  }
  if (isWithin('net.connect', name))
    return isEverything ? [] : (texts('host')?.map((host) => ({ about: 'web', host })) ?? null);
  if (isWithin('proc.exec', name)) {
    if (isEverything) return [];
    const programs = texts('program');
    // An object would place a number before all other keys.
    return programs?.every((each) => /^(?!\d+$)[\w.+-]+$/.test(each))
      ? programs.map((program) => ({ about: 'shell', words: [program], isExact: false }))
      : null;
  }
  if (isWithin('mcp.call', name)) {
    if (isEverything) return [];
    return texts('server')?.map((server) => ({ about: 'server', server, tool: null })) ?? null;
  }
  if (isWithin('worker.call', name))
    return isEverything ? [] : (texts('worker')?.map((each) => ({ about: 'agent', name: each })) ?? null);
  return null;
}

/**
 * The calls that all policies certainly permit: named hosts, MCP servers and sub-agents, if no other rule
 * restricts their kind.
 */
function permissionsOf(documents: readonly PolicyDocument[]): readonly StaticRule[] {
  const [first, ...others] = documents.map((document) => {
    const found = (['web', 'server', 'agent'] as const).flatMap((kind) => permittedOf(document, kind));
    return new Map(found.map((rule) => [JSON.stringify(rule.subject), rule]));
  });
  return [...(first ?? new Map<string, StaticRule>())]
    .filter(([key]) => others.every((each) => each.has(key)))
    .map(([, rule]) => rule);
}

function permittedOf(document: PolicyDocument, kind: 'web' | 'server' | 'agent'): readonly StaticRule[] {
  const { all } = carried[kind];
  const about = capabilityRules(document);
  const isRestricted = about.some(
    (rule) => rule.decision !== 'pre_approved' && mayCarry(carried[kind], rule.name),
  );
  if (isRestricted) return [];
  const permits = about.filter(
    (rule) => rule.decision === 'pre_approved' && rule.worker === null && rule.until === null,
  );
  const [name = '', ...besides] = all;
  const isBesides = besides.every(
    (each) =>
      document.default.decision === 'pre_approved' ||
      permits.some((rule) => covers(rule, each) && isUnconditional(rule)),
  );
  if (!isBesides) return [];
  return permits
    .filter((rule) => covers(rule, name) && rule.when === null && rule.except === null && rule.match !== null)
    .flatMap((rule) =>
      (subjectsOf({ ...rule, name }) ?? [])
        .filter(isNamed)
        .map((subject) => ({ decision: 'allow' as const, subject, from: rule.id })),
    );
}

/** A literal name: not a pattern, and not a host that may be this machine. */
function isNamed(subject: Subject): boolean {
  if (subject.about === 'web')
    return (
      /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(subject.host ?? '') &&
      !/localhost|\.local$|\.internal$/.test(subject.host ?? '')
    );
  if (subject.about === 'server') return /^[a-zA-Z0-9-]+$/.test(subject.server ?? '');
  return subject.about === 'agent' && /^[a-z][a-z0-9-]*$/.test(subject.name ?? '');
}
