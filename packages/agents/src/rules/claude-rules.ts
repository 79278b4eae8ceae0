import { isJsonObject, type Json, type JsonObject, matchesWildcards } from '@ambit/core';
import { clientOf } from '../clients/clients.js';
import { toolNameOf } from '../describe/describe-client-call.js';
import { askedAnyway, commandOf, globsOf } from './claude-patterns.js';
import { writeClaudeRules } from './claude-written.js';
import { claudeSettingsOf, errorAt } from './read-settings.js';
import {
  absent,
  type ClientRules,
  everything,
  looser,
  type RuleDialect,
  type RuleNote,
  type SettingsText,
  type StaticDecision,
  type StaticRule,
  type Subject,
  stricter,
} from './static-rule.js';

/** The `permissions` of Claude Code: deny before ask before allow. */
export const claudeRules: RuleDialect = { read, write: writeClaudeRules };

function read(files: readonly SettingsText[]): ClientRules {
  const { rules, notes, mode, unknown } = statedIn(files);
  const [, which] = /^(?:default|acceptEdits|dontAsk|(bypassPermissions|auto))$/.exec(mode) ?? [0, 'all'];
  if (which !== undefined)
    notes.push(stricter(`defaultMode: ${mode}`, 'calls that ran without approval now need it'));
  for (const rule of unknown)
    notes.push(stricter(rule, 'it may refuse what other settings allow, so these calls ask'));
  // For example, a session in plan mode runs no allowed call.
  const isStrict = which === 'all' || unknown.length > 0;
  const read = isStrict ? rules.filter(({ decision }) => decision !== 'allow') : rules;
  const kept = mode === 'dontAsk' ? read.map((rule) => refusedAsked(rule, notes)) : read;
  return {
    rules: [
      ...kept,
      { decision: 'ask', subject: { about: 'write', globs: askedAnyway }, from: 'asked anyway' },
      { decision: 'allow', subject: { about: 'read', globs: ['./**'] }, from: 'reads of the project' },
      ...(mode === 'acceptEdits' && !isStrict ? [edits] : []),
    ],
    notes,
    rest: mode === 'dontAsk' ? 'deny' : 'ask',
  };
}

const edits: StaticRule = {
  decision: 'allow',
  subject: { about: 'write', globs: ['./**'] },
  from: 'acceptEdits',
};

/** The mode `dontAsk` refuses what a rule asks about. A rule for a whole kind covers more than was written, and asks. */
function refusedAsked(rule: StaticRule, notes: readonly RuleNote[]): StaticRule {
  const isWide = notes.some(({ rule: from, how }) => from === rule.from && how === 'looser');
  return rule.decision === 'ask' && !isWide ? { ...rule, decision: 'deny' } : rule;
}

/** What the files say, in the order of their weight. `unknown`: keys of `permissions`. */
function statedIn(files: readonly SettingsText[]) {
  const rules: StaticRule[] = [];
  const notes: RuleNote[] = [];
  const unknown: string[] = [];
  let mode = 'default';
  const managed = files.filter(({ file }) => file.startsWith('/etc/'));
  const isManagedOnly = managed.some(
    (file) => claudeSettingsOf(file).allowManagedPermissionRulesOnly === true,
  );
  // The machine's settings override the mode of all others.
  for (const file of [...files.filter((each) => !managed.includes(each)), ...managed]) {
    const { permissions, sandbox, ...others } = claudeSettingsOf(file);
    if (isJsonObject(sandbox) && (sandbox.filesystem ?? sandbox.network) !== undefined)
      notes.push(looser(`sandbox in ${file.file}`, 'what it refuses to commands is not imported'));
    for (const key of ofServers.filter((each) => Object.hasOwn(others, each))) {
      rules.push({ decision: 'ask', subject: everything('server'), from: key });
      notes.push(looser(key, 'servers that it refuses ask, like all others'));
    }
    if (!isJsonObject(permissions)) continue;
    if (typeof permissions.defaultMode === 'string') mode = permissions.defaultMode;
    unknown.push(...Object.keys(permissions).filter((key) => !known.has(key)));
    if (isManagedOnly && !managed.includes(file)) {
      notes.push(absent(file.file, 'only the rules of the machine count'));
      continue;
    }
    for (const { rule, note } of rulesIn(permissions, file)) {
      if (rule !== null) rules.push(rule);
      if (note !== null) notes.push(note);
    }
    if (permissions.additionalDirectories !== undefined)
      notes.push(stricter('additionalDirectories', 'reads in these folders ask'));
  }
  return { rules, notes, unknown, mode };
}

/** They refuse servers by names, commands or URLs. */
const ofServers = ['allowedMcpServers', 'deniedMcpServers', 'disabledMcpjsonServers'];

function rulesIn(permissions: JsonObject, file: SettingsText): readonly Found[] {
  const { isProject } = file;
  return (['deny', 'ask', 'allow'] as const).flatMap((decision) => {
    const list = (permissions[decision] ?? []) as readonly Json[];
    return list.flatMap((each, at) => {
      if (typeof each !== 'string')
        throw errorAt(
          file,
          ['permissions', decision, at],
          'this rule is not text',
          'write "TOOL" or "TOOL(…)"',
        );
      const all = decision === 'allow' ? [each] : eachTool(each);
      return all.map((one) => ruleOf(one, { decision, isProject }));
    });
  });
}

/** Other keys of `permissions` may refuse what its rules allow. */
const known: ReadonlySet<string> = new Set(
  'allow ask deny defaultMode additionalDirectories disableBypassPermissionsMode disableAutoMode'.split(' '),
);

/** A restriction of a tool with wildcards, and the tools that it may mean. */
function eachTool(rule: string): readonly string[] {
  const [, name, start = ''] = /^\s*(([^()*]*)\*[^()]*)/.exec(rule) ?? [];
  if (name === undefined || start.startsWith('mcp__')) return [rule];
  const tools = [...clientOf('claude-code').tools.keys()].filter((tool) =>
    matchesWildcards(name.trim(), tool),
  );
  return [rule, ...tools, ...('mcp__'.startsWith(start) ? ['mcp__*'] : [])];
}

interface Of {
  readonly decision: StaticDecision;
  readonly isProject: boolean;
}

interface Found {
  readonly rule: StaticRule | null;
  readonly note: RuleNote | null;
}

const readers: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS']);
const writers: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

function ruleOf(from: string, { decision, isProject }: Of): Found {
  const [, tool = '', given] = /^([^()]+)(?:\((.*)\))?$/s.exec(from.trim()) ?? [];
  const what = given === undefined || given === '*' || given === '' ? null : given;
  const found = (subject: Subject): Found => ({ rule: { decision, subject, from }, note: null });
  const unsaid = (kind: Subject, why: string): Found =>
    decision === 'allow'
      ? { rule: null, note: stricter(from, `${why}, so these calls need approval`) }
      : {
          rule: { decision: 'ask', subject: kind, from },
          note: looser(from, `${why}, so every call of this kind asks`),
        };
  const named = toolNameOf({ client: 'claude-code', tool, server: null });
  if (tool === 'Bash') {
    const subject = what === null ? everything('shell') : commandOf(what, decision);
    if (subject !== null) return found(subject);
    return unsaid(everything('shell'), 'a policy cannot name these commands');
  }
  if (readers.has(tool) || writers.has(tool)) {
    const about = readers.has(tool) ? 'read' : 'write';
    // Only rules of these two tools use paths; Claude Code accepts the others and ignores them.
    if (what !== null && tool !== 'Read' && tool !== 'Edit')
      return { rule: null, note: absent(from, 'Claude Code never looks at this rule') };
    const globs = what === null ? null : globsOf(what, { isAllow: decision === 'allow', isProject });
    if (what !== null && globs === null) return unsaid(everything(about), 'a policy cannot name these paths');
    // Without a path, it permits one tool, and no other one or command with the same files.
    if (decision === 'allow' && globs === null) return found({ about, globs, tools: [named] });
    if (decision === 'allow') return found({ about, globs });
    if (tool === 'Glob' || tool === 'Grep') return found({ about, globs, tools: [named] });
    const isPart = tool !== 'Read' && tool !== 'Edit';
    if (globs === null)
      return {
        ...found({ about, globs }),
        note: isPart ? stricter(from, 'so is every call of this kind') : null,
      };
    const why = 'Claude Code takes other letter case for the same path';
    return { ...found({ about, globs }), note: looser(from, why) };
  }
  if (tool === 'WebFetch') {
    if (what === null) return found(everything('web'));
    const host = /^domain:([a-z0-9.-]+)$/.exec(what)?.[1];
    if (host !== undefined) return found({ about: 'web', host });
    return unsaid(everything('web'), 'it names no plain host');
  }
  if (tool === 'Agent' || tool === 'Task') return found({ about: 'agent', name: what });
  if (tool.startsWith('mcp__')) {
    const [, server = '', own = '*', ...more] = tool.split('__');
    const isPlain =
      /^[\w-]+$/.test(server) && /^(?:[\w-]+|\*)$/.test(own) && more.length === 0 && what === null;
    if (!isPlain) return unsaid(everything('server'), 'its name can be split in two ways');
    return found({ about: 'server', server, tool: own === '*' ? null : own });
  }
  return decision === 'allow'
    ? { rule: null, note: stricter(from, 'calls of this tool ask') }
    : unsaid(
        { about: 'other', ...(/^\w+$/.test(tool) && { tool: named }) },
        'a policy cannot name this tool',
      );
}
