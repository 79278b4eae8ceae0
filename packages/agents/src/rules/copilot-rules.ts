import { textsOf } from '@ambit/core';
import { toolsNamed } from '../describe/describe-client-call.js';
import { settingsOf } from './read-settings.js';
import {
  type ClientRules,
  type CompiledRules,
  looser,
  type RuleDialect,
  type RuleNote,
  refusedTools,
  type SettingsText,
  type StaticRule,
  type Subject,
  stricter,
  type WrittenRules,
} from './static-rule.js';

/** The settings of Copilot CLI: hosts in its settings, and flags for everything else. */
export const copilotRules: RuleDialect = { read, write };

function read(files: readonly SettingsText[]): ClientRules {
  const rules: StaticRule[] = [];
  const notes: RuleNote[] = [];
  for (const file of files) {
    const settings = settingsOf(file);
    for (const [decision, names] of [
      ['allow', ['allowedUrls', 'allowed_urls']],
      ['deny', ['deniedUrls', 'denied_urls']],
    ] as const)
      for (const url of names.flatMap((name) => textsOf(settings[name]))) {
        const from = `${decision} ${url}`;
        const [, scheme = 'https', host] =
          /^(?:(https?):\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)\/?$/.exec(url) ?? [];
        const only = decision === 'allow' ? { scheme } : {};
        if (host !== undefined) rules.push({ decision, subject: { about: 'web', host, ...only }, from });
        else if (decision === 'allow')
          notes.push(stricter(from, 'it is not a plain host, so it needs approval'));
        else {
          rules.push({ decision: 'ask', subject: { about: 'web', host: null }, from });
          notes.push(looser(from, 'it is not a plain host, so every host asks'));
        }
      }
    const isRead = (key: string) => /^(?:allowed|denied)_?urls$/i.test(key) && Array.isArray(settings[key]);
    for (const key of Object.keys(settings).filter((each) => !isRead(each)))
      if (/den(?:y|ied)|disable|exclude|block|permissions/i.test(key))
        notes.push(looser(key, 'what it refuses asks'));
      else if (/allow|trust/i.test(key)) notes.push(stricter(key, 'what it permits asks'));
    const { defaultPermissionMode: mode = 'manual' } = settings;
    if (mode !== 'manual')
      notes.push(
        stricter('defaultPermissionMode', 'calls that this mode of Copilot answers by itself need approval'),
      );
    if (settings.locations !== undefined)
      notes.push(stricter('locations', 'answers that Copilot keeps for a folder are not imported'));
  }
  return { rules, notes, rest: 'ask' };
}

function write({ rest, rules }: CompiledRules): WrittenRules {
  const notes: RuleNote[] = [
    looser('questions', '`--allow-all-tools` and `defaultPermissionMode` may answer them with yes'),
    looser('reads', 'Copilot reads files of trusted folders without asking'),
    looser('commands that only read', 'Copilot runs some of them without asking'),
    looser('sub-agents', 'Copilot starts them without asking'),
  ];
  const flags = [
    ...(rest.shell === 'deny' ? ["--deny-tool 'shell'"] : []),
    ...(rest.write === 'deny' ? ["--deny-tool 'write'"] : []),
  ];
  for (const kind of ['read', 'web', 'server', 'agent', 'other'] as const)
    if (rest[kind] === 'deny') notes.push(looser(kind, 'Copilot cannot refuse all of them, and asks'));
  const refused = refusedTools('copilot', rules);
  for (const { decision, subject, from } of rules) {
    const note = decision === 'allow' ? stricter : looser;
    const said = decision === 'ask' ? null : flagsOf(subject, { isDeny: decision === 'deny', refused });
    if (said !== null) flags.push(...said.map((flag) => `--${decision}-${flag}`));
    if (said === null || isPart(subject)) notes.push(note(from, 'Copilot has no such rule, and asks'));
  }
  const text = [
    '# Written by `ambit compile copilot`: flags for its command line. Everything else asks.',
    ...new Set(flags),
    '',
  ].join('\n');
  return { file: 'copilot.flags', text, notes };
}

/** Other words that are valid in place of a server name: `--allow-tool shell` permits every command. */
const kindsOfTools: ReadonlySet<string> = new Set(
  'shell write read url memory hook mcp custom-tool extension-management extension-permission-access'.split(
    ' ',
  ),
);

/** The tools that `write` refuses. */
const writers: readonly string[] = ['create', 'edit', 'apply_patch'];

/** Whether flags refuse only some of the tools. */
function isPart(subject: Subject): boolean {
  const named =
    subject.about === 'other' && subject.tool !== undefined ? toolsNamed('copilot', subject.tool) : [];
  return named.some((tool) => tool !== 'bash' && !writers.includes(tool));
}

/** `refused`: all tools that are refused whatever the call does. */
function flagsOf(
  subject: Subject,
  { isDeny, refused }: { readonly isDeny: boolean; readonly refused: readonly string[] },
): readonly string[] | null {
  if (subject.about === 'other' && subject.tool !== undefined) {
    const named = toolsNamed('copilot', subject.tool);
    const flags = [
      ...(named.includes('bash') ? [`tool 'shell'`] : []),
      ...(named.some((tool) => writers.includes(tool)) && writers.every((tool) => refused.includes(tool))
        ? [`tool 'write'`]
        : []),
    ];
    return flags.length === 0 ? null : flags;
  }
  if (subject.about === 'shell') return isDeny ? [`tool 'shell(${subject.words.join(' ')}:*)'`] : null;
  if (subject.about === 'server' && subject.server !== null) {
    const { server, tool } = subject;
    if (!/^[\w.-]+$/.test(server) || kindsOfTools.has(server.toLowerCase())) return null;
    return [`tool '${server}${tool === null ? '' : `(${tool})`}'`];
  }
  if (subject.about !== 'web' || subject.host === null) return null;
  return isDeny ? urlsOf(subject.host).map((url) => `url '${url}'`) : [`url '${subject.host}'`];
}

/** A host without a scheme means a host with TLS. */
const urlsOf = (host: string) => [`https://${host}`, `http://${host}`];

/** Refused hosts, in the form of `deniedUrls`. */
export function copilotDenials(rules: readonly StaticRule[]): readonly string[] {
  return rules.flatMap(({ subject }) =>
    subject.about === 'web' && subject.host !== null ? urlsOf(subject.host) : [],
  );
}
