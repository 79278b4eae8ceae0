import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, isDeep } from '../../../test/depth.js';
import type { ClientName } from '../src/clients/client-call.js';
import { compileRules, denialsOf, type Installing, importRules } from '../src/index.js';
import { withDenials } from '../src/install/rules-file.js';
import { withHook } from '../src/install/settings.js';
import { opencodeRules } from '../src/rules/opencode-rules.js';
import { type CompiledRules, kinds } from '../src/rules/static-rule.js';
import {
  blocks,
  callOf,
  clients,
  decidedOf,
  fileOf,
  loaded,
  modelOf,
  policyText,
  settings,
  settingsIn,
  tryDrawn,
} from './drawn-rules.js';
import { HookPlace } from './place.js';

describe('rules of clients', () => {
  it.each(clients)(
    'an imported policy never allows a call that the settings of %s would not',
    async (client) => {
      const place = new HookPlace();
      await tryDrawn(settings[client], async (text, calls) => {
        const file = settingsIn(place, client, text);
        const policy = loaded(place, importRules(client, [file]).text);
        for (const each of calls) {
          const call = callOf(client, each, place.project);
          if (call === null || (await decidedOf(place, policy, call)).decision !== 'pre_approved') continue;
          expect([each, modelOf[client](text, each, place.project)]).toEqual([each, 'allow']);
        }
      });
    },
  );

  it('an imported policy allows calls that the settings allow', async () => {
    const place = new HookPlace();
    const texts: Readonly<Record<Exclude<ClientName, 'copilot'>, string>> = {
      'claude-code': '{"permissions":{"allow":["Bash(npm run test:*)"]}}',
      codex: 'prefix_rule(pattern = ["npm", "run", "test"], decision = "allow")',
      gemini:
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm run test"\ndecision = "allow"\npriority = 1',
      opencode: '{"permission":{"bash":{"*":"ask","npm run test *":"allow"}}}',
    };
    for (const client of ['claude-code', 'codex', 'gemini', 'opencode'] as const) {
      const file = settingsIn(place, client, texts[client]);
      const policy = loaded(place, importRules(client, [file]).text);
      const call = callOf(client, { kind: 'shell', command: 'npm run test -- -x' }, place.project);
      expect([client, call && (await decidedOf(place, policy, call)).decision]).toEqual([
        client,
        'pre_approved',
      ]);
    }
  });

  it.each(clients)(
    'rules that a hook of %s installs refuse only calls that the policy blocks',
    async (client) => {
      const place = new HookPlace();
      let refused = 0;
      await tryDrawn(
        policyText,
        async (text, calls) => {
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
            const judged = await Promise.all(policies.map((policy) => decidedOf(place, policy, call)));
            const decisions = judged.map(({ decision }) => decision);
            expect([each, decisions]).toEqual([each, expect.arrayContaining(['blocked'])]);
          }
        },
        1000,
        isDeep ? undefined : 15,
      );
      expect(refused).toBeGreaterThan(0);
    },
  );

  const piece = fc.constantFrom(
    ...'/ // ** * ~/ . .. a b.c ? : \\ " \u200b \u0000 - 0x10 xn-- example.com'.split(' '),
  );
  const oddText = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
  const odd: Readonly<Record<ClientName, (text: string, said: 0 | 1) => string>> = {
    'claude-code': (text, said) =>
      JSON.stringify({
        permissions: {
          [['allow', 'deny'][said] ?? '']: ['Bash', 'Read', 'Edit', 'Agent'].map(
            (tool) => `${tool}(${text})`,
          ),
        },
      }),
    codex: (text, said) =>
      `prefix_rule(pattern=[${JSON.stringify(text)}], decision="${['allow', 'forbidden'][said]}")`,
    gemini: (text, said) =>
      `[[rule]]\nmcpName = ${JSON.stringify(text)}\ndecision = "${['allow', 'deny'][said]}"\npriority = 1\n`,
    copilot: (text, said) => JSON.stringify({ [['allowedUrls', 'deniedUrls'][said] ?? '']: [text] }),
    opencode: (text, said) =>
      JSON.stringify({ permission: { edit: { [text]: ['allow', 'deny'][said] }, bash: { [text]: 'deny' } } }),
  };
  it.each(clients)('make a policy that loads, whatever their texts in %s', async (client) => {
    const place = new HookPlace();
    fc.assert(
      fc.property(oddText, fc.constantFrom(0, 1), (text, said) => {
        const file = { file: fileOf[client], text: odd[client](text, said), isProject: client !== 'codex' };
        loaded(place, importRules(client, [file]).text);
      }),
      explore(4000),
    );
  });

  it.each(['~/**', '//**', '~/**/'])(
    'refuse all files of a folder that is always there: %s',
    async (pattern) => {
      const place = new HookPlace();
      const text = JSON.stringify({ permissions: { deny: [`Read(${pattern})`] } });
      const policy = loaded(place, importRules('claude-code', [{ file: 'x', text, isProject: true }]).text);
      const call = callOf('claude-code', { kind: 'read', path: '../home/a' }, place.project);
      expect(call && (await decidedOf(place, policy, call)).decision).toBe('blocked');
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
      expect(rules.map(({ subject }) => subject)).toEqual([
        { about: 'read', globs: ['./**'], lacks: 'operation' },
      ]);
      expect(notes).toEqual([
        {
          rule: `external_directory: /data/*: "${decision}"`,
          how,
          why: 'calls outside the project ask',
        },
      ]);
    }
  });

  it.each([
    '{"bash":"ask","*":"deny"}',
    '{"bash":{"sleep *":"ask"},"*":"deny"}',
    '{"tiny_*":"ask","*":"deny"}',
    '{"*":"deny","tiny_*":"ask"}',
  ])('refuses what opencode refuses, although an earlier rule asks: %s', async (permission) => {
    const place = new HookPlace();
    const file = settingsIn(place, 'opencode', `{"permission":${permission}}`);
    const policy = loaded(place, importRules('opencode', [file]).text);
    for (const drawn of [
      { kind: 'shell', command: 'sleep 1' },
      { kind: 'server', server: 'big', tool: 'read' },
    ] as const) {
      const call = callOf('opencode', drawn, place.project);
      expect(call && (await decidedOf(place, policy, call)).decision).toBe('blocked');
    }
  });

  it.each([
    ['claude-code', 'a.json', '[]', '1:1: not a JSON object'],
    ['claude-code', 'a.json', '{\n  "permissions" {}}', '2:17: not JSON: colon expected'],
    ['claude-code', 'a.json', '{"permissions":\n{"deny":["Bash", 1]}}', '2:18: this rule is not text'],
    ['claude-code', 'a.json', '{"permissions": 1}', '1:17: Claude Code ignores these settings'],
    [
      'claude-code',
      'a.json',
      '{"permissions":\n {"ask": "Bash"}}',
      '2:10: Claude Code ignores these settings',
    ],
    ['claude-code', 'a.json', '{\n "model": 5}', '2:11: Claude Code ignores these settings'],
    ['claude-code', 'a.json', '{"hooks":\n {"PreToolUse": [1]}}', '2:2: Claude Code ignores these settings'],
    ['claude-code', 'a.json', '{} // mine', '1:4: not JSON: invalid comment token'],
    ['claude-code', 'a.json', '{"permissions":{},}', '1:19: not JSON: property name expected'],
    ['codex', 'a.rules', '\n# x)\n for x in y: prefix_rule()', '3:2: not a call of `prefix_rule`'],
    ['codex', 'a.rules', 'prefix_rule(pattern=["a"], decision="maybe")', '1:1: this rule cannot be read'],
    ['codex', 'a.rules', 'prefix_rule(pattern=[["a", 1]])', '1:1: this rule cannot be read'],
    ['codex', 'requirements.toml', '[rules]\nprefix_rules = 1', '2:1: `prefix_rules` is not a list'],
    [
      'codex',
      'requirements.toml',
      '[rules]\nprefix_rules = [{ decision = "x" }]',
      '2:1: this rule cannot be read',
    ],
    ['codex', 'config.toml', 'a = 1\nb =', '2:4: not TOML: invalid value'],
    ['gemini', 'a.toml', 'rule = 1', '1:1: `rule` is not a list of tables'],
    [
      'gemini',
      'a.toml',
      '[[rule]]\ndecision = "deny"\n[[rule]]\ntoolName = "x"',
      '3:1: this rule has no decision',
    ],
    ['gemini', 'settings.json', '{"tools": /* x */ ]}', '1:19: not JSON: value expected'],
    ['copilot', 'settings.json', '', '1:1: not JSON: value expected'],
    ['opencode', 'a.json', '{"permission":\n{"bash":"sometimes"}}', '2:9: not a decision: "sometimes"'],
    ['opencode', 'a.json', '{"permission":{"bash":{"a":\n1}}}', '2:1: not a decision: 1'],
    ['opencode', 'a.json', '{"permission":\n1}', '2:1: `permission` is not an object'],
  ] as const)(
    'refuses unreadable settings of %s with a place and a hint: %s, %j',
    (client, file, text, said) => {
      const read = () => importRules(client, [{ file, text, isProject: false }]);
      expect(read).toThrow(`${file}:${said}`);
      expect(read).toThrow(expect.objectContaining({ hint: expect.stringMatching(/./) }));
    },
  );
});

function compileOutside(globs: readonly string[]) {
  const ask = Object.fromEntries(kinds.map((kind) => [kind, 'ask'])) as CompiledRules['rest'];
  const subject = { about: 'read', globs } as const;
  return opencodeRules.write({ rest: ask, rules: [{ decision: 'deny', subject, from: 'r' }], root: '/w/p' });
}
