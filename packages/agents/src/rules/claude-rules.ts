import { isJsonObject, type JsonObject, matchesWildcards } from '@ambit/core';
import { clientOf } from '../clients/clients.js';
import { toolNameOf } from '../describe/describe-client-call.js';
import { askedAnyway, commandOf, globsOf } from './claude-patterns.js';
import {
  absent,
  type ClientRules,
  type CompiledRules,
  everything,
  looser,
  type RuleDialect,
  type RuleNote,
  RulesError,
  type SettingsText,
  type StaticDecision,
  type StaticRule,
  type Subject,
  settingsOf,
  stricter,
  type WrittenRules,
  widened,
} from './static-rule.js';

/** The `permissions` of Claude Code: deny before ask before allow. */
export const claudeRules: RuleDialect = { client: 'claude-code', read, write };

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

/** The mode `dontAsk` refuses what a rule asks about. A widened rule covers more than was written, and asks. */
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
  const isManagedOnly = managed.some((file) => settingsOf(file).allowManagedPermissionRulesOnly === true);
  // The machine's settings override the mode of all others.
  for (const file of [...files.filter((each) => !managed.includes(each)), ...managed]) {
    const { permissions, sandbox, ...others } = settingsOf(file);
    if (isJsonObject(sandbox) && (sandbox.filesystem ?? sandbox.network) !== undefined)
      notes.push(looser(`sandbox in ${file.file}`, 'what it refuses to commands is not imported'));
    for (const key of ofServers.filter((each) => Object.hasOwn(others, each))) {
      rules.push({ decision: 'ask', subject: everything('server'), from: key });
      notes.push(looser(key, 'servers that it refuses ask, like all others'));
    }
    if (permissions === undefined) continue;
    if (!isJsonObject(permissions)) throw new RulesError(`\`permissions\` in ${file.file} is not an object`);
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

function rulesIn(permissions: JsonObject, { file, isProject }: SettingsText): readonly Found[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((decision) => {
    const list = permissions[decision] ?? [];
    if (!Array.isArray(list)) throw new RulesError(`\`permissions.${decision}\` in ${file} is not a list`);
    return list.flatMap((each) => {
      if (typeof each !== 'string') throw new RulesError(`a rule of ${file} is not text`);
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
          rule: widened({ decision, subject: kind, from }, kind),
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
    if (decision === 'allow' || globs === null) return found({ about, globs });
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

const rest: readonly (readonly [keyof CompiledRules['rest'], readonly string[]])[] = [
  ['shell', ['Bash', 'Monitor', 'PowerShell']],
  ['read', ['Read', 'Glob', 'Grep', 'LSP']],
  ['write', ['Edit', 'Write', 'NotebookEdit']],
  ['web', ['WebFetch', 'WebSearch']],
  ['server', ['mcp__*', 'ReadMcpResourceTool', 'ListMcpResourcesTool']],
  ['agent', ['Agent', 'SendMessage', 'RemoteTrigger']],
  ['other', ['Workflow', 'CronCreate', 'ScheduleWakeup', 'Skill', 'ToolSearch', 'TodoWrite']],
  ['other', ['Artifact', 'Projects', 'EnterWorktree', 'ExitWorktree']],
];

function write({ rest: base, rules }: CompiledRules): WrittenRules {
  const lists: Record<StaticDecision, string[]> = { allow: [], ask: [], deny: [] };
  const notes: RuleNote[] = [];
  const allowed = new Set(
    rules.filter(({ decision }) => decision === 'allow').map(({ subject }) => subject.about),
  );
  for (const [kind, tools] of rest) {
    // Claude Code itself asks about these two; a rule that asks would override one that allows.
    const isAskedAnyway = (kind === 'web' || kind === 'server') && allowed.has(kind) && base[kind] === 'ask';
    // The first tool is the one that has rules of its own.
    lists[base[kind]].push(...(isAskedAnyway ? tools.slice(1) : tools));
    if (isAskedAnyway && kind === 'web')
      notes.push(
        looser('hosts of documentation', 'Claude Code fetches from its own list of hosts without asking'),
      );
  }
  for (const rule of rules) {
    const written = textsOf(rule.subject, rule.decision);
    if (written === null) notes.push(absent(rule.from, 'Claude Code has no such rule'));
    else lists[rule.decision].push(...written);
    const { subject, decision, from } = rule;
    if ('globs' in subject && subject.globs?.some(isReadOtherwise))
      notes.push(looser(from, 'Claude Code would read one of its paths differently'));
    if (subject.about === 'server' && decision === 'allow')
      notes.push(looser(from, `so are servers named \`${subject.server}__…\``));
  }
  notes.push(
    looser('other tools', 'a tool that Ambit does not know runs as Claude Code decides'),
    looser(
      'sandbox',
      'commands in it run without a question if a stronger file sets `autoAllowBashIfSandboxed`',
    ),
  );
  const permissions = { defaultMode: 'default', disableBypassPermissionsMode: 'disable', ...lists };
  // A rule that asks about every command does not hold for commands in its sandbox.
  const settings = { permissions, sandbox: { autoAllowBashIfSandboxed: false } };
  return { file: '.claude/settings.json', text: `${JSON.stringify(settings, null, 2)}\n`, notes };
}

/**
 * Rules that refuse, in the form of `permissions.deny`; without those that Claude Code would read more
 * widely.
 */
export function claudeDenials(rules: readonly StaticRule[]): readonly string[] {
  return rules.flatMap(({ subject }) => textsOf(narrowed(subject), 'deny') ?? []);
}

/** Leaves out globs for every name in a folder, because gitignore applies them to its folders too. */
export function narrowed(subject: Subject): Subject {
  if (subject.about !== 'read' && subject.about !== 'write') return subject;
  return { ...subject, globs: (subject.globs ?? []).filter((glob) => !/(?:^|\/)[*?]$/.test(glob)) };
}

function textsOf(subject: Subject, decision: StaticDecision): readonly string[] | null {
  switch (subject.about) {
    case 'shell': {
      const words = subject.words.join(' ');
      return subject.isExact ? [`Bash(${words})`] : [`Bash(${words}:*)`];
    }
    case 'read':
    case 'write': {
      const tool = subject.about === 'read' ? 'Read' : 'Edit';
      return decision === 'allow'
        ? null
        : (subject.globs ?? []).flatMap((glob) => patternsOf(glob)).map((each) => `${tool}(${each})`);
    }
    case 'web':
      return subject.host === null ? null : [`WebFetch(domain:${subject.host})`];
    case 'server':
      return subject.server === null ? null : [`mcp__${serverName(subject.server)}__${subject.tool ?? '*'}`];
    case 'agent':
      return subject.name === null ? null : [`Agent(${subject.name})`];
    case 'text':
    case 'other':
      return null;
  }
}

/** The server name within the name of a tool. */
const serverName = (server: string) => server.replace(/[^\w-]/g, '_');

/** Whether a path of a policy means another pattern in gitignore, or would end the rule that contains it. */
const isReadOtherwise = (glob: string): boolean => /[[\]\\(){}]|\/[!#]|\s(?:\/|$)/.test(glob);

/**
 * A glob of a policy as gitignore patterns; empty if there is no equivalent. The folder before `/**` is
 * included.
 */
function patternsOf(glob: string): readonly string[] {
  if (isReadOtherwise(glob)) return [];
  const rooted = glob.startsWith('/') ? `/${glob}` : glob.startsWith('**') ? `//${glob}` : glob;
  return rooted.endsWith('/**') && rooted !== '//**' ? [rooted.slice(0, -3), rooted] : [rooted];
}
