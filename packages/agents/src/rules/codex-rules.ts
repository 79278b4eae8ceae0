import { isJsonObject, type Json, objectOf } from '@ambit/core';
import { RulesError, tomlErrorAt, tomlSettingsOf } from './read-settings.js';
import {
  type ClientRules,
  type CompiledRules,
  looser,
  plainWords,
  type RuleDialect,
  type RuleNote,
  type SettingsText,
  type StaticRule,
  stricter,
  type WrittenRules,
} from './static-rule.js';

/** The `.rules` of Codex, in which the strictest rule wins, and its sandbox modes. */
export const codexRules: RuleDialect = { read, write };

function read(files: readonly SettingsText[]): ClientRules {
  const isRules = ({ file }: SettingsText) => file.endsWith('.rules');
  const sandboxes = files.filter((file) => !isRules(file)).map(sandboxIn);
  const trusted = sandboxes.flatMap((each) => (each.isProject ? [] : each.trusted));
  const isRead = ({ file, isProject }: SettingsText) =>
    !isProject || trusted.some((folder) => file.startsWith(`${folder}/`));
  const found = [
    ...files.filter(isRules).map((file) => rulesIn(file, isRead(file))),
    ...files.filter(isRequired).map(requiredRulesIn),
    rulesOfSandbox(sandboxes),
    { rules: [], notes: files.filter((file) => !isRules(file)).flatMap(refusalsIn) },
  ];
  return {
    rules: found.flatMap(({ rules }) => rules),
    notes: found.flatMap(({ notes }) => notes),
    rest: 'ask',
  };
}

/** What a policy asks about, although Codex refuses it. */
function refusalsIn(file: SettingsText): readonly RuleNote[] {
  const { mcp_servers: servers, approval_policy: approval } = tomlSettingsOf(file);
  return [
    ...(approval === 'never'
      ? [looser('approval_policy: "never"', 'what Codex refuses without asking asks')]
      : []),
    ...Object.entries(objectOf(servers)).flatMap(([name, each]) =>
      ['enabled', 'enabled_tools', 'disabled_tools'].some((key) => Object.hasOwn(objectOf(each), key))
        ? [looser(`mcp_servers.${name}`, 'tools that it refuses ask')]
        : [],
    ),
  ];
}

const isRequired = ({ file }: SettingsText) => file.endsWith('requirements.toml');

/** The `prefix_rules` of the machine's requirements. */
function requiredRulesIn(file: SettingsText): Part {
  const { rules } = tomlSettingsOf(file);
  const { prefix_rules: list = [] } = objectOf(rules);
  const errorIn = (_: number, what: string) => tomlErrorAt(file, /prefix_rules/g, 0, what, form);
  if (!Array.isArray(list)) throw errorIn(0, '`prefix_rules` is not a list');
  const lines = list.map((rule) => {
    const { pattern, decision } = objectOf(rule);
    const tokens = Array.isArray(pattern) ? pattern : [];
    const words = tokens.map((each) => (isJsonObject(each) ? (each.token ?? each.any_of) : each));
    return ruleText(words as readonly string[], typeof decision === 'string' ? decision : '');
  });
  return rulesIn({ ...file, text: lines.join('\n') }, true, errorIn);
}

type Part = Pick<ClientRules, 'rules' | 'notes'>;

const decisions = new Map([
  ['allow', 'allow'],
  ['prompt', 'ask'],
  ['forbidden', 'deny'],
] as const);

const form = 'write prefix_rule(pattern = ["git", "push"], decision = "forbidden")';

/** The calls of `prefix_rule` in a file; any other statement is an error. */
function rulesIn(
  file: SettingsText,
  isRead: boolean,
  errorIn = (at: number, what: string) => new RulesError(file, at, what, form),
): Part {
  const rules: StaticRule[] = [];
  const notes: RuleNote[] = [];
  const plain = file.text.replace(
    /("(?:[^"\\\n]|\\.)*")|#[^\n]*/g,
    (all: string, kept: string | undefined) => kept ?? ' '.repeat(all.length),
  );
  let rest = plain.trimStart();
  while (rest !== '') {
    const [whole = '', name, inside = ''] =
      /^(\w+)\s*\(((?:[^()"]|"(?:[^"\\\n]|\\.)*")*)\)\s*/.exec(rest) ?? [];
    const at = plain.length - rest.length;
    if (whole === '') throw errorIn(at, 'not a call of `prefix_rule`');
    rest = rest.slice(whole.length);
    if (name === 'host_executable') continue;
    const given = argumentsIn(inside);
    const word = given === null ? '' : wordIn(given.get('decision') ?? '"allow"');
    const decision = decisions.get(word as 'allow');
    const pattern = given === null ? null : patternIn(given.get('pattern') ?? '');
    if (name !== 'prefix_rule' || decision === undefined || pattern === null)
      throw errorIn(at, 'this rule cannot be read');
    for (const words of pattern) {
      const from = `prefix_rule(${words.join(' ')}, ${word})`;
      const subject = { about: 'shell', words, isExact: false } as const;
      if (decision === 'allow' && !isRead)
        notes.push(stricter(from, 'Codex reads it only in a project that you trust'));
      else if (plainWords(words.join(' ')) !== null && words.every((each) => !each.includes(' ')))
        rules.push({ decision, subject, from });
      else if (decision === 'allow') notes.push(stricter(from, 'these commands ask'));
      else {
        rules.push({ decision: 'ask', subject: { ...subject, words: words.slice(0, 1) }, from });
        notes.push(looser(from, 'every command of this program asks'));
      }
    }
  }
  return { rules, notes };
}

const argument =
  /^\s*(pattern|decision|justification|match|not_match)\s*=\s*("(?:[^"\\\n]|\\.)*"|\[(?:[^[\]"']|"(?:[^"\\\n]|\\.)*"|\[(?:[^[\]"']|"(?:[^"\\\n]|\\.)*")*\])*\])\s*(?:,|$)/;

/** The named arguments of a rule, as written; null for any other form. */
function argumentsIn(inside: string): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  for (let rest = inside; rest.trim() !== ''; ) {
    const [whole = '', name = '', value = ''] = argument.exec(rest) ?? [];
    if (whole === '' || found.has(name)) return null;
    found.set(name, value);
    rest = rest.slice(whole.length);
  }
  return found;
}

function wordIn(text: string): string {
  return /^"(\w+)"$/.exec(text)?.[1] ?? '';
}

/** The alternatives of `pattern = ["git", ["push", "pull"]]`, each as words; null for any other form. */
function patternIn(text: string): readonly (readonly string[])[] | null {
  try {
    const list: unknown = JSON.parse(text.replace(/,\s*\]/g, ']'));
    if (!Array.isArray(list) || list.length === 0 || list.flat().some((word) => typeof word !== 'string'))
      return null;
    return list.reduce<string[][]>(
      (all, each: unknown) => {
        const words = [each].flat() as readonly string[];
        return all.flatMap((before) => words.map((word) => [...before, word]));
      },
      [[]],
    );
  } catch {
    return null;
  }
}

interface Sandbox {
  /** A project may only restrict: Codex ignores its files until a person trusts it. */
  readonly isProject: boolean;
  /** The folders that the person trusts. */
  readonly trusted: readonly string[];
  readonly mode: Json | undefined;
  readonly approval: Json | undefined;
  /** An unknown setting, which may cause questions. */
  readonly other: string | undefined;
}

function sandboxIn(file: SettingsText): Sandbox {
  const all = tomlSettingsOf(file);
  const { profile, profiles, projects } = all;
  const chosen = typeof profile === 'string' ? objectOf(profiles)[profile] : undefined;
  const { sandbox_mode: mode, approval_policy: approval } = {
    ...all,
    ...objectOf(chosen),
  };
  const known = Object.entries(objectOf(projects));
  const having = (level: string) =>
    known.flatMap(([folder, each]) => (isJsonObject(each) && each.trust_level === level ? [folder] : []));
  const isUntrusted = having('untrusted').length > 0;
  const other = isRequired(file)
    ? file.file
    : ['permissions', 'default_permissions'].find((key) => Object.hasOwn(all, key));
  return {
    isProject: file.isProject,
    trusted: having('trusted'),
    mode,
    approval,
    other: other ?? (isUntrusted && approval === undefined ? 'projects' : undefined),
  };
}

/**
 * The commands that the sandbox runs without a question: a policy permits their effects, and asks about unknown programs. Of several
 * files, the strictest counts.
 */
function rulesOfSandbox(all: readonly Sandbox[]): Part {
  const other = all.map((each) => each.other).find((each) => each !== undefined);
  const asking: RuleNote = stricter(other ?? '', 'calls without a rule ask');
  if (other !== undefined) return { rules: [], notes: [asking] };
  const modes = all.map(({ mode }) => mode).filter((mode) => mode !== undefined);
  const isSet = all.some(({ mode, isProject }) => mode !== undefined && !isProject);
  if (!isSet || all.some(({ approval }) => approval === 'untrusted')) return { rules: [], notes: [] };
  const mode = ['read-only', 'workspace-write'].find((each) => modes.includes(each)) ?? modes[0];
  const from = `sandbox_mode: ${JSON.stringify(mode)}`;
  const allow = (subject: StaticRule['subject']): StaticRule => ({ decision: 'allow', subject, from });
  const note: RuleNote = stricter(from, 'unknown programs, deletions and secrets ask');
  const reads = allow({ about: 'read', globs: ['/**'] });
  if (mode === 'read-only') return { rules: [reads], notes: [note] };
  if (mode !== 'workspace-write') return { rules: [], notes: [stricter(from, 'calls without a rule ask')] };
  // Codex keeps these files read-only within its writable roots.
  const kept: StaticRule = {
    decision: 'ask',
    subject: { about: 'write', globs: ['**/.git/**', '**/.codex/**', '**/.agents/**'] },
    from,
  };
  return { rules: [reads, allow({ about: 'write', globs: ['./*/**'] }), kept], notes: [note] };
}

/** Commands that Codex counts as harmless and runs without a question. */
const harmless =
  'base64 cat cd cut date df du echo env expr false file find git grep head hostname id ls nl numfmt paste ' +
  'ps printf pwd readlink realpath rev rg sed seq sort stat tac tail test tr true uname uniq uptime wc which whoami';

function write({ rest, rules }: CompiledRules): WrittenRules {
  const notes: RuleNote[] = [
    (rest.shell === 'deny' ? looser : stricter)('shell', 'Codex asks about every command'),
    looser('commands without a rule', 'they run under `approval_policy = "never"`, and so in `codex exec`'),
    looser('all', 'rules of a project hold only if you trust the project in Codex'),
    looser('other tools', 'Codex has no rules about images, sub-agents and MCP tools'),
  ];
  const lines = [
    '# Written by `ambit compile codex`. Use it with these lines of config.toml, which ask about other commands:',
    '#   approval_policy = "untrusted"',
    '#   sandbox_mode = "read-only"',
    ruleText([harmless.split(' ')], 'prompt'),
  ];
  for (const { decision, subject, from } of rules) {
    const note = decision === 'allow' ? stricter : looser;
    if (subject.about !== 'shell' || decision !== 'deny')
      notes.push(note(from, 'Codex has rules about commands only, and asks'));
  }
  lines.push(...codexDenials(rules.filter(({ decision }) => decision === 'deny')));
  return { file: '.codex/rules/ambit.rules', text: `${lines.join('\n')}\n`, notes };
}

/** Rules that refuse, in the form of a rules file. */
export function codexDenials(rules: readonly StaticRule[]): readonly string[] {
  return rules.flatMap(({ subject }) =>
    subject.about === 'shell' ? [ruleText(subject.words, 'forbidden')] : [],
  );
}

function ruleText(pattern: readonly (string | readonly string[])[], decision: string): string {
  return `prefix_rule(pattern = ${JSON.stringify(pattern)}, decision = "${decision}")`;
}
