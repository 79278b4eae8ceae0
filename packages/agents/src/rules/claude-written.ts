import { serverInTool } from '../clients/claude-code.js';
import { toolsNamed } from '../describe/describe-client-call.js';
import {
  absent,
  type CompiledRules,
  looser,
  type RuleNote,
  type StaticDecision,
  type StaticRule,
  type Subject,
  stricter,
  type WrittenRules,
} from './static-rule.js';

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

/** `permissions` that ask about or refuse what the policy does. */
export function writeClaudeRules({ rest: base, rules }: CompiledRules): WrittenRules {
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
    if (written === null || written.length === 0)
      notes.push(absent(rule.from, 'Claude Code has no such rule'));
    else lists[rule.decision].push(...written);
    const { subject, decision, from } = rule;
    if ('globs' in subject && subject.globs?.some(isReadOtherwise))
      notes.push(looser(from, 'Claude Code would read one of its paths differently'));
    if (subject.about === 'agent' && decision === 'deny')
      notes.push(looser(from, 'Claude Code compares names exactly: other spellings of this one ask'));
    if (subject.about === 'server' && subject.tool === null)
      notes.push(
        (decision === 'allow' ? looser : stricter)(from, `so are servers named \`${subject.server}__…\``),
      );
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

/** The tools of every call of a kind, or with a name in policies. */
function toolsOf(about: keyof CompiledRules['rest'], named?: string): readonly string[] {
  const tools = rest.flatMap(([kind, names]) => (named !== undefined || kind === about ? names : []));
  const wanted = named === undefined ? tools : toolsNamed('claude-code', named);
  return tools.filter((tool) => wanted.includes(tool));
}

/** A name, and its usual other spellings, which mean the same worker in policies. */
function spellings(name: string): readonly string[] {
  const both = [name, name.replaceAll('-', ' ')];
  return [
    ...new Set([
      ...both,
      ...both.map((each) => each.replace(/(?<![a-z0-9])[a-z]/g, (first) => first.toUpperCase())),
    ]),
  ];
}

/** Leaves out globs for every name in a folder, because gitignore applies them to its folders too. */
export function narrowed(subject: Subject): Subject {
  if (subject.about !== 'read' && subject.about !== 'write') return subject;
  return subject.globs === null
    ? subject
    : { ...subject, globs: subject.globs.filter((glob) => !/(?:^|\/)[*?]$/.test(glob)) };
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
      if (subject.globs === null) return toolsOf(subject.about);
      return decision === 'allow'
        ? null
        : subject.globs.flatMap((glob) => patternsOf(glob)).map((each) => `${tool}(${each})`);
    }
    case 'web':
      return subject.host === null ? toolsOf('web') : [`WebFetch(domain:${subject.host})`];
    case 'server':
      return subject.server === null
        ? toolsOf('server')
        : [`mcp__${serverInTool(subject.server)}__${subject.tool ?? '*'}`];
    case 'agent':
      if (subject.name === null) return toolsOf('agent');
      return (decision === 'deny' ? spellings(subject.name) : [subject.name]).map((name) => `Agent(${name})`);
    case 'text':
      return null;
    case 'other':
      return subject.tool === undefined ? null : toolsOf('other', subject.tool);
  }
}

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
