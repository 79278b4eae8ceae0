import { equalJson, type Json, type JsonObject } from '@ambit/core';
import { loadPolicyText } from '@ambit/policy';
import { workerNameOf } from '../clients/fields.js';
import {
  type ClientRules,
  everything,
  type FileSubject,
  looser,
  type RuleNote,
  type StaticRule,
  type Subject,
  stricter,
} from './static-rule.js';

/**
 * A policy with the meaning of a client's settings: never more permissive, and with a note if it is stricter.
 */
export function policyFrom(
  { rules, notes, rest }: ClientRules,
  about: string,
): { readonly text: string; readonly notes: readonly RuleNote[] } {
  const found: RuleNote[] = [...notes];
  const made = neededOf(rules, found).flatMap((rule) => madeOf(rule, found));
  const head = [
    `# From the settings of ${about}. The strictest rule decides, in any order.`,
    'version: 1',
    `default: ${rest === 'deny' ? 'blocked' : 'needs_approval'}`,
  ];
  return { text: `${[...head, ...linesOf(made)].join('\n')}\n`, notes: found };
}

/** Without permissions that another rule overrides as a whole, or makes needless. */
function neededOf(rules: readonly StaticRule[], notes: RuleNote[]): readonly StaticRule[] {
  return rules.filter(({ decision, subject, from }) => {
    if (decision !== 'allow') return true;
    const covering = rules.filter((each) => covers(each.subject, subject));
    const over = covering.find((each) => each.decision !== 'allow');
    if (over !== undefined) notes.push(stricter(from, `${over.from} covers it`));
    return over === undefined && covering.every((each) => equalJson(each.subject as Json, subject as Json));
  });
}

/** Whether the first is about every call of the kind, or about all files of the project. */
function covers(wide: Subject, { about, ...narrow }: Subject): boolean {
  if (about === 'text') return false;
  if (equalJson(wide as Json, everything(about) as Json)) return true;
  const isInside = 'globs' in narrow && narrow.globs?.every((glob) => glob.startsWith('./')) === true;
  return isInside && equalJson(wide as Json, { about, globs: ['./**'] });
}

/** Of a rule whose texts no policy may have, such as a path with `//`, a restriction holds for the whole kind. */
function madeOf(rule: StaticRule, notes: RuleNote[]): readonly Made[] {
  const { decision, subject, from } = rule;
  const made = rulesOf(rule);
  const text = ['version: 1', 'default: blocked', ...linesOf([made])].join('\n');
  if (loadPolicyText('policy.yaml', text, { root: '/', home: '/' }).ok) {
    if (made.note !== null) notes.push((isUncertain(rule) ? looser : stricter)(from, made.note));
    return [made];
  }
  const why = 'a policy cannot name this';
  if (decision === 'allow') notes.push(stricter(from, `${why}, so its other rules decide`));
  else notes.push(looser(from, `${why}, so every call of this kind asks`));
  const whole = everything(subject.about === 'text' ? 'shell' : subject.about);
  return decision === 'allow' ? [] : [rulesOf({ ...rule, decision: 'ask', subject: whole })];
}

function linesOf(made: readonly Made[]): readonly string[] {
  return (['capabilities', 'tools'] as const).flatMap((section) => {
    const named = made.flatMap((each) => each[section]);
    const listed = [...new Set(named.map(([name]) => name))].flatMap((name) => {
      const own = named.filter(([each]) => each === name);
      return [`  ${name}:`, ...new Set(own.map(([, rule]) => `    - ${JSON.stringify(rule)}`))];
    });
    return listed.length === 0 ? [] : [`${section}:`, ...listed];
  });
}

type Named = readonly (readonly [string, JsonObject])[];

interface Made {
  readonly capabilities: Named;
  readonly tools: Named;
  /** Why the policy is stricter; null if it is not. */
  readonly note: string | null;
}

const decisions = { allow: 'pre_approved', ask: 'needs_approval', deny: 'blocked' } as const;

function rulesOf({ decision, subject, from }: StaticRule): Made {
  const isAllow = decision === 'allow';
  const plain = { decision: decisions[decision] };
  // An undecided restriction asks a person, because the client cannot decide it either.
  const rule: JsonObject = {
    ...plain,
    ...(decision === 'deny' && { undecided: 'needs_approval' }),
    ...(!isAllow && { reason: `${from.replace(/[^ -~]/g, '?')} in the agent’s settings` }),
  };
  const made = (names: readonly string[], more: JsonObject, note: string | null = null): Made => ({
    capabilities: names.map((name) => [name, { ...rule, ...more }] as const),
    tools: [],
    note,
  });
  const ofTool = (tool: string, more: JsonObject = {}): Named => [[tool, { ...plain, ...more }]];
  switch (subject.about) {
    case 'shell': {
      const { words, isExact } = subject;
      const names = isAllow ? ['proc.exec', 'proc.exec.opaque'] : ['proc.exec'];
      const isOpen = isUncertain({ decision, subject });
      const restriction = isOpen ? 'a command with unknown words needs approval' : null;
      const note = isAllow ? 'what the command reads, writes and reaches is judged by itself' : restriction;
      const found = made(names, whenWords(words, { isExact, isAllow }), note);
      // A line of redirections and tests runs no program.
      return words.length > 0 || isAllow ? found : { ...found, tools: ofTool('shell.run') };
    }
    case 'text': {
      const when = { and: subject.pieces.map((piece) => ({ in: [piece, { var: 'args.command' }] })) };
      const tools = ofTool('shell.run', { when });
      return { capabilities: [], tools, note: 'it holds for every line with these texts' };
    }
    case 'read':
    case 'write': {
      // A tool that finds no file has no capability of this kind.
      if (!isAllow && subject.tools !== undefined)
        return {
          capabilities: [],
          tools: subject.tools.flatMap((tool) => ofTool(tool, whenFile(subject))),
          note: null,
        };
      return made(...ofFiles(subject, isAllow));
    }
    case 'web': {
      const { host, scheme } = subject;
      const only = scheme === undefined ? {} : { scheme, port: scheme === 'https' ? 443 : 80 };
      const found = made(['net.connect'], host === null ? {} : { match: { host, ...only } });
      // A page may contain lies, so its text is a capability of its own.
      const text: Named = isAllow ? [['content.untrusted', { decision: 'pre_approved' }]] : [];
      return { ...found, capabilities: [...found.capabilities, ...text] };
    }
    case 'server':
      return made(['mcp.call'], ofServer(subject));
    case 'agent':
      return made(['worker.call'], ...ofAgent(subject.name, isAllow));
    case 'other':
      if (isAllow) return { capabilities: [], tools: [], note: 'such calls ask' };
      return { ...made(['tool.call'], {}), tools: subject.tool === undefined ? [] : ofTool(subject.tool) };
  }
}

function ofFiles(
  subject: FileSubject,
  isAllow: boolean,
): readonly [readonly string[], JsonObject, string | null] {
  const match = subject.globs === null ? {} : { match: { path: [...subject.globs] } };
  const facts = { ...match, ...whenFile(subject, subject.tools) };
  const writes = isAllow ? ['fs.write'] : ['fs.write', 'fs.delete'];
  const names = subject.about === 'read' ? ['fs.read', 'fs.list'] : writes;
  const note = 'secrets and guarded places are judged by themselves';
  return isAllow ? [names, { below: true, ...facts }, note] : [names, facts, null];
}

function ofServer({ server, tool }: Extract<Subject, { about: 'server' }>): JsonObject {
  if (server === null) return {};
  return { match: { server, ...(tool === null ? {} : { tool }) } };
}

/** The conditions of a rule about an agent, and why it is stricter. */
function ofAgent(name: string | null, isAllow: boolean): readonly [JsonObject, string | null] {
  if (name === null) return [{}, null];
  const worker = workerNameOf(name);
  const named = { '==': [{ var: ['capability.named', ''] }, worker === name ? '' : name] };
  if (isAllow) return [{ match: { worker }, when: named }, null];
  return [{ match: { worker } }, 'so are agents with the same name in policies'];
}

function whenFile({ has, lacks }: FileSubject, tools: readonly string[] = []): JsonObject {
  const conditions: readonly Json[] = [
    ...(tools.length === 0 ? [] : [{ in: [{ var: 'tool' }, [...tools]] }]),
    ...(has === undefined ? [] : [{ '!': { missing: [`args.${has}`] } }]),
    ...(lacks === undefined ? [] : [{ '!!': { missing: [`args.${lacks}`] } }]),
  ];
  return conditions.length === 0 ? {} : { when: { and: [...conditions] } };
}

/** A restriction of commands that holds only where their words are certain. */
function isUncertain({ decision, subject }: Omit<StaticRule, 'from'>): boolean {
  return decision === 'deny' && subject.about === 'shell' && subject.words.length > 0;
}

/**
 * The words of the running program. A permission also fixes the text, because the client reads quotes and variables
 * differently. Missing words leave the condition undecided; every command needs none.
 */
function whenWords(
  words: readonly string[],
  { isExact, isAllow }: { readonly isExact: boolean; readonly isAllow: boolean },
): JsonObject {
  if (words.length === 0) return {};
  const argv = words.map((word, at) => ({ '==': [{ var: `capability.argv.${at}` }, word] }));
  if (!isAllow) return { when: argv.length === 1 ? (argv[0] ?? null) : { and: argv } };
  const text = words.join(' ');
  const command = { var: 'args.command' };
  const same = isExact ? { '==': [command, text] } : { '==': [{ substr: [command, 0, text.length] }, text] };
  const asWritten = rewritten.map((each) => ({ '!': { in: [each, command] } }));
  return { when: { and: [same, ...argv, ...asWritten] } };
}

/** After these, the client reads a later command of the line differently from the shell. */
const rewritten = ['"', "'", '\\', '$', '`', '{', '[', '*', '?', '~', '#', '  ', '\t'];
