import { createRequest, type Decision, type JsonObject } from '@ambit/core';
import { createEngine, loadPolicyText, type WrittenPolicy } from '@ambit/policy';
import { openRoots } from '@ambit/toolsets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import type { ClientCall, ClientName } from '../src/clients/client-call.js';
import { describeClientCall, toolNameOf } from '../src/describe/describe-client-call.js';
import { compileRules, denialsOf, type Installing, importRules } from '../src/index.js';
import { withDenials } from '../src/install/rules-file.js';
import { withHook } from '../src/install/settings.js';
import { opencodeRules } from '../src/rules/opencode-rules.js';
import { type CompiledRules, kinds } from '../src/rules/static-rule.js';
import { type Drawn, matchers } from './matchers.js';
import { HookPlace } from './place.js';

type Modelled = 'claude-code' | 'codex' | 'gemini' | 'opencode';
const modelOf = {
  'claude-code': matchers.claude,
  codex: matchers.codex,
  gemini: matchers.gemini,
  opencode: matchers.opencode,
};
const fileOf = {
  'claude-code': 'settings.json',
  codex: 'x.rules',
  gemini: 'x.toml',
  opencode: 'opencode.json',
};

/** The call as the client's hook would be told of it. */
function callOf(client: ClientName, drawn: Drawn, project: string): ClientCall | null {
  const names: Readonly<Record<Modelled, readonly [string, string, string, string, string]>> = {
    'claude-code': ['Bash', 'Read', 'Write', 'WebFetch', 'file_path'],
    codex: ['Bash', 'view_image', '', '', 'path'],
    gemini: ['run_shell_command', 'read_file', 'write_file', 'web_fetch', 'file_path'],
    opencode: ['bash', 'read', 'write', 'webfetch', 'filePath'],
  };
  const [shell, read, write, web, path] = names[client as Modelled];
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
      return call(write, { [path]: `${project}/${drawn.path}`, content: 'x' });
    case 'web': {
      const url = `https://${drawn.host}/`;
      return call(web, client === 'gemini' ? { prompt: `read ${url}` } : { url });
    }
    case 'server':
      return call('mcp', {}, { name: drawn.server, tool: drawn.tool });
  }
}

/** The policy's decision about the call, described as the hook describes it. */
async function decisionOf(place: HookPlace, policy: WrittenPolicy, call: ClientCall): Promise<Decision> {
  const root = { name: 'project', folder: place.project, mode: 'rw' } as const;
  const roots = openRoots([root], { home: place.home, naming: 'by_path' });
  const capabilities = await describeClientCall(call, {
    roots,
    home: place.home,
    searchPath: ['/usr/bin', '/bin'],
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
  return createEngine().decide(request, [policy]).decision;
}

function loaded(place: HookPlace, text: string): WrittenPolicy {
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
    ),
    { minLength: 1, maxLength: 2 },
  )
  .chain((lines) => fc.constantFrom(' && ', ' ; ', ' | ').map((separator) => lines.join(separator)));
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
const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  command.map((each) => ({ kind: 'shell', command: each }) as const),
  fc.record({ kind: fc.constant('read' as const), path }),
  fc.record({ kind: fc.constant('write' as const), path }),
  fc.record({
    kind: fc.constant('web' as const),
    host: fc.constantFrom('docs.example.com', 'example.com', 'evil.example', 'localhost', '127.0.0.1'),
  }),
  fc.record({
    kind: fc.constant('server' as const),
    server: fc.constantFrom('tiny', 'big'),
    tool: fc.constantFrom('danger', 'read'),
  }),
);

const said = fc.constantFrom('allow', 'ask', 'deny');
const settings: Readonly<Record<Modelled, fc.Arbitrary<string>>> = {
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
        fc.integer({ min: 1, max: 900 }),
      ),
      { maxLength: 5 },
    )
    .map((rules) =>
      rules
        .map(
          ([decision, what, priority]) =>
            `[[rule]]\n${what}\ndecision = "${decision}"\npriority = ${priority}\n`,
        )
        .join('\n'),
    ),
  opencode: fc
    .record({
      all: fc.option(said, { nil: undefined }),
      bash: fc.dictionary(
        fc.constantFrom('*', 'git *', 'git push*', 'npm run test', 'npm run *', 'rm *', 'ls', 'cat *'),
        said,
      ),
      edit: fc.oneof(said, fc.dictionary(fc.constantFrom('*', 'src/*', '*.md'), said)),
      read: fc.oneof(said, fc.dictionary(fc.constantFrom('*', '*.env'), said)),
      webfetch: said,
      tiny: fc.option(said, { nil: undefined }),
    })
    .map(({ all, tiny, ...others }) =>
      JSON.stringify({
        permission: {
          ...(all === undefined ? {} : { '*': all }),
          ...others,
          ...(tiny === undefined ? {} : { 'tiny_*': tiny }),
        },
      }),
    ),
};

const decision = fc.constantFrom('pre_approved', 'needs_approval', 'blocked');
const policyText = fc
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
    tool: fc.option(decision, { nil: undefined, freq: 3 }),
  })
  .map(({ default: rest, rules, tool }) => {
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
    const tools = tool === undefined ? [] : ['tools:', `  shell.run: ${tool}`];
    return [
      'version: 1',
      `default: ${rest}`,
      ...(lines.length === 0 ? [] : ['capabilities:', ...lines]),
      ...tools,
      '',
    ].join('\n');
  });

/** Blocks that are drawn often. */
const blocks = `version: 1
default: pre_approved
capabilities:
  proc.exec: { decision: blocked, match: { program: [rm, npm] } }
  fs: { decision: blocked, match: { path: ["**/.env", ./secret/**] } }
  mcp.call: { decision: blocked, match: { server: tiny } }
  net.connect: { decision: blocked, match: { host: docs.example.com } }
  vcs.push: blocked
`;

const clients = Object.keys(modelOf) as readonly Modelled[];

describe('rules of clients', { timeout: 600_000 }, () => {
  it.each(clients)(
    'an imported policy never allows a call that the settings of %s would not',
    async (client) => {
      const place = new HookPlace();
      await fc.assert(
        fc.asyncProperty(
          settings[client],
          fc.array(drawn, { minLength: 1, maxLength: 6 }),
          async (text, calls) => {
            const file = { file: `${place.project}/${fileOf[client]}`, text, isProject: true };
            const policy = loaded(place, importRules(client, [file]).text);
            for (const each of calls) {
              const call = callOf(client, each, place.project);
              if (call === null || (await decisionOf(place, policy, call)) !== 'pre_approved') continue;
              expect([each, modelOf[client](text, each, place.project)]).toEqual([each, 'allow']);
            }
          },
        ),
        explore(400),
      );
    },
  );

  it('an imported policy allows calls that the settings allow', async () => {
    const place = new HookPlace();
    const texts: Readonly<Record<Modelled, string>> = {
      'claude-code': '{"permissions":{"allow":["Bash(npm run test:*)"]}}',
      codex: 'prefix_rule(pattern = ["npm", "run", "test"], decision = "allow")',
      gemini:
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm run test"\ndecision = "allow"\npriority = 1',
      opencode: '{"permission":{"bash":{"*":"ask","npm run test *":"allow"}}}',
    };
    for (const client of clients) {
      const file = { file: `${place.project}/${fileOf[client]}`, text: texts[client], isProject: true };
      const policy = loaded(place, importRules(client, [file]).text);
      const call = callOf(client, { kind: 'shell', command: 'npm run test -- -x' }, place.project);
      expect([client, call && (await decisionOf(place, policy, call))]).toEqual([client, 'pre_approved']);
    }
  });

  it.each(clients)('rules compiled for %s never allow a call that the policy does not', async (client) => {
    const place = new HookPlace();
    await fc.assert(
      fc.asyncProperty(policyText, fc.array(drawn, { minLength: 1, maxLength: 6 }), async (text, calls) => {
        const policy = loaded(place, text);
        const written = compileRules(client, { policies: [policy], root: place.project });
        for (const each of calls) {
          if (modelOf[client](written.text, each, place.project) !== 'allow') continue;
          const call = callOf(client, each, place.project);
          if (call !== null)
            expect([each, await decisionOf(place, policy, call)]).toEqual([each, 'pre_approved']);
        }
      }),
      explore(1000),
    );
  });

  it.each(clients)(
    'rules that a hook of %s installs refuse only calls that the policy blocks',
    async (client) => {
      const place = new HookPlace();
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(policyText, fc.array(drawn, { minLength: 1, maxLength: 6 }), async (text, calls) => {
          const policies = [loaded(place, text), loaded(place, blocks)];
          const installing: Installing = {
            client,
            scope: 'user',
            home: place.home,
            project: place.project,
            command: ['node'],
            timeout: 1,
            random: 'x',
            denials: denialsOf(policies, place.project),
          };
          const written =
            client === 'claude-code' ? withHook(null, installing) : withDenials(null, installing);
          for (const each of written === null ? [] : calls) {
            if (modelOf[client](written ?? '', each, place.project) !== 'deny') continue;
            const call = callOf(client, each, place.project);
            if (call === null) continue;
            refused += 1;
            const decisions = await Promise.all(policies.map((policy) => decisionOf(place, policy, call)));
            expect([each, decisions]).toEqual([each, expect.arrayContaining(['blocked'])]);
          }
        }),
        explore(1000),
      );
      expect(refused).toBeGreaterThan(0);
    },
  );

  it('reports rules that are stricter, looser or lost', () => {
    const text = JSON.stringify({
      permissions: {
        allow: ['Bash(git * main)', 'Read'],
        deny: ['Read(.env)', 'Bash(* --force)', 'Write(a/**)'],
      },
    });
    const { text: policy, notes } = importRules('claude-code', [
      { file: '/p/settings.json', text, isProject: true },
    ]);
    expect(notes.map(({ rule, how }) => `${how} ${rule}`)).toEqual([
      'looser Read(.env)',
      'not_at_all Write(a/**)',
      'stricter Bash(git * main)',
      'stricter Bash(* --force)',
      'stricter Read',
      'stricter reads of the project',
    ]);
    expect(policy).toContain('"path":["**/.env","**/.env/**"]');
  });

  it('compiles the rules that every client can express, and reports the rest', () => {
    const place = new HookPlace();
    const policy = loaded(
      place,
      [
        'version: 1',
        'default: needs_approval',
        'capabilities:',
        '  net.connect: { decision: pre_approved, match: { host: docs.example.com } }',
        '  content.untrusted: pre_approved',
        '  proc.exec: { id: no-rm, decision: blocked, match: { program: rm } }',
        '  fs.write: { id: no-env, decision: blocked, match: { path: "**/.env" } }',
        '  vcs.push: { id: no-push, decision: blocked }',
        '',
      ].join('\n'),
    );
    const compiled = (client: ClientName) =>
      compileRules(client, { policies: [policy], root: place.project });
    const claude = compiled('claude-code');
    expect(JSON.parse(claude.text)).toMatchObject({
      permissions: {
        allow: ['WebFetch(domain:docs.example.com)'],
        deny: ['Bash(rm:*)', 'Edit(//**/.env)', 'Bash(git push:*)'],
      },
    });
    expect(claude.notes).toContainEqual(expect.objectContaining({ rule: 'no-push', how: 'looser' }));
    expect(compiled('codex').text).toContain('prefix_rule(pattern = ["rm"], decision = "forbidden")');
    expect(compiled('gemini').text).toContain('commandPrefix = "git push"');
    expect(compiled('copilot').text).toContain("--deny-tool 'shell(rm:*)'\n");
    expect(JSON.parse(compiled('opencode').text)).toMatchObject({
      permission: { bash: { '*': 'ask', 'rm *': 'deny' } },
    });
    for (const client of ['codex', 'gemini', 'copilot'] as const)
      expect(compiled(client).notes).toContainEqual(
        expect.objectContaining({ rule: 'no-env', how: 'looser' }),
      );
  });

  it('denies paths outside the git work tree in opencode, or reports that it cannot', () => {
    const { text, notes } = compileOutside(['/data/**', '~/kept/**', '/a/*/b', './in/**']);
    expect(JSON.parse(text)).toMatchObject({
      permission: {
        read: { '/data/*': 'deny', '../../data/*': 'deny', '../data/*': 'deny', 'data/*': 'deny' },
        external_directory: 'ask',
      },
    });
    const lost = notes.filter(({ why }) => why.includes('work tree')).map(({ rule }) => rule);
    expect(lost.map((rule) => rule.slice(rule.lastIndexOf(' ') + 1))).toEqual(['~/kept/**', '/a/*/b']);
  });

  it('derives no rule about servers from outside folders in opencode settings', () => {
    for (const [decision, how] of [
      ['deny', 'looser'],
      ['allow', 'stricter'],
    ] as const) {
      const permission = { external_directory: { '/data/*': decision }, read: 'allow' };
      const file = { file: 'opencode.json', text: JSON.stringify({ permission }), isProject: true };
      const { rules, notes } = opencodeRules.read([file]);
      expect(rules.map(({ subject }) => subject)).toEqual([{ about: 'read', globs: ['./**'] }]);
      expect(notes).toEqual([
        {
          rule: `external_directory: /data/*: "${decision}"`,
          how,
          why: 'calls outside the project ask',
        },
      ]);
    }
  });

  it('refuses unreadable settings', () => {
    const read = (client: ClientName, file: string, text: string) => () =>
      importRules(client, [{ file, text, isProject: false }]);
    expect(read('claude-code', 'a.json', '[]')).toThrow('a.json is not a JSON object');
    expect(read('claude-code', 'a.json', '{"permissions":{"deny":[1]}}')).toThrow('not text');
    expect(read('codex', 'a.rules', 'for x in y: prefix_rule()')).toThrow('more than calls');
    expect(read('codex', 'a.rules', 'prefix_rule(pattern=["a"], decision="maybe")')).toThrow(
      'cannot be read',
    );
    expect(read('gemini', 'a.toml', '[[rule]]\ntoolName = "x"')).toThrow('no decision');
    expect(read('opencode', 'a.json', '{"permission":{"bash":"sometimes"}}')).toThrow('not a decision');
  });
});

function compileOutside(globs: readonly string[]) {
  const ask = Object.fromEntries(kinds.map((kind) => [kind, 'ask'])) as CompiledRules['rest'];
  const subject = { about: 'read', globs } as const;
  return opencodeRules.write({ rest: ask, rules: [{ decision: 'deny', subject, from: 'r' }], root: '/w/p' });
}
