import { createRequest, type Decision, type JsonObject } from '@ambit/core';
import { createEngine, loadPolicyText, type WrittenPolicy } from '@ambit/policy';
import { openRoots } from '@ambit/toolsets';
import fc from 'fast-check';
import { explore } from '../../../test/depth.js';
import type { ClientCall, ClientName } from '../src/clients/client-call.js';
import { describeClientCall, toolNameOf } from '../src/describe/describe-client-call.js';
import { type Drawn, matchers } from './matchers.js';
import type { HookPlace } from './place.js';

export const modelOf = {
  'claude-code': matchers.claude,
  codex: matchers.codex,
  gemini: matchers.gemini,
  opencode: matchers.opencode,
  copilot: matchers.copilot,
};
export const fileOf = {
  'claude-code': 'settings.json',
  codex: 'x.rules',
  gemini: 'x.toml',
  opencode: 'opencode.json',
  copilot: 'settings.json',
};

/** The text as the settings that a client reads in the place. */
export function settingsIn(place: HookPlace, client: ClientName, text: string) {
  return { file: `${place.project}/${fileOf[client]}`, text, isProject: client !== 'codex' };
}

/** The call as the client's hook would be told of it. */
export function callOf(client: ClientName, drawn: Drawn, project: string): ClientCall | null {
  const names: Readonly<
    Record<ClientName, readonly [string, string, string, string, string, string, string]>
  > = {
    'claude-code': ['Bash', 'Read', 'Write', 'WebFetch', 'file_path', 'Agent', 'subagent_type'],
    codex: ['Bash', 'view_image', '', '', 'path', '', ''],
    gemini: [
      'run_shell_command',
      'read_file',
      'write_file',
      'web_fetch',
      'file_path',
      'invoke_agent',
      'agent_name',
    ],
    opencode: ['bash', 'read', 'write', 'webfetch', 'filePath', 'task', 'subagent_type'],
    copilot: ['bash', 'view', 'create', 'web_fetch', 'path', 'task', 'agent_type'],
  };
  const [shell, read, write, web, path, agent, agentName] = names[client];
  const call = (tool: string, args: JsonObject, server: ClientCall['server'] = null): ClientCall | null =>
    tool === ''
      ? null
      : {
          client,
          session: 's',
          parent: null,
          chain: [client],
          id: null,
          folder: project,
          tool,
          args,
          server,
        };
  switch (drawn.kind) {
    case 'shell':
      return call(shell, { command: drawn.command });
    case 'read':
      return call(read, { [path]: `${project}/${drawn.path}` });
    case 'write':
      return call(write, {
        [path]: `${project}/${drawn.path}`,
        [client === 'copilot' ? 'file_text' : 'content']: 'x',
      });
    case 'web': {
      const url = `https://${drawn.host}/`;
      return call(web, client === 'gemini' ? { prompt: `read ${url}` } : { url });
    }
    case 'agent':
      return call(agent, { [agentName]: drawn.agent, prompt: 'go' });
    case 'server':
      return call('mcp', {}, { name: drawn.server, tool: drawn.tool });
  }
}

interface Decided {
  readonly decision: Decision;
  /** The rules that decided. */
  readonly ids: readonly string[];
}

/** The policy's decision about the call, described as the hook describes it. */
export async function decidedOf(place: HookPlace, policy: WrittenPolicy, call: ClientCall): Promise<Decided> {
  const root = { name: 'project', folder: place.project, mode: 'rw' } as const;
  const roots = openRoots([root], { home: place.home, naming: 'by_path' });
  const capabilities = await describeClientCall(call, {
    roots,
    home: place.home,
    searchPath: ['/usr/bin', '/bin'],
    repositorySetting: async () => null,
  });
  const { chain, args } = call;
  const request = createRequest({
    tool: toolNameOf(call),
    chain,
    args,
    capabilities,
    context: {},
    history: [],
    now: 0,
  });
  const { decision, judgements } = createEngine().decide(request, [policy]);
  const deciding = judgements.flatMap(({ rules, undecided }) => [...rules, ...undecided]);
  return { decision, ids: deciding.filter((rule) => rule.decision === decision).map(({ id }) => id) };
}

export function loaded(place: HookPlace, text: string): WrittenPolicy {
  const read = loadPolicyText('policy.yaml', text, { root: place.project, home: place.home });
  if (!read.ok) throw new Error(`${JSON.stringify(read.diagnostics[0])}\n${text}`);
  return read.policy;
}

const command = fc
  .array(
    fc.constantFrom(
      'git push origin main',
      'git push',
      'git pushx',
      'git',
      'git status',
      'npm run test',
      'npm run test -- -x',
      'npm run testing',
      'npm run',
      'rm -rf x',
      'rm x',
      'ls',
      'cat a.txt',
      'echo hi',
      '"npm" run test',
      'npm run "test"',
      'grep rm a.txt',
      'curl https://docs.example.com/',
      'cat .env',
      'echo x > src/a.ts',
      'eval ls',
      'sleep 1',
      'FOO=1 npm run test',
      'timeout 5 rm x',
      '(rm x)',
      'npm run test $(rm x)',
    ),
    { minLength: 1, maxLength: 2 },
  )
  .chain((lines) =>
    fc.constantFrom(' && ', ' ; ', ' | ', ' || ', ' & ', '\n').map((separator) => lines.join(separator)),
  );
const path = fc.constantFrom(
  'a.txt',
  'src',
  'src/a.ts',
  'src/b/a.ts',
  '.env',
  'src/.env',
  'secret/x',
  'docs/x.md',
  'a/src/a.ts',
  '.git/config',
);
export const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  command.map((each) => ({ kind: 'shell', command: each }) as const),
  fc.record({ kind: fc.constant('read' as const), path }),
  fc.record({ kind: fc.constant('write' as const), path }),
  fc.record({
    kind: fc.constant('web' as const),
    host: fc.constantFrom(
      'docs.example.com',
      'example.com',
      'evil.example',
      'localhost',
      '127.0.0.1',
      'docs.python.org',
    ),
  }),
  fc.record({
    kind: fc.constant('server' as const),
    server: fc.constantFrom('tiny', 'big'),
    tool: fc.constantFrom('danger', 'read'),
  }),
  fc.record({ kind: fc.constant('agent' as const), agent: fc.constantFrom('explorer', 'helper') }),
);

const said = fc.constantFrom('allow', 'ask', 'deny');
const url = fc.constantFrom(
  'docs.example.com',
  'https://example.com',
  'http://example.com',
  'https://docs.example.com/a',
  '*.example.com',
);
export const settings: Readonly<Record<ClientName, fc.Arbitrary<string>>> = {
  'claude-code': fc
    .record({
      rules: fc.array(
        fc.tuple(
          said,
          fc.constantFrom(
            'Bash',
            'Bash(npm run test:*)',
            'Bash(npm run *)',
            'Bash(npm run test)',
            'Bash(git push *)',
            'Bash(git * main)',
            'Bash(rm:*)',
            'Bash(*)',
            'Bash(ls)',
            'Bash(npm*)',
            'Bash(cat *)',
            'Read',
            'Read(.env)',
            'Read(./src/**)',
            'Read(//etc/**)',
            'Read(/src/**)',
            'Edit',
            'Edit(src/**)',
            'Edit(/src/**)',
            'Edit(src)',
            'Edit(**/*.ts)',
            'Edit(*.md)',
            'Edit(src/)',
            'Write(src/**)',
            'WebFetch',
            'WebFetch(domain:docs.example.com)',
            'WebFetch(domain:example.com)',
            'mcp__tiny',
            'mcp__tiny__*',
            'mcp__tiny__danger',
            'Agent(Explore)',
            'Agent(explorer)',
            'Agent',
            'Foo(bar)',
          ),
        ),
        { maxLength: 5 },
      ),
      mode: fc.constantFrom('default', 'acceptEdits', 'dontAsk'),
    })
    .map(({ rules, mode }) => {
      const of = (decision: string) => rules.filter(([each]) => each === decision).map(([, rule]) => rule);
      return JSON.stringify({
        permissions: { allow: of('allow'), ask: of('ask'), deny: of('deny'), defaultMode: mode },
      });
    }),
  codex: fc
    .array(
      fc.tuple(
        fc.constantFrom('allow', 'prompt', 'forbidden'),
        fc.constantFrom(
          '["git","push"]',
          '["git",["push","status"]]',
          '["npm","run","test"]',
          '["ls"]',
          '["rm"]',
          '["cat","a.txt"]',
        ),
      ),
      { maxLength: 5 },
    )
    .map((rules) =>
      rules
        .map(([decision, pattern]) => `prefix_rule(pattern = ${pattern}, decision = "${decision}")`)
        .join('\n'),
    ),
  gemini: fc
    .array(
      fc.tuple(
        fc.constantFrom('allow', 'ask_user', 'deny'),
        fc.constantFrom(
          'toolName = "run_shell_command"',
          'toolName = "run_shell_command"\ncommandPrefix = "git push"',
          'toolName = "run_shell_command"\ncommandPrefix = ["npm run test", "ls"]',
          'toolName = ["read_file", "write_file"]',
          'toolName = "write_file"\nargsPattern = "src"',
          'mcpName = "tiny"',
          'mcpName = "tiny"\ntoolName = "danger"',
          'mcpName = "*"',
          'toolName = "*"',
          'toolName = "web_fetch"',
        ),
        fc.constantFrom('1', '2', '3', '3', '999', '1000', '1.5'),
        fc.constantFrom('', '', '', 'modes = ["yolo"]\n', 'modes = ["default"]\n', 'interactive = false\n'),
      ),
      { maxLength: 5 },
    )
    .map((rules) =>
      rules
        .map(
          ([decision, what, priority, more]) =>
            `[[rule]]\n${what}\n${more}decision = "${decision}"\npriority = ${priority}\n`,
        )
        .join('\n'),
    ),
  opencode: fc
    .record(
      {
        bash: fc.dictionary(
          fc.constantFrom('*', 'git *', 'git push*', 'npm run test', 'npm run *', 'rm *', 'ls', 'cat *'),
          said,
        ),
        edit: fc.oneof(said, fc.dictionary(fc.constantFrom('*', 'src/*', '*.md'), said)),
        read: fc.oneof(said, fc.dictionary(fc.constantFrom('*', '*.env'), said)),
        webfetch: said,
        task: fc.oneof(said, fc.dictionary(fc.constantFrom('*', 'explorer', 'help*'), said)),
        '*': said,
        'tiny_*': said,
        'b*': said,
        'web*': said,
      },
      { requiredKeys: ['bash'] },
    )
    .chain((all) => fc.shuffledSubarray(Object.entries(all), { minLength: Object.keys(all).length }))
    .map((entries) => JSON.stringify({ permission: Object.fromEntries(entries) })),
  copilot: fc
    .record({
      allowedUrls: fc.uniqueArray(url, { maxLength: 2 }),
      deniedUrls: fc.uniqueArray(url, { maxLength: 2 }),
    })
    .map((all) => JSON.stringify(all)),
};

const decision = fc.constantFrom('pre_approved', 'needs_approval', 'blocked');
const matchOf: Readonly<Record<string, string>> = {
  'mcp.call': ', match: { server: tiny }',
  'worker.call': ', match: { worker: explorer }',
};
export const policyText = fc
  .record({
    default: fc.constantFrom('needs_approval', 'blocked'),
    rules: fc.array(
      fc.tuple(
        fc.constantFrom(
          'proc.exec',
          'proc',
          'proc.exec.opaque',
          'fs.read',
          'fs.list',
          'fs.write',
          'fs',
          'secret.read',
          'net.connect',
          'net',
          'content.untrusted',
          'mcp.call',
          'mcp',
          'worker.call',
          'vcs.push',
          'tool.call',
        ),
        decision,
        fc.constantFrom(
          '',
          'path: ./src/**',
          'path: "**/.env"',
          'host: docs.example.com',
          'host: "**.example.com"',
          'server: tiny',
          'worker: explorer',
          'program: rm',
          'program: [git, npm]',
        ),
        fc.constantFrom(
          '',
          ', observe: true',
          ', except: { path: ./docs/** }',
          ', when: { "==": [{ var: worker }, other] }',
        ),
      ),
      { maxLength: 8 },
    ),
    tools: fc.dictionary(
      fc.constantFrom(
        'shell.run',
        'filesystem.write_file',
        'filesystem.edit_file',
        'filesystem.*',
        'mcp-tiny.danger',
        'mcp-tiny.*',
      ),
      fc.tuple(decision, fc.constantFrom('', ', when: { "==": [{ var: worker }, other] }')),
      { maxKeys: 2 },
    ),
    workers: fc.dictionary(
      fc.constantFrom(...Object.keys(modelOf), 'helper'),
      fc.tuple(
        fc.constantFrom('proc.exec', 'fs', 'fs.read', 'fs.write', 'mcp.call', 'worker.call'),
        decision,
      ),
      { maxKeys: 3 },
    ),
  })
  .map(({ default: rest, rules, tools: drawn, workers }) => {
    const names = [...new Set(rules.map(([name]) => name))];
    const lines = names.flatMap((name) => [
      `  ${name}:`,
      ...rules
        .filter(([each]) => each === name)
        .map(
          ([, each, match, more], at) =>
            `    - { id: ${name}-${at}, decision: ${each}${match === '' ? '' : `, match: { ${match} }`}${more} }`,
        ),
    ]);
    const about = Object.entries(drawn).map(
      ([name, [said, more]]) => `  ${name}: { decision: ${said}${more} }`,
    );
    const tools = about.length === 0 ? [] : ['tools:', ...about];
    const named = Object.entries(workers).map(
      ([name, [of, said]]) =>
        `  ${name}: { capabilities: { ${of}: { decision: ${said}${matchOf[of] ?? ''} } } }`,
    );
    return [
      'version: 1',
      `default: ${rest}`,
      ...(lines.length === 0 ? [] : ['capabilities:', ...lines]),
      ...tools,
      ...(named.length === 0 ? [] : ['workers:', ...named]),
      '',
    ].join('\n');
  });

/** Blocks that are drawn often. */
export const blocks = `version: 1
default: pre_approved
capabilities:
  proc.exec: { decision: blocked, match: { program: [rm, npm] } }
  fs: { decision: blocked, match: { path: ["**/.env", ./secret/**] } }
  mcp.call: { decision: blocked, match: { server: tiny } }
  net.connect: { decision: blocked, match: { host: docs.example.com } }
  vcs.push: blocked
`;

export const clients = Object.keys(modelOf) as readonly ClientName[];

/** Tries drawn texts, each with some drawn calls. A check that counts what it met has a fixed seed. */
export async function tryDrawn(
  texts: fc.Arbitrary<string>,
  check: (text: string, calls: readonly Drawn[]) => Promise<void>,
  deep = 400,
  fixedSeed?: number,
): Promise<void> {
  const some = fc.array(drawn, { minLength: 1, maxLength: 6 });
  await fc.assert(fc.asyncProperty(texts, some, check), explore(deep, fixedSeed));
}
