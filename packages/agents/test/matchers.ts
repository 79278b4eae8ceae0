import { parse } from 'smol-toml';

/** A generated call of a client, with the properties that its settings read. */
export type Drawn =
  | { readonly kind: 'shell'; readonly command: string }
  /** Below the project. */
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'web'; readonly host: string }
  | { readonly kind: 'agent'; readonly agent: string }
  | { readonly kind: 'server'; readonly server: string; readonly tool: string };

export type Said = 'allow' | 'ask' | 'deny';

/** Whether a client runs the call without a question: models of their documented matchers, written apart from the source. */
export const matchers = { claude, opencode, gemini, codex, copilot };

/** Commands that only read, which clients run without a question. */
export const onlyReads = (command: string): boolean =>
  /^(?:(?:ls|cat|echo|grep)(?: |$)|git status$)/.test(command);

export const parts = (command: string): readonly string[] => command.split(/ (?:&&?|;|\|\|?) |\n/);
const strictest = (all: readonly Said[]): Said =>
  all.includes('deny') ? 'deny' : all.includes('ask') ? 'ask' : 'allow';

function wildcard(pattern: string, text: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '[^]*');
  return new RegExp(`^${source}$`).test(text);
}

/** Deny before ask before allow; otherwise reads of the project run, and the rest asks. */
function claude(text: string, call: Drawn, project: string): Said {
  const { permissions = {} } = JSON.parse(text) as {
    permissions?: Partial<Record<Said, string[]>> & { defaultMode?: string };
  };
  const matches = (rule: string, one: Drawn, said: Said): boolean => {
    const [, tool = '', what] = /^(\w[\w*-]*)(?:\((.*)\))?$/.exec(rule) ?? [];
    if (one.kind === 'shell') {
      if (tool !== 'Bash') return false;
      if (what === undefined || what === '*') return true;
      const start = /^(.*?)(?::\*| \*)$/.exec(what)?.[1];
      if (start !== undefined && !start.includes('*'))
        return one.command === start || one.command.startsWith(`${start} `);
      return wildcard(what, one.command);
    }
    if (one.kind === 'read' || one.kind === 'write') {
      // Without a path, a denial takes away one tool. The call is of `Write`.
      if (one.kind === 'write' && what === undefined && (tool === 'Write' || said === 'deny'))
        return tool === 'Write';
      if (tool !== (one.kind === 'read' ? 'Read' : 'Edit')) return false;
      return what === undefined || gitignore(what, `${project}/${one.path}`, project);
    }
    if (one.kind === 'web')
      return tool === 'WebFetch' && (what === undefined || what === `domain:${one.host}`);
    if (one.kind === 'agent') return tool === 'Agent' && (what === undefined || what === one.agent);
    return (
      tool === `mcp__${one.server}__${one.tool}` ||
      tool === `mcp__${one.server}__*` ||
      tool === `mcp__${one.server}` ||
      tool === 'mcp__*'
    );
  };
  const one = (each: Drawn): Said => {
    const refuses = permissions.defaultMode === 'dontAsk';
    for (const said of ['deny', 'ask', 'allow'] as const)
      if ((permissions[said] ?? []).some((rule) => matches(rule, each, said)))
        return said === 'ask' && refuses ? 'deny' : said;
    if (each.kind === 'read' || each.kind === 'agent') return 'allow';
    // One of many hosts of documentation that it knows.
    if (each.kind === 'web' && each.host === 'docs.python.org') return 'allow';
    if (each.kind === 'write' && permissions.defaultMode === 'acceptEdits') return 'allow';
    return refuses ? 'deny' : 'ask';
  };
  return call.kind === 'shell'
    ? strictest(parts(call.command).map((command) => one({ kind: 'shell', command })))
    : one(call);
}

function gitignore(pattern: string, path: string, project: string): boolean {
  const rooted = pattern.startsWith('//')
    ? pattern.slice(1)
    : pattern.startsWith('/')
      ? project + pattern
      : pattern.startsWith('./')
        ? `${project}/${pattern.slice(2)}`
        : pattern.includes('/')
          ? `${project}/${pattern}`
          : `${project}/**/${pattern}`;
  const source = rooted
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('**', '\x01')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\0', '(?:[^]*/)?')
    .replaceAll('\x01', '[^]+');
  // A folder that matches takes all below it.
  return new RegExp(`^${source}(?:/[^]*)?$`).test(path);
}

/** The last rule that matches wins. */
function opencode(text: string, call: Drawn, project: string): Said {
  const { permission } = JSON.parse(text) as {
    permission: string | Record<string, string | Record<string, string>>;
  };
  const given = typeof permission === 'string' ? { '*': permission } : permission;
  const name = { shell: 'bash', read: 'read', write: 'edit', web: 'webfetch', agent: 'task', server: '' }[
    call.kind
  ];
  const tool = call.kind === 'server' ? `${call.server}_${call.tool}` : name;
  const one = (value: string): Said => {
    let said: Said = call.kind === 'read' || call.kind === 'agent' ? 'allow' : 'ask';
    for (const [key, rule] of Object.entries(given)) {
      if (!wildcard(key, tool)) continue;
      for (const [pattern, each] of Object.entries(typeof rule === 'string' ? { '*': rule } : rule))
        if (wildcard(pattern, value) || (pattern.endsWith(' *') && wildcard(pattern.slice(0, -2), value)))
          said = each as Said;
    }
    return said;
  };
  if (call.kind === 'shell') return strictest(parts(call.command).map(one));
  if (call.kind === 'web') return one(`https://${call.host}/`);
  if (call.kind === 'agent') return one(call.agent);
  if (call.kind === 'server') return one('*');
  return strictest([one(call.path), one(`${project}/${call.path}`)].filter((_, at) => at === 0));
}

/** The highest priority wins, and of equal ones the first. */
function gemini(text: string, call: Drawn): Said {
  const { rule: all = [] } = parse(text) as { rule?: Record<string, unknown>[] };
  const list = (value: unknown): readonly string[] =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]) as string[];
  // A file with an error is ignored.
  const isValid = ({ toolName, priority }: Record<string, unknown>) =>
    toolName !== undefined && Number.isInteger(priority) && Number(priority) < 1000;
  const isHere = ({ modes = ['default'], interactive = true }: Record<string, unknown>) =>
    interactive === true && list(modes).includes('default');
  const rules = all.every(isValid) ? all.filter(isHere) : [];
  const tool = {
    shell: 'run_shell_command',
    read: 'read_file',
    write: 'write_file',
    web: 'web_fetch',
    agent: 'invoke_agent',
    server: '',
  }[call.kind];
  const one = (each: Drawn): Said => {
    const found = rules
      .filter(({ toolName, mcpName, commandPrefix, argsPattern }) => {
        if (
          !new RegExp(typeof argsPattern === 'string' ? argsPattern : '').test(
            Object.values(each).slice(1).join(' '),
          )
        )
          return false;
        if (mcpName !== undefined)
          return (
            each.kind === 'server' &&
            (mcpName === '*' || mcpName === each.server) &&
            (toolName === undefined || list(toolName).some((name) => name === '*' || name === each.tool))
          );
        const isNamed =
          toolName === undefined || list(toolName).some((name) => name === '*' || name === tool);
        const isPrefix =
          commandPrefix === undefined ||
          (each.kind === 'shell' &&
            list(commandPrefix).some((prefix) => `${each.command} `.startsWith(`${prefix} `)));
        return isNamed && isPrefix;
      })
      .sort((one, other) => Number(other.priority) - Number(one.priority))[0];
    const decision = found?.decision;
    return decision === 'allow'
      ? 'allow'
      : decision === 'deny'
        ? 'deny'
        : decision === undefined && (each.kind === 'read' || each.kind === 'agent')
          ? 'allow'
          : each === call && isHarmless(each, found)
            ? 'allow'
            : 'ask';
  };
  if (call.kind !== 'shell') return one(call);
  const commands = parts(call.command);
  // A redirection and a harmful command ask, whatever is allowed.
  const said =
    commands.length === 1 ? one(call) : strictest(commands.map((command) => one({ kind: 'shell', command })));
  return said === 'allow' && /^rm -rf |[<>]/.test(call.command) ? 'ask' : said;
}

/** With `approval_policy = "untrusted"`: rules first, the strictest of them, and else what is harmless runs. */
function codex(text: string, call: Drawn): Said {
  if (call.kind !== 'shell') return call.kind === 'read' || call.kind === 'agent' ? 'allow' : 'ask';
  const words = { allow: 'allow', prompt: 'ask', forbidden: 'deny' } as const;
  const rules = [...text.matchAll(/^prefix_rule\(pattern ?= ?(\[.*\]), decision ?= ?"(\w+)"\)$/gm)].map(
    ([, pattern = '', word = '']) => ({
      pattern: JSON.parse(pattern) as (string | string[])[],
      said: words[word as keyof typeof words],
    }),
  );
  return strictest(
    parts(call.command).map((command) => {
      const argv = command.split(' ');
      const found = rules.filter(({ pattern }) =>
        pattern.every((each, at) => [each].flat().includes(argv[at] ?? '')),
      );
      if (found.length > 0) return strictest(found.map(({ said }) => said));
      return onlyReads(command) ? 'allow' : 'ask';
    }),
  );
}

/** Refused before allowed; otherwise what only reads runs, and the rest asks. */
function copilot(text: string, call: Drawn): Said {
  if (text.startsWith('{')) {
    const { allowedUrls = [], deniedUrls = [] } = JSON.parse(text) as Record<string, string[]>;
    return copilot(
      [
        ...deniedUrls.map((url) => `--deny-url '${url}'`),
        ...allowedUrls.map((url) => `--allow-url '${url}'`),
      ].join('\n'),
      call,
    );
  }
  const flags = [...text.matchAll(/^--(allow|deny)-(tool|url) '(.*)'$/gm)];
  const one = (each: Drawn): Said => {
    for (const said of ['deny', 'allow'] as const)
      for (const [, word, about, value = ''] of flags)
        if (word === said && (about === 'url' ? isUrl(value, each) : isTool(value, each))) return said;
    const isHarmless = each.kind === 'shell' && onlyReads(each.command);
    return isHarmless || each.kind === 'read' || each.kind === 'agent' ? 'allow' : 'ask';
  };
  if (call.kind !== 'shell') return one(call);
  const said = strictest(parts(call.command).map((command) => one({ kind: 'shell', command })));
  return said === 'allow' && call.command.includes('>') ? 'ask' : said;
}

const isUrl = (value: string, call: Drawn): boolean =>
  call.kind === 'web' &&
  [call.host, `https://${call.host}`].some(
    (url) => value === url || value === `*.${url.replace(/^[^.]*\./, '')}`,
  );

function isTool(value: string, call: Drawn): boolean {
  if (value === 'shell' || value === 'write') return value === call.kind;
  const start = /^shell\((.*):\*\)$/.exec(value)?.[1];
  if (start !== undefined) return call.kind === 'shell' && `${call.command} `.startsWith(`${start} `);
  return call.kind === 'server' && (value === call.server || value === `${call.server}(${call.tool})`);
}

/** Gemini runs a single command that only reads although a rule asks, unless the rule names commands. */
function isHarmless(call: Drawn, rule: Readonly<Record<string, unknown>> | undefined): boolean {
  if (call.kind !== 'shell' || rule?.argsPattern !== undefined || rule?.commandPrefix !== undefined)
    return false;
  return rule?.decision !== 'deny' && onlyReads(call.command);
}
