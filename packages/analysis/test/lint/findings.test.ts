import { formatDiagnostics } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { codesIn, findingsIn } from './findings.js';

const head = 'version: 1\ndefault: needs_approval\n';

/** The codes for these rules under `capabilities:`, each with its line, the first rule's being 4. */
async function under(capabilities: string): Promise<readonly string[]> {
  const lines = capabilities.trim().split('\n');
  const codes = await codesIn(`${head}capabilities:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  return codes.map((code) => code.replace(/:\d+/, ''));
}

describe('lint', () => {
  it('reports the problem, its place and a help line', async () => {
    const policy = `${head}capabilities:
  net: blocked
  net.connect:
    - decision: pre_approved
      match: { host: a.example }
  fs.write:
    - { id: one, decision: blocked, match: { path: [/w/**, /x] } }
    - { id: two, decision: blocked, match: { path: /w/**/*.md } }
`;
    expect(
      formatDiagnostics(await findingsIn(policy)),
    ).toBe(`policy.yaml:6:17 OVERRIDDEN_PERMISSION this permits nothing: wherever it applies, \`capabilities.net\` (policy.yaml:4:3) is stricter
  6 |     - decision: pre_approved
    |                 ^^^^^^^^^^^^
help: an exception is written inside the rule that it excepts (\`except:\`)

policy.yaml:10:28 SHADOWED_RULE this never decides anything: wherever it applies, \`one\` (policy.yaml:9:7) says blocked
  10 |     - { id: two, decision: blocked, match: { path: /w/**/*.md } }
     |                            ^^^^^^^
help: a restriction covers the names under its own; remove one of the two`);
  });

  it('names the line of a rule whose file has a long path', async () => {
    const file = `${'a-long-folder/'.repeat(8)}team.yaml`;
    const policy = `${head}extends: [${file}]\ncapabilities: { net.connect: pre_approved }\n`;
    const found = await findingsIn(policy, { [file]: `${head}capabilities:\n  net.connect: blocked\n` });
    expect(found.map(({ message }) => message)).toEqual([
      `this permits nothing: wherever it applies, \`capabilities.net.connect\` (${file}:4:3) is stricter`,
    ]);
  });
});

describe('lint reports as without effect', () => {
  it.each([
    ['a stricter rule above', 'net: blocked\nnet.connect: needs_approval', ['5 SHADOWED_RULE']],
    ['a stricter rule below', 'net.connect: blocked\nnet: needs_approval', []],
    ['a name with a common prefix', 'fs.write: blocked\nfs.writeback: needs_approval', []],
    ['a permission above', 'fs.write: pre_approved\nfs.write.outside: pre_approved', []],
    [
      'a permission above that reaches below',
      'fs.write: { decision: pre_approved, below: true }\nfs.write.outside: pre_approved',
      ['5 SHADOWED_RULE'],
    ],
    [
      'a stricter rule with a condition',
      'net: { decision: blocked, match: { port: 25 } }\nnet.connect: needs_approval',
      [],
    ],
    [
      'a stricter rule with a wider condition',
      'net: { decision: blocked, match: { port: { to: 99 } } }\nnet.connect: { decision: needs_approval, match: { port: [25, 80] }, reason: no }',
      ['5 SHADOWED_RULE'],
    ],
    [
      'a stricter rule with an exception',
      'net: { decision: blocked, except: { port: 25 } }\nnet.connect: { decision: needs_approval, match: { port: 80 }, reason: no }',
      ['5 SHADOWED_RULE'],
    ],
    [
      'a stricter rule with an exception inside it',
      'net: { decision: blocked, except: { port: 25 } }\nnet.connect: { decision: needs_approval, match: { port: [25, 80] }, reason: no }',
      [],
    ],
    [
      'equal rules in different spellings',
      'fs.write:\n  - { decision: blocked, match: { path: ["/w/a/**", "/w/b/*"] } }\n  - { decision: blocked, match: { path: ["/w/b/*", "/w/a/**", "/w/a/b"] } }',
      ['6 REPEATED_RULE'],
    ],
    [
      'a condition that implies the stricter one',
      'x.y: { decision: blocked, when: { ">": [{ var: capability.amount }, 5] } }\nx.y.z: { decision: needs_approval, when: { ">": [{ var: capability.amount }, 9] }, reason: no }',
      ['5 SHADOWED_RULE'],
    ],
    [
      'an equal rule with a reason of its own',
      'fs: blocked\nfs.write: { decision: blocked, reason: nobody writes }',
      [],
    ],
    [
      'a question for a person under one for anybody',
      'x.y: needs_approval\nx.y.z: { decision: needs_approval, answer: person }',
      [],
    ],
    [
      'a question for anybody under one for a person',
      'x.y: { decision: needs_approval, answer: person }\nx.y.z: { decision: needs_approval, match: { a: b } }',
      ['5 SHADOWED_RULE'],
    ],
    ['an observed rule', 'net: { decision: blocked, observe: true }\nnet.connect: pre_approved', []],
    [
      'an observed rule under a blocking one',
      'net: blocked\nnet.connect: { decision: pre_approved, observe: true }',
      [],
    ],
    ['a capability that the built-in policy blocks', 'sys.guard: pre_approved', ['4 OVERRIDDEN_PERMISSION']],
    [
      'a capability that the built-in policy does not block',
      'sys: { decision: pre_approved, below: true }',
      [],
    ],
    [
      'a permission that ends before an equal one',
      'x.y:\n  - { decision: pre_approved, until: 2030-01-01T00:00:00Z }\n  - { decision: pre_approved, until: 2029-01-01T00:00:00Z }',
      ['6 SHADOWED_RULE'],
    ],
  ])('%s', async (_, capabilities, codes) => {
    expect(await under(capabilities)).toEqual(codes);
  });

  it('a worker’s permission under a general block, but not a worker’s repeated block', async () => {
    const rest =
      'capabilities: { net: blocked }\nworkers:\n  w: { capabilities: { net.connect: DECISION } }\n';
    expect(await codesIn(`${head}${rest.replace('DECISION', 'pre_approved')}`)).toEqual([
      '5:37 OVERRIDDEN_PERMISSION',
    ]);
    expect(await codesIn(`${head}${rest.replace('DECISION', 'needs_approval')}`)).toEqual([
      '5:37 SHADOWED_RULE',
    ]);
    expect(await codesIn(`${head}${rest.replace('DECISION', 'blocked')}`)).toEqual([]);
  });

  it('a permission that another file blocks, but not one that it only asks about', async () => {
    const file = `version: 1\nextends: [org.yaml]\ndefault: needs_approval\ncapabilities: { net.connect: pre_approved }\n`;
    const org = (decision: string) => ({ 'org.yaml': `${head}capabilities: { net: ${decision} }\n` });
    expect(await codesIn(file, org('blocked'))).toEqual(['4:30 OVERRIDDEN_PERMISSION']);
    expect(await codesIn(file, org('needs_approval'))).toEqual([]);
  });

  it('a combination of blocked capabilities, and a repeated combination', async () => {
    const together = (list: string) => `together:\n  - { decision: blocked, capabilities: ${list} }\n`;
    const blocked = `${head}capabilities: { secret: blocked, net: blocked, proc.exec.opaque: needs_approval }\n`;
    expect(await codesIn(`${blocked}${together('[secret.read, net.connect]')}`)).toEqual([
      '5:17 SHADOWED_RULE',
    ]);
    expect(await codesIn(`${blocked}${together('[secret.read, x.send]')}`)).toEqual([]);
    const opaque = `${head}capabilities: { proc.exec.opaque: needs_approval }\n`;
    const twice = '  - { decision: blocked, capabilities: [net.connect, secret.read] }\n';
    expect(await codesIn(`${opaque}${together('[secret.read, net.connect]')}${twice}`)).toEqual([
      '6:17 REPEATED_RULE',
    ]);
    const inRun = '  - { decision: blocked, within: run, capabilities: [net.connect, secret.read] }\n';
    expect(await codesIn(`${opaque}${together('[secret.read, net.connect]')}${inRun}`)).toEqual([
      '5:17 SHADOWED_RULE',
    ]);
  });

  it('a rule that repeats the default, if no other rule is looser', async () => {
    const blocked = 'version: 1\ndefault: blocked\ncapabilities:\n';
    expect(await codesIn(`${blocked}  net: blocked\n`)).toEqual(['4:8 NEEDLESS_RULE']);
    expect(
      await codesIn(
        `${blocked}  net: blocked\n  net.connect: { decision: needs_approval, match: { port: 1 } }\n`,
      ),
    ).toEqual(['5:28 SHADOWED_RULE']);
    expect(
      await codesIn(
        `${blocked}  net.connect: { decision: blocked, match: { port: 1 } }\n  net: needs_approval\n`,
      ),
    ).toEqual([]);
    expect(
      await under('x.pay: { decision: needs_approval, when: { ">": [{ var: capability.amount }, 9] } }'),
    ).toEqual(['4 NEEDLESS_RULE']);
    expect(
      await under(
        'x.pay: { decision: needs_approval, answer: person, when: { ">": [{ var: capability.amount }, 9] } }',
      ),
    ).toEqual([]);
    expect(await under('x.pay: needs_approval')).toEqual([]);
  });
});

describe('conditions', () => {
  const x = '{ var: capability.x }';
  it.each([
    ['true', 'always true'],
    ['{ "==": [1, 2] }', 'never true'],
    ['{ "+": [1, 2] }', 'always undecided'],
    [`{ missing: [capability.x] }`, 'always undecided'],
    [`{ cat: [${x}, a] }`, 'always undecided'],
    ['{ "==": [{ var: capability.name }, x.y] }', 'always true'],
    ['{ "==": [{ var: capability.name }, x.z] }', 'never true'],
    [`{ and: [{ "<": [${x}, 5] }, { ">": [${x}, 5] }] }`, 'never true'],
    [`{ and: [{ "<=": [${x}, 5] }, { and: [{ "<": [6, ${x}] }, true] }] }`, 'never true'],
    [`{ and: [{ "==": [${x}, a] }, { "==": [b, ${x}] }] }`, 'never true'],
    [`{ and: [{ in: [${x}, [1, 2]] }, { ">": [${x}, 2] }] }`, 'never true'],
    [`{ and: [false, { "==": [${x}, 1] }] }`, 'never true'],
    [`{ "!": [{ or: [true, ${x}] }] }`, 'never true'],
    [`{ or: [true, ${x}] }`, 'always true'],
    [`{ and: [{ "<=": [${x}, 5] }, { ">=": [${x}, 5] }] }`, null],
    [`{ and: [{ "<": [${x}, 5] }, { ">": [{ var: capability.z }, 5] }] }`, null],
    [`{ and: [{ "<": [{ var: [capability.x, 9] }, 5] }, { ">": [${x}, 5] }] }`, 'never true'],
    [`{ and: [{ "<": [{ var: [capability.x, 1] }, 5] }, { "!": [{ ">": [${x}, 5] }] }] }`, null],
    [`{ and: [{ in: [${x}, [a, b]] }, { "!=": [${x}, a] }, { "!=": [b, ${x}] }] }`, 'never true'],
    [`{ or: [{ "<": [${x}, 5] }, { ">=": [${x}, 5] }] }`, null],
    [`{ and: [{ in: [${x}, [1, 2]] }, { ">": [${x}, 1] }] }`, null],
    [`{ "!!": [{ missing: [capability.x] }] }`, null],
    [x, null],
  ])('%s: %s', async (when, said) => {
    const found = await findingsIn(
      `${head}capabilities: { x.y: { decision: pre_approved, when: ${when} } }\n`,
    );
    const expected = said === null ? [] : [['CONSTANT_CONDITION', expect.stringContaining(said)]];
    expect(found.map(({ code, message }) => [code, message])).toEqual(expected);
  });

  it('says that a number is in no list of texts', async () => {
    const when = '{ in: [{ var: capability.port }, ["443", "80"]] }';
    const found = await findingsIn(
      `${head}capabilities: { net.connect: { decision: pre_approved, when: ${when} } }\n`,
    );
    expect(found.map(({ help }) => help)).toEqual([
      'a number is never in a list of texts: write it without quotes',
    ]);
  });

  it('does not suggest to remove a permission that turns off the question about opaque programs', async () => {
    const rules = 'net: blocked\n  proc.exec.opaque: { decision: pre_approved, when: false }\n';
    const found = await findingsIn(`version: 1\ndefault: pre_approved\ncapabilities:\n  ${rules}`);
    expect(found.find(({ code }) => code === 'CONSTANT_CONDITION')?.help).toBe(
      'remove `when`: the rule turns off the question that is asked without it',
    );
  });

  it.each([
    ['{ path: /w/** }', '{ path: /w/** }', 'NEVER_APPLIES'],
    ['{ path: /w/a/* }', '{ path: ["/x", "/w/**"] }', 'NEVER_APPLIES'],
    ['{ path: /w/**, x: 1 }', '{ path: /w/** }', 'NEVER_APPLIES'],
    ['{ path: /w/** }', '{ path: /w/**, x: 1 }', null],
    ['{ path: /w/** }', '{ path: /w/a }', null],
    ['{ path: /w/** }', '{ path: /v/** }', 'IDLE_EXCEPTION'],
    ['{ path: /w/* }', '{ path: /w/a/* }', 'IDLE_EXCEPTION'],
    ['{ path: "**/*.md" }', '{ path: "**/.env" }', 'IDLE_EXCEPTION'],
    ['{ path: /w/** }', '{ path: "**/.git/**" }', null],
    ['{ size: { from: 5 } }', '{ size: { to: 4 } }', 'IDLE_EXCEPTION'],
    ['{ size: { from: 5 } }', '{ size: 5 }', null],
    ['{ size: 5 }', '{ size: ["5", 6] }', null],
  ])('match %s except %s: %s', async (match, except, code) => {
    const found = await findingsIn(
      `${head}capabilities: { x.y: { decision: pre_approved, match: ${match}, except: ${except} } }\n`,
    );
    expect(found.map((each) => each.code)).toEqual(code === null ? [] : [code]);
  });
});

describe('names', () => {
  it.each([
    ['sercet.read: blocked', 'secret.read'],
    ['sercet: blocked', 'secret'],
    ['fs.wirte: blocked', 'fs.write'],
    ['nte.connect: blocked', 'net.connect'],
    ['mesage.send: blocked', 'message.send'],
    ['workers.call: blocked', 'worker.call'],
    ['fs_write: blocked', 'fs.write'],
    ['net_connect: blocked', 'net.connect'],
    ['crm_read: blocked', null],
    ['crm.read: blocked', null],
    ['ps.read: blocked', null],
    ['node: blocked', null],
    ['secretary.read: blocked', null],
  ])('%s: %s', async (rule, meant) => {
    const found = await findingsIn(`${head}capabilities: { ${rule} }\n`);
    expect(found.map(({ code, help }) => [code, help?.includes(`\`${meant}\``)])).toEqual(
      meant === null ? [] : [['UNKNOWN_CAPABILITY', true]],
    );
  });

  it.each([
    ['shell.run', 'shell'],
    ['shell', 'shell'],
    ['filesystem.write_file', 'filesystem'],
    ['http.get', 'http'],
  ])('%s under `capabilities:` is about a tool', async (name, toolset) => {
    const found = await findingsIn(`${head}capabilities: { ${name}: blocked }\n`);
    expect(found.map(({ code, message, help }) => [code, message, help])).toEqual([
      [
        'UNKNOWN_CAPABILITY',
        `no known capability is called \`${name}\`: \`${toolset}\` is a toolset`,
        `rules about its tools are under \`tools:\`, for example \`${toolset}.*\``,
      ],
    ]);
  });

  it.each(['fs.read', 'net.connect', 'proc.exec.opaque', 'fs.*', 'net.*'])(
    '%s under `tools:` is a capability',
    async (name) => {
      const found = await findingsIn(`${head}tools: { ${name}: blocked }\n`);
      expect(found.map(({ code, help }) => [code, help])).toEqual([
        [
          'NO_SUCH_TOOL',
          `\`${name.replace('.*', '')}\` is a capability: write the rule under \`capabilities:\``,
        ],
      ]);
    },
  );

  it('are checked in combinations and invariants too', async () => {
    const policy = `${head}together:\n  - { decision: blocked, capabilities: [sercet.read, net.connect] }\ninvariants:\n  - { id: i, capabilities: [secret.read, { name: nte.connect }], never: pre_approved }\n`;
    const codes = await codesIn(policy);
    expect(codes.filter((code) => code.endsWith('UNKNOWN_CAPABILITY'))).toEqual([
      '4:41 UNKNOWN_CAPABILITY',
      '6:50 UNKNOWN_CAPABILITY',
    ]);
  });

  it.each([
    ['filesystem.read_fil', 'filesystem.read_file'],
    ['filesytem.read_file', 'filesystem.read_file'],
    ['filesytem.*', 'filesystem.*'],
    ['shell.rum', 'shell.run'],
    ['delegation.worker_cal', 'delegation.worker_call'],
    ['claude-code.bash', 'shell.run'],
    ['claude-code.Bash', 'shell.run'],
    ['claude-code.mcp__github__create_issue', 'mcp-github.create_issue'],
    ['codex.mcp__github__createIssue', 'mcp-github.create_issue'],
    ['claude-code.MultiEdit', 'filesystem.edit_file'],
    ['claude-code.WebFetch', 'claude-code.web_fetch'],
    ['gemini.run_shell_command', 'shell.run'],
    ['opencode.webfetch', 'opencode.web_fetch'],
    ['claude-code.web_fetch', null],
    ['claude-code.todo_write', null],
    ['claude-code.*', null],
    ['filesystem.*', null],
    ['filesystem.compare', null],
    ['shuttle.run', null],
    ['crm.export', null],
    ['worker.clerk', null],
  ])('the tool %s: %s', async (tool, meant) => {
    const found = await findingsIn(`${head}tools: { ${tool}: blocked }\n`);
    expect(found.map(({ code, help }) => [code, help])).toEqual(
      meant === null ? [] : [['NO_SUCH_TOOL', `did you mean \`${meant}\`?`]],
    );
  });

  it.each([
    ['claude', 'claude-code'],
    ['claude_code', 'claude-code'],
    ['gemini-cli', 'gemini'],
    ['github-copilot', 'copilot'],
    ['openai-codex', 'codex'],
    ['open-code', 'opencode'],
    ['mcp-gateway', 'gateway'],
    ['claude-code', null],
    ['opencode', null],
    ['claude-2', null],
    ['codexer', null],
  ])('the agent %s: %s', async (agent, meant) => {
    const found = await findingsIn(`${head}workers: { ${agent}: { capabilities: { fs: blocked } } }\n`);
    const help = `did you mean \`${meant}\`? Give a worker of your own another name`;
    expect(found.map((each) => [each.code, each.help])).toEqual(
      meant === null ? [] : [['NO_SUCH_AGENT', help]],
    );
  });

  it('of tools are checked wherever a policy names one', async () => {
    const policy = `${head}carries: { filesystem.read_fil: [crm.read] }\nworkers: { w: { tools: { filesystem.read_fil: blocked } } }\ngrants: { workers: [filesystem.read_fil] }\n`;
    expect(await codesIn(policy)).toEqual(['3:12 NO_SUCH_TOOL', '4:26 NO_SUCH_TOOL', '5:21 NO_SUCH_TOOL']);
  });

  it.each([
    ['fs.write: { decision: blocked, when: { "==": [{ var: capability.pth }, a] } }', ['4 FOREIGN_FACT']],
    [
      'fs.write: { decision: blocked, when: { "!!": [{ missing: [capability.pth, capability.path] }] } }',
      ['4 FOREIGN_FACT'],
    ],
    ['fs.write: { decision: blocked, match: { host: a.example } }', ['4 FOREIGN_FACT']],
    ['fs: { decision: blocked, match: { bytes: 1 } }', []],
    // Each capability of an agent's call may have it.
    ['fs.write: { decision: blocked, match: { agent: Code Reviewer } }', []],
    ['mine.read: { decision: blocked, match: { agent: Code Reviewer } }', []],
    ['fs.write: { decision: blocked, when: { "==": [{ var: capability.name }, fs.write] } }', []],
    ['fs.write: { decision: blocked, when: { "==": [{ var: args.pth }, a] } }', []],
    [
      'proc.exec: { decision: blocked, when: { some: [{ var: capability.argv }, { "==": [{ var: "" }, a] }] } }',
      [],
    ],
    ['crm.read: { decision: blocked, when: { "==": [{ var: capability.pth }, a] } }', []],
    ['a.b: { decision: pre_approved, when: { in: [boss, { var: chain }] } }', ['4 READS_CHAIN']],
    ['a.b: { decision: blocked, when: { "!=": [{ var: chain.0 }, boss] } }', ['4 READS_CHAIN']],
    ['a.b: { decision: blocked, when: { "!=": [{ var: worker }, boss] } }', []],
    ['proc.exec: { decision: blocked, match: { program: "git *" } }', ['4 NO_SUCH_PROGRAM']],
    ['proc.exec: { decision: blocked, match: { program: [git, npm test] } }', ['4 NO_SUCH_PROGRAM']],
    ['proc.exec: { decision: blocked, except: { program: npm run build } }', ['4 NO_SUCH_PROGRAM']],
    ['proc.exec: { decision: blocked, match: { program: [git, "git-*", "*sh", /opt/a b/run] } }', []],
    ['fs.read: { decision: blocked, match: { path: /caf\u00e9 } }', ['4 UNLIKELY_PATTERN']],
    ['fs.read: { decision: blocked, match: { path: /cafe\u0301 } }', ['4 UNLIKELY_PATTERN']],
    ['fs.read: { decision: blocked, match: { path: "/caf\\u00e9" } }', ['4 UNLIKELY_PATTERN']],
    ['fs.read: { decision: blocked, match: { path: [/caf\u00e9, "/cafe\\u0301"] } }', []],
    ['fs.read: { decision: pre_approved, match: { path: /caf\u00e9 } }', []],
    [
      'fs.read: { decision: pre_approved, match: { path: /x/** }, except: { path: /x/\u00e9 } }',
      ['4 UNLIKELY_PATTERN'],
    ],
    ['fs.read: { decision: blocked, match: { path: /\u65e5\u672c } }', []],
    ['sys.persist: { decision: blocked, match: { what: crom } }', ['4 FOREIGN_VALUE']],
    ['tool.call: { decision: blocked, match: { tool: WebFetch } }', ['4 FOREIGN_VALUE']],
    ['tool.call: { decision: blocked, match: { tool: claude-code.WebFetch } }', ['4 FOREIGN_VALUE']],
    ['tool.call: { decision: blocked, match: { tool: [app.send_mail, "*mail", "app.*"] } }', []],
    [
      'tool.call: { decision: blocked, when: { "==": [{ var: capability.tool }, mail] } }',
      ['4 FOREIGN_VALUE'],
    ],
    ['mcp.call: { decision: blocked, match: { tool: create_issue } }', []],
    ['sys: { decision: blocked, except: { what: [cron, clocks] } }', ['4 FOREIGN_VALUE']],
    ['sys.persist: { decision: blocked, match: { what: [cron, "*hooks*", own things] } }', []],
    ['crm.read: { decision: blocked, match: { what: crom } }', []],
    [
      'sys.persist: { decision: blocked, when: { "!": { "==": [crom, { var: capability.what }] } } }',
      ['4 FOREIGN_VALUE'],
    ],
    [
      'sys.admin: { decision: blocked, when: { in: [{ var: capability.what }, [clock, mount]] } }',
      ['4 FOREIGN_VALUE'],
    ],
    ['sys.persist: { decision: blocked, when: { in: [cro, { var: capability.what }] } }', []],
    ['sys.persist: { decision: blocked, when: { "==": [{ var: worker }, crom] } }', []],
  ])('facts: %s', async (rule, codes) => {
    expect(await under(rule)).toEqual(codes);
  });

  it('of facts are known if the policy itself adds them', async () => {
    const rule = 'capabilities: { fs.write: { decision: blocked, match: { team: a } } }\n';
    expect(await codesIn(`${head}${rule}carries: { crm.save: [{ name: fs.write, team: a }] }\n`)).toEqual([]);
  });

  it('with only refinements permit nothing, unless the policy itself adds them', async () => {
    expect(await under('net: pre_approved')).toEqual(['4 BARE_PERMISSION']);
    expect(await under('net: { decision: pre_approved, below: true }\nproc.exec: pre_approved')).toEqual([]);
    expect(
      await codesIn(`${head}capabilities: { net: pre_approved }\ncarries: { crm.sync: [net] }\n`),
    ).toEqual([]);
  });
});
