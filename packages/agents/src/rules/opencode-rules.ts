import { isJsonObject, type Json, objectOf } from '@ambit/core';
import { toolNameOf } from '../describe/describe-client-call.js';
import { commandOf } from './claude-patterns.js';
import { denialsOf, globsIn, isCompared, kindOf } from './opencode-patterns.js';
import { errorAt, settingsOf } from './read-settings.js';
import {
  absent,
  type ClientRules,
  type CompiledRules,
  everything,
  type FileSubject,
  type Kind,
  kindsLike,
  looser,
  type RuleDialect,
  type RuleNote,
  refusedTools,
  type SettingsText,
  type StaticDecision,
  type StaticRule,
  type Subject,
  stricter,
  type WrittenRules,
} from './static-rule.js';

/**
 * The `permission` of opencode: the last matching rule wins. In a policy, the strictest rule wins instead.
 */
export const opencodeRules: RuleDialect = { read, write };

/** Also names in older settings, and a search that fetches no page: they only restrict. */
const readable: ReadonlyMap<string, Kind> = new Map([
  ...kindOf,
  ['websearch', 'web'],
  ['write', 'write'],
  ['patch', 'write'],
  ['multiedit', 'write'],
]);

/** What a permission covers, and `operation` is an argument of `lsp` only: what `read` shows is also shown by commands, and searches show less. */
const showing: ReadonlyMap<string, Pick<FileSubject, 'tools' | 'has' | 'lacks'>> = new Map([
  ['read', { tools: ['filesystem.read_file', 'shell.run'], lacks: 'operation' }],
  ['list', { tools: ['filesystem.list_files'], lacks: 'pattern' }],
  ['glob', { tools: ['filesystem.list_files'], has: 'pattern' }],
  ['grep', { tools: ['filesystem.search_files'] }],
]);

/** They permit every call of their kind. */
const entire: ReadonlySet<string> = new Set(['bash', 'edit', 'task']);

/** Asked besides the permission of the tool, for each call with a path outside the work tree. */
const outside = 'external_directory';

const decisions: readonly unknown[] = ['allow', 'ask', 'deny'];
const hint = 'a decision is one of: allow, ask, deny';

function read(files: readonly SettingsText[]): ClientRules {
  const reading = new Reading(files);
  for (const file of files) {
    const { permission, tools, agent, mode } = settingsOf(file);
    for (const [name, isOn] of Object.entries(objectOf(tools))) if (isOn === false) reading.off(name);
    for (const [name, each] of Object.entries({ ...objectOf(agent), ...objectOf(mode) }))
      if (isJsonObject(each) && (each.permission !== undefined || each.tools !== undefined))
        reading.notes.push(looser(`agent ${name}`, 'restrictions of a single agent are not imported'));
    if (permission === undefined) continue;
    const given: Json = typeof permission === 'string' ? { '*': permission } : permission;
    if (!isJsonObject(given)) throw errorAt(file, ['permission'], '`permission` is not an object', hint);
    for (const [tool, value] of Object.entries(given)) reading.permission(tool, value, file);
  }
  const { rules, notes, rest } = reading;
  return { rules, notes, rest };
}

/** What is known after each permission, in the order in which they are written. */
class Reading {
  rules: StaticRule[] = [];
  readonly notes: RuleNote[] = [];
  rest: 'ask' | 'deny' = 'ask';
  readonly #named = new Set<string>();
  /** The tools before a restriction of every tool. Another file that names one changes it at its place. */
  #overridden: ReadonlySet<string> = new Set();

  constructor(private readonly files: readonly SettingsText[]) {}

  /** A tool that is switched off. */
  off(name: string): void {
    const from = `tools: ${name}: false`;
    for (const kind of [...kindsLike(name, readable), readable.get(name)])
      if (kind !== undefined) this.rules.push({ decision: 'deny', subject: everything(kind), from });
    if (!readable.has(name)) this.notes.push(looser(from, 'a policy cannot name this tool'));
  }

  /** The decision about a tool, or one for each pattern. */
  permission(tool: string, value: Json, file: SettingsText): void {
    this.#named.add(tool);
    const patterns = Object.entries(isJsonObject(value) ? value : { '*': value });
    for (const [at, [pattern, given]] of patterns.entries()) {
      const from = `${tool}: ${pattern}: ${JSON.stringify(given)}`;
      if (tool === outside) {
        const note = given === 'allow' ? stricter : looser;
        if (given !== 'ask') this.notes.push(note(from, 'calls outside the project ask'));
        continue;
      }
      if (!decisions.includes(given)) {
        const what = `not a decision: ${JSON.stringify(given)}`;
        throw errorAt(file, ['permission', tool, pattern], what, hint);
      }
      const decision = given as StaticDecision;
      // The first pattern is only the default for the patterns after it.
      const isDefault = pattern === '*' && at === 0 && patterns.length > 1 && !this.#isOpen(tool, file);
      if (tool === '*') this.#everyTool(decision, from);
      else if (this.#overridden.has(tool) && decision !== 'deny' && decision !== this.rest)
        this.notes.push(stricter(from, '`*` comes after this tool'));
      else if (!isDefault || decision === 'allow') this.#rule({ tool, pattern, decision, from });
      else if (decision === 'deny') this.notes.push(looser(from, 'calls that no other rule names ask'));
    }
  }

  #isOpen(tool: string, of: SettingsText): boolean {
    const kind = readable.get(tool) ?? tool;
    return this.files.some((file) => openTools(file, file !== of).has(kind));
  }

  /** Any decision but `allow` overrides what is written before it. */
  #everyTool(decision: StaticDecision, from: string): void {
    if (decision === 'allow') {
      this.notes.push(stricter(from, 'calls without a rule ask'));
      return;
    }
    for (const each of this.rules.filter((rule) => rule.decision === 'allow'))
      this.notes.push(stricter(each.from, `${from} comes after it`));
    const kept = this.rules.filter((rule) => rule.decision !== 'allow');
    // A question that is written before a refusal of every tool is never asked.
    this.rules = decision === 'deny' ? kept.map((rule) => ({ ...rule, decision })) : kept;
    if (decision === 'deny') this.rest = 'deny';
    this.#overridden = new Set(this.#named);
  }

  #rule(of: Given): void {
    const { tool, decision, from } = of;
    const matched = decision === 'allow' ? [] : kindsLike(tool, readable);
    this.rules.push(...matched.map((kind) => ({ decision, subject: everything(kind), from })));
    const { rule, note } = ruleOf(of, this.#overridden.has('*'));
    // All tools without a rule are refused, so a question about some would be looser for the others.
    if (this.rest === 'deny' && rule?.subject.about === 'server') {
      if (decision === 'ask') this.notes.push(stricter(from, 'a policy cannot name this, so it is refused'));
      return;
    }
    if (rule !== null) this.rules.push(rule);
    // It may be no server's tool.
    if (rule?.subject.about === 'server' && /^\w+$/.test(tool)) {
      const named = toolNameOf({ client: 'opencode', tool, server: null });
      this.rules.push({ ...rule, subject: { about: 'other', tool: named } });
    }
    if (note !== null) this.notes.push(note);
  }
}

/** The kinds that a file allows as a whole, whatever its patterns say; with `inPart`, also those that a pattern allows. */
function openTools(file: SettingsText, inPart: boolean): ReadonlySet<string> {
  const entries = Object.entries(objectOf(settingsOf(file).permission));
  const open = entries.filter(([, value]) => {
    const { '*': whole, ...parts } = isJsonObject(value) ? value : { '*': value };
    return [whole, ...(inPart ? Object.values(parts) : [])].includes('allow');
  });
  return new Set(open.map(([tool]) => readable.get(tool) ?? tool));
}

interface Given {
  readonly tool: string;
  readonly pattern: string;
  readonly decision: StaticDecision;
  readonly from: string;
}

/** Before a restriction of every tool, `read` also permits the searches, as opencode does without a rule. */
function ruleOf(
  { tool, pattern, decision, from }: Given,
  isOverridden: boolean,
): { readonly rule: StaticRule | null; readonly note: RuleNote | null } {
  const kind = (decision === 'allow' ? kindOf : readable).get(tool) ?? 'other';
  const whole = everything(kind);
  // In opencode, another permission controls questions about files outside the project.
  if (pattern === '*' && decision === 'allow' && (kind === 'read' || kind === 'write')) {
    const shown = tool === 'read' && !isOverridden ? { lacks: 'operation' } : showing.get(tool);
    const subject: Subject = { about: kind, globs: ['./**'], ...shown };
    return { rule: { decision, subject, from }, note: null };
  }
  if (pattern === '*' && kind !== 'other') {
    const own = tool === 'read' ? undefined : showing.get(tool);
    const note =
      entire.has(tool) || own !== undefined ? null : stricter(from, 'so is every call of this kind');
    return { rule: { decision, subject: { ...whole, ...own } as Subject, from }, note };
  }
  if (decision !== 'allow' && (kind === 'write' || (kind === 'read' && tool === 'read'))) {
    const globs = globsOf(pattern);
    if (globs !== null) return { rule: { decision, subject: { about: kind, globs }, from }, note: null };
  }
  const subject = kind === 'shell' ? commandOf(pattern, decision) : null;
  if (subject !== null) return { rule: { decision, subject, from }, note: null };
  if (decision === 'allow')
    return { rule: null, note: stricter(from, 'a policy cannot name this, so its other rules decide') };
  // The name of an MCP server's tool can be split in two ways.
  const wide = kind === 'other' ? everything('server') : whole;
  const why = 'a policy cannot name this, so every call of this kind asks';
  return { rule: { decision: 'ask', subject: wide, from }, note: looser(from, why) };
}

/** The globs of a restriction of paths whose only `*`, any text also with slashes, are at its ends. */
function globsOf(pattern: string): readonly string[] | null {
  const [whole, start, plain = '', end] = /^(\*?)((?![/.]{2})[\w./@+-]+?)(\*?)$/.exec(pattern) ?? [];
  if (whole === undefined || /\/[/.]*\/|^\.\/|\/\.*$/.test(end === '' ? plain : plain.replace(/\/$/, '')))
    return null;
  if (start === '' && plain.startsWith('/')) return null;
  const base = start === '' ? `./${plain}` : plain.startsWith('/') ? `**${plain}` : `**/*${plain}`;
  return end === '' ? [base] : [`${base}*`, `${base}*/**`];
}

function write({ rest, rules, root }: CompiledRules): WrittenRules {
  const notes: RuleNote[] = [
    looser('questions', 'the flag `--auto` answers every question with yes'),
    looser('other files', 'a pattern that another file of opencode allows may stay allowed'),
  ];
  // Tools of MCP servers are among the others.
  const others = rest.server === 'deny' ? 'deny' : rest.other;
  const permission: Record<string, Record<string, string>> = { '*': { '*': others } };
  for (const kind of ['server', 'other'] as const)
    if (others !== rest[kind])
      notes.push(stricter(kind, 'tools of MCP servers and other tools share one rule'));
  for (const [tool, kind] of kindOf) permission[tool] = { '*': rest[kind] };
  permission[outside] = { '*': 'ask' };
  const refused = refusedTools('opencode', rules);
  for (const { decision, subject, from } of rules) {
    const denied = decision === 'deny' ? denialsOf(subject, { root, refused }) : null;
    const note = decision === 'allow' ? stricter : absent;
    if (denied === null) notes.push(note(from, 'opencode has no such rule'));
    for (const glob of globsIn(subject).filter((each) => denied !== null && !isCompared(each, root)))
      notes.push(looser(`${from}: ${glob}`, 'asks where opencode runs in a work tree of git'));
    for (const [tool, pattern] of denied ?? [])
      permission[tool] = { ...permission[tool], [pattern]: decision };
  }
  return {
    file: 'opencode.json',
    text: `${JSON.stringify({ permission: flat(permission) }, null, 2)}\n`,
    notes,
  };
}

/** Some tools accept one word only. */
function flat(permission: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const entries = Object.entries(permission).map(([tool, patterns]) => {
    const only = Object.keys(patterns).length === 1 ? patterns['*'] : undefined;
    return [tool, only ?? patterns] as const;
  });
  return Object.fromEntries(entries);
}
