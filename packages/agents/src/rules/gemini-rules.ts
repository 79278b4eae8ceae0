import { isJsonObject, type Json, type JsonObject } from '@ambit/core';
import { toolNameOf, toolsNamed } from '../describe/describe-client-call.js';
import { restrictionsIn, textsIn } from './gemini-settings.js';
import { tomlErrorAt, tomlSettingsOf } from './read-settings.js';
import {
  type ClientRules,
  type CompiledRules,
  everything,
  type FileSubject,
  type Kind,
  kindsLike,
  looser,
  plainWords,
  type RuleDialect,
  type RuleNote,
  type SettingsText,
  type StaticDecision,
  type StaticRule,
  type Subject,
  stricter,
  type WrittenRules,
} from './static-rule.js';

/** The policy files of Gemini CLI: the highest priority wins. A policy takes the strictest instead. */
export const geminiRules: RuleDialect = { read, write };

const tools: Readonly<Record<Kind, readonly string[]>> = {
  shell: ['run_shell_command'],
  read: ['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content'],
  write: ['write_file', 'replace'],
  web: ['web_fetch', 'google_web_search'],
  agent: ['invoke_agent'],
  server: [],
  other: [],
};
const kindOf: ReadonlyMap<string, Kind> = new Map(
  Object.entries(tools).flatMap(([kind, names]) => names.map((name) => [name, kind as Kind] as const)),
);

/** They show less than `read_file`, so a rule about one covers no other tool. */
const searching: ReadonlyMap<string, Pick<FileSubject, 'has' | 'lacks'>> = new Map([
  ['list_directory', { lacks: 'pattern' }],
  ['glob', { has: 'pattern' }],
  ['grep_search', {}],
  ['search_file_content', {}],
]);

/** A rule about one of them is about every call of its kind. */
const entire: ReadonlySet<string> = new Set(['*', 'run_shell_command', 'web_fetch', 'invoke_agent']);

const decisions: ReadonlyMap<Json | undefined, StaticDecision> = new Map([
  ['allow', 'allow'],
  ['ask_user', 'ask'],
  ['deny', 'deny'],
]);

/** Conditions of a rule that its permission in a policy cannot express. */
const plainKeys: ReadonlySet<string> = new Set(
  'toolName mcpName commandPrefix decision priority denyMessage description'.split(' '),
);

const buildFiles =
  'BUILD WORKSPACE .bazelrc .blazerc Makefile makefile GNUmakefile CMakeLists.txt package.json package-lock.json ' +
  'pnpm-lock.yaml yarn.lock bun.lockb setup.py setup.cfg pyproject.toml go.mod go.sum Cargo.toml Cargo.lock pom.xml ' +
  'build.gradle build.gradle.kts settings.gradle settings.gradle.kts Dockerfile Containerfile Dockerfile.* ' +
  'Containerfile.* *.bzl *.bazel *.bzlmod *.mk *.cmake';

function read(files: readonly SettingsText[]): ClientRules {
  const rules: StaticRule[] = [];
  const notes: RuleNote[] = [];
  for (const given of files) {
    const { file } = given;
    const { rule: list = [], ...rest } = file.endsWith('.json')
      ? { rule: restrictionsIn(given, [...kindOf.keys()], notes) }
      : tomlSettingsOf(given);
    if (!Array.isArray(list))
      throw tomlErrorAt(given, /\brule\b/g, 0, '`rule` is not a list of tables', 'write [[rule]]');
    const isRead = list.every((rule) => isJsonObject(rule) && isValid(rule));
    const others = [...Object.keys(rest), ...(isRead ? [] : ['file in which Gemini finds an error'])];
    for (const [at, rule] of list.entries()) {
      const decision = isJsonObject(rule) ? decisions.get(rule.decision) : undefined;
      if (!isJsonObject(rule) || decision === undefined)
        throw tomlErrorAt(given, /\[\[/g, at, 'this rule has no decision', 'write decision = "ask_user"');
      const unknown = Object.keys(rule).filter((key) => !plainKeys.has(key));
      // Another table, such as a check, may refuse what a rule allows.
      const extra = decision === 'allow' ? [...unknown, ...others] : unknown;
      const from = JSON.stringify({ ...rule, priority: undefined, denyMessage: undefined });
      if (extra.length > 0 && decision === 'allow')
        notes.push(stricter(from, `a policy has no ${extra.join(', ')}, so these calls need approval`));
      else {
        if (extra.length > 0) notes.push(stricter(from, `it holds without its ${extra.join(', ')}`));
        const names = textsIn(rule.toolName);
        const isPart = (name: string) =>
          /^mcp_|[*?]/.test(name) || (kindOf.has(name) && !searching.has(name));
        if (decision !== 'allow' && names.some((name) => !entire.has(name) && isPart(name)))
          notes.push(stricter(from, 'so is every call of this kind'));
        for (const subject of subjectsOf(rule, decision)) {
          if (subject !== null) rules.push({ decision, subject, from });
          else notes.push(stricter(from, 'a policy cannot name these calls, so they need approval'));
        }
      }
    }
  }
  const allowed = rules.flatMap(({ decision, subject }) => (decision === 'allow' ? [subject] : []));
  rules.push(
    ...askedAnyway(allowed).map((subject) => ({ decision: 'ask' as const, subject, from: 'asked anyway' })),
  );
  // A call without a matching rule asks. A restriction that a policy cannot name becomes `other`.
  for (const { decision, subject, from } of rules)
    if (decision === 'deny' && subject.about === 'other')
      notes.push(looser(from, 'a policy cannot name this tool, so it needs approval'));
  return {
    rules: rules.map((rule) => (rule.subject.about === 'other' ? { ...rule, decision: 'ask' } : rule)),
    notes,
    rest: 'ask',
  };
}

/** Calls that Gemini asks about although a rule allows them: redirections, some programs, and build files. */
function askedAnyway(allowed: readonly Subject[]): readonly Subject[] {
  const text = (piece: string): Subject => ({ about: 'text', pieces: [piece] });
  const commands = allowed.filter((subject) => subject.about === 'shell');
  return [
    ...(commands.length > 0 ? ['>', '<'].map(text) : []),
    ...(commands.some(({ words }) => words.length === 0)
      ? ['rm', 'ln', 'find', 'rg', 'git', 'base64'].map(text)
      : []),
    ...(allowed.some(({ about }) => about === 'write')
      ? [{ about: 'write', globs: buildFiles.split(' ').map((name) => `**/${name}`) } as const]
      : []),
  ];
}

/** Gemini ignores a file with another rule. */
function isValid({
  toolName,
  mcpName = '',
  commandPrefix = '',
  denyMessage = '',
  priority,
}: JsonObject): boolean {
  const isTexts = (value: Json | undefined) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
  return (
    [toolName, commandPrefix].every(isTexts) &&
    [mcpName, denyMessage].every((value) => typeof value === 'string') &&
    Number.isInteger(priority) &&
    Number(priority) >= 0 &&
    Number(priority) <= 999
  );
}

function subjectsOf(rule: JsonObject, decision: StaticDecision): readonly (Subject | null)[] {
  const names = textsIn(rule.toolName);
  const prefixes = textsIn(rule.commandPrefix);
  const { mcpName: server } = rule;
  if (server !== undefined && typeof server !== 'string') return [wide('server', decision)];
  if (server !== undefined)
    return (names.length === 0 ? ['*'] : names).map((name) =>
      server === '*' && name === '*'
        ? everything('server')
        : server.includes('*') || (name !== '*' && name.includes('*'))
          ? wide('server', decision)
          : { about: 'server', server, tool: name === '*' ? null : name },
    );
  if (prefixes.length > 0 || rule.commandRegex !== undefined) {
    const isShell = names.length === 1 && kindOf.get(names[0] ?? '') === 'shell';
    if (prefixes.length === 0 || (decision === 'allow' && !isShell)) return [wide('shell', decision)];
    return prefixes.map((prefix) => {
      const words = plainWords(prefix);
      return words === null ? wide('shell', decision) : { about: 'shell', words, isExact: false };
    });
  }
  if (names.length === 0 || names.includes('*'))
    return decision === 'allow' ? [null] : (Object.keys(tools) as Kind[]).map((kind) => everything(kind));
  return names.flatMap((name) => {
    const matched = decision === 'allow' ? [] : kindsLike(name, kindOf);
    if (matched.length > 0) return matched.map((each) => everything(each));
    const kind = kindOf.get(name);
    // Its tools take no path outside the project.
    const named = toolNameOf({ client: 'gemini', tool: name, server: null });
    const own = searching.has(name) ? { tools: [named] } : {};
    if (decision === 'allow' && kind === 'write')
      return { about: kind, globs: ['./**'], tools: [named, 'shell.run'] };
    if (decision === 'allow' && kind === 'read') return { about: kind, globs: ['./**'], ...own };
    if (kind === 'read') return { about: kind, globs: null, ...own, ...searching.get(name) };
    // The search of the model's host fetches no page.
    if (kind !== undefined && !(decision === 'allow' && name === 'google_web_search'))
      return everything(kind);
    if (name.startsWith('mcp_') || decision === 'allow') return wide('server', decision);
    return { about: 'other', ...(/^\w+$/.test(name) && { tool: named }) };
  });
}

function wide(kind: Kind, decision: StaticDecision): Subject | null {
  return decision === 'allow' ? null : everything(kind);
}

function write({ rest, rules }: CompiledRules): WrittenRules {
  const notes: RuleNote[] = [looser('other files', 'a rule of yours with a greater priority counts instead')];
  const all = [
    '# Written by `ambit compile gemini`.',
    table(['toolName = "*"', `decision = "${words[rest.other]}"`, 'priority = 900']),
    table(['mcpName = "*"', 'toolName = "*"', `decision = "${words[rest.server]}"`, 'priority = 910']),
    ...Object.entries(tools).flatMap(([kind, names]) =>
      names.length === 0
        ? []
        : [
            table([
              `toolName = ${text([...names])}`,
              `decision = "${words[rest[kind as Kind]]}"`,
              // Without a pattern, Gemini runs a command that only reads, although the rule asks.
              ...(kind === 'shell' ? ['argsPattern = "."'] : []),
              'priority = 920',
            ]),
          ],
    ),
  ];
  for (const rule of rules) {
    const note = rule.decision === 'allow' ? stricter : looser;
    const written = tableOf(rule);
    if (written !== null) all.push(written);
    else notes.push(note(rule.from, 'Gemini has no such rule, so its default applies'));
  }
  return { file: '~/.gemini/policies/ambit.toml', text: all.join('\n'), notes };
}

/** Rules that refuse, in the form of a policy file. */
export function geminiDenials(rules: readonly StaticRule[]): readonly string[] {
  return rules.flatMap((rule) => tableOf(rule) ?? []);
}

/** The tools of a whole kind, or with a name in policies. */
function toolsOf(subject: Subject): readonly string[] {
  if (subject.about === 'other') return subject.tool === undefined ? [] : toolsNamed('gemini', subject.tool);
  const isWhole =
    (subject.about === 'write' && subject.globs === null) ||
    (subject.about === 'web' && subject.host === null) ||
    (subject.about === 'agent' && subject.name === null);
  return isWhole ? tools[subject.about] : [];
}

function tableOf({ decision, subject }: StaticRule): string | null {
  const end = [`decision = "${words[decision]}"`, `priority = ${decision === 'deny' ? 990 : 950}`];
  if (subject.about === 'shell' && decision === 'deny')
    return table([
      'toolName = "run_shell_command"',
      `commandPrefix = ${text(subject.words.join(' '))}`,
      ...end,
    ]);
  const named = toolsOf(subject);
  if (named.length > 0) return table([`toolName = ${text(named)}`, ...end]);
  if (subject.about === 'server')
    return table([
      `mcpName = ${text(subject.server ?? '*')}`,
      `toolName = ${text(subject.tool ?? '*')}`,
      ...end,
    ]);
  return null;
}

const words = { allow: 'allow', ask: 'ask_user', deny: 'deny' } as const;
const table = (lines: readonly string[]) => ['[[rule]]', ...lines, ''].join('\n');
const text = (value: Json) => JSON.stringify(value);
