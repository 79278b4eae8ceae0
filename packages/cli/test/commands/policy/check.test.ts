import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineToolsets } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { clientNames } from '../../../../agents/src/clients/client-call.js';
import { clientOf } from '../../../../agents/src/clients/clients.js';
import { builtInTools } from '../../../../analysis/src/lint/names/tools.js';
import { agentTool } from '../../../../policy/src/grammar/agent-tools.js';
import { ambit, folderOf } from '../../host.js';

describe('check', () => {
  it('accepts a file only if it and all files that it extends load', async () => {
    const folder = folderOf({
      'a.yaml': 'version: 1\nextends: [b.yaml]\ndefault: blocked\n',
      'b.yaml': 'version: 1\ndefault: alow\n',
    });
    expect(await ambit(['check', 'a.yaml'], { folder })).toEqual({
      exit: 2,
      out: `b.yaml:2:10 UNKNOWN_DECISION \`alow\` is not a decision
  2 | default: alow
    |          ^^^^
help: pre_approved, needs_approval or blocked

a.yaml: does not load
`,
      err: '',
    });
    writeFileSync(join(folder, 'b.yaml'), 'version: 1\ndefault: blocked\n');
    expect(await ambit(['check', 'a.yaml'], { folder })).toEqual({
      exit: 0,
      out: 'a.yaml: ok, 0 rules\n',
      err: '',
    });
  });

  it('gives one JSON document with --json', async () => {
    const files = { 'a.yaml': 'version: 1\ndefault: blocked\n' };
    const { exit, out, err } = await ambit(['check', 'a.yaml', 'gone.yaml', '--json'], { files });
    expect([exit, err, JSON.parse(out)]).toMatchObject([
      2,
      '',
      {
        files: [
          { file: 'a.yaml', ok: true, rules: 0, diagnostics: [] },
          {
            file: 'gone.yaml',
            ok: false,
            rules: 0,
            diagnostics: [{ code: 'CANNOT_READ', line: 1, column: 1 }],
          },
        ],
      },
    ]);
  });

  it('names missing files as they were given', async () => {
    const { out } = await ambit(['check', 'gone.yaml', 'in/gone.worker']);
    expect(out).toBe(`gone.yaml:1:1 CANNOT_READ cannot read \`gone.yaml\`: there is no such file
help: name a regular file that you may read; \`ambit init\` writes a starter policy

gone.yaml: does not load
in/gone.worker:1:1 CANNOT_READ no such file or folder

in/gone.worker: does not load
`);
  });

  it('fails if there are findings, which change no decision', async () => {
    const files = {
      'a.yaml':
        'version: 1\nextends: [org.yaml]\ndefault: needs_approval\ncapabilities: { net.connect: pre_approved }\n',
      'org.yaml':
        'version: 1\ndefault: pre_approved\ncapabilities: { net: { id: no-net, decision: blocked }, proc.exec.opaque: blocked }\n',
    };
    const folder = folderOf(files);
    expect(await ambit(['check', 'a.yaml'], { folder })).toEqual({
      exit: 1,
      out: `a.yaml:4:30 OVERRIDDEN_PERMISSION this permits nothing: wherever it applies, \`no-net\` (org.yaml:3:17) is stricter
  4 | capabilities: { net.connect: pre_approved }
    |                              ^^^^^^^^^^^^
help: an exception is written inside the rule that it excepts (\`except:\`)

a.yaml: loads, 1 finding, 3 rules
`,
      err: '',
    });
    const call = '{"tool":"x.y","capabilities":["net.listen"]}\n';
    const decided = await ambit(['decide', '--policy', 'a.yaml'], { folder, stdin: call });
    expect([decided.exit, decided.err]).toEqual([0, '']);
  });

  it('reports rules that end soon', async () => {
    const policy = (end: number) =>
      `version: 1\ndefault: needs_approval\ncapabilities: { fs.read: { decision: pre_approved, until: ${new Date(end).toISOString()} } }\n`;
    const codes = async (days: number) => {
      const { out } = await ambit(['check', 'a.yaml', '--json'], {
        files: { 'a.yaml': policy(Date.now() + days * 86_400_000) },
      });
      return (JSON.parse(out) as { files: { diagnostics: { code: string }[] }[] }).files[0]?.diagnostics.map(
        ({ code }) => code,
      );
    };
    expect([await codes(-1), await codes(10), await codes(20)]).toEqual([['UNTIL_PAST'], ['UNTIL_NEAR'], []]);
  });

  it('knows the capabilities of a module with --toolset, and reports a failed load', async () => {
    const files = {
      'a.yaml': 'version: 1\ndefault: blocked\ncapabilities: { crm.contact.exprot: pre_approved }\n',
      'crm.mjs':
        'export default { name: "crm", tools: [], capabilities: [{ name: "crm.contact.export", facts: {}, words: "" }] };\n',
      'none.mjs': 'export default { name: "crm" };\n',
      'odd.mjs': 'export default { name: "crm", tools: [], capabilities: [7] };\n',
      'plain.mjs':
        'export default { name: "crm", tools: [{ name: "find", input: { type: "object" } }], capabilities: [] };\n',
      'bad.mjs': 'throw new Error("not today");\n',
    };
    const folder = folderOf(files);
    expect((await ambit(['check', 'a.yaml'], { folder })).exit).toBe(0);
    expect(await ambit(['check', 'a.yaml', '--toolset', './crm.mjs'], { folder })).toEqual({
      exit: 1,
      out: `a.yaml:3:17 UNKNOWN_CAPABILITY no known toolset reports a capability called \`crm.contact.exprot\`
  3 | capabilities: { crm.contact.exprot: pre_approved }
    |                 ^^^^^^^^^^^^^^^^^^
help: did you mean \`crm.contact.export\`?

a.yaml: loads, 1 finding, 1 rule
`,
      err: '',
    });
    for (const [module, why] of [
      [
        './gone.mjs',
        'the module ./gone.mjs cannot be found\nhint: give a path, ./tools/crm.js say, or an installed package',
      ],
      ['./none.mjs', './none.mjs exports no toolset as its default: see defineToolset'],
      ['./odd.mjs', './odd.mjs exports a toolset whose capabilities are not defined: see defineCapability'],
      ['./plain.mjs', './plain.mjs: the `input` of `find` checks no arguments: see defineTool'],
      ['./bad.mjs', 'not today'],
    ] as const)
      expect(await ambit(['check', 'a.yaml', '--toolset', module], { folder })).toEqual({
        exit: 2,
        out: '',
        err: `ambit: the toolset ${module} does not load: ${why}\n`,
      });
  });

  it('knows the existing tools', async () => {
    const toolsets = await lineToolsets('/', { environment: {}, policyFiles: [] });
    const there = toolsets.flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool.name}`)).sort();
    const known = Object.keys(builtInTools).filter((tool) =>
      toolsets.some(({ name }) => tool.startsWith(`${name}.`)),
    );
    expect([there.length > 5, known.sort()]).toEqual([true, there]);
  });

  it.each(clientNames)('knows what tools of %s are called in policies', (client) => {
    const tools = [...clientOf(client).tools].filter(([tool]) => !tool.startsWith('multi_agent_v1'));
    for (const [tool, { name }] of tools) {
      const own = `${client}.${tool}`;
      expect([own, agentTool(own)]).toEqual([own, name === own ? null : name]);
      expect([name, agentTool(name)]).toEqual([name, null]);
    }
  });

  it('checks worker files too', async () => {
    const worker = (toolsets: string) => `name: w\n${toolsets}: { filesystem: {} }\n---\nDo it.\n`;
    const files = { 'w.worker': worker('toolsets') };
    expect(await ambit(['check', 'w.worker'], { files })).toEqual({
      exit: 0,
      out: 'w.worker: ok\n',
      err: '',
    });
    const bad = await ambit(['check', 'w.worker'], { files: { 'w.worker': worker('tolsets') } });
    expect([bad.exit, bad.out]).toEqual([2, expect.stringMatching(/w\.worker:2:1 [A-Z_]+ .*tolsets/)]);
  });

  it('reports a misspelled capability beside the errors of a file that does not load', async () => {
    const policy =
      'version: 1\ndefault: needs_approval\ncapabilities:\n  fs.wirte: pre_approved\n  net: { decision: alow }\n';
    const { exit, out } = await ambit(['check', 'policy.yaml'], { files: { 'policy.yaml': policy } });
    expect([exit, out.match(/^policy\.yaml:.*|^help: .*/gm)]).toEqual([
      2,
      [
        'policy.yaml:5:20 UNKNOWN_DECISION `alow` is not a decision',
        'help: pre_approved, needs_approval or blocked',
        'policy.yaml:4:3 UNKNOWN_CAPABILITY unknown shared capability `fs.wirte`',
        'help: did you mean `fs.write`? begin your own names with your own prefix',
        'policy.yaml: does not load',
      ],
    ]);
  });
});

describe('ambit check for a worker with a root outside the working folder', () => {
  const rooted = (root: string) =>
    `sandbox: { paths: { there: { root: ${root}, mode: ro } } }\ntoolsets: { filesystem: {} }\n---\nRead.\n`;

  it('reports it with its place and help, and the worker stays usable', async () => {
    const folder = folderOf({ 'w.worker': rooted('/etc') });
    expect(await ambit(['check', 'w.worker'], { folder })).toEqual({
      exit: 0,
      err: '',
      out: `w.worker:1:21 the root \`there\` lies outside the working folder: /etc
help: its files are \`fs.read.outside\` and the like, unless \`run\` is given --folder there=DIR

w.worker: ok
`,
    });
    const { out } = await ambit(['check', 'w.worker', '--json'], { folder });
    expect(JSON.parse(out)).toMatchObject({
      files: [{ ok: true, notes: [expect.stringContaining('/etc')] }],
    });
  });

  it.each([
    [rooted('.'), []],
    [rooted('/etc'), ['--folder', 'there=/etc']],
  ])('reports nothing if it lies inside, or a person sets it', async (text, argv) => {
    const ran = await ambit(['check', 'w.worker', ...argv], { files: { 'w.worker': text } });
    expect(ran).toEqual({ exit: 0, err: '', out: 'w.worker: ok\n' });
  });
});

describe('ambit check --folder for a root that no worker has', () => {
  it.each([
    [['w.worker'], 'the roots are there'],
    [['policy.yaml', 'w.worker'], 'the roots are there'],
    [['policy.yaml'], 'see `sandbox.paths` in the worker file'],
  ])('is refused for %j', async (argv, hint) => {
    const worker =
      'sandbox:\n  paths: { there: { root: ., mode: ro } }\ntoolsets: { filesystem: {} }\n---\nRead.\n';
    const files = { 'w.worker': worker, 'policy.yaml': 'version: 1\ndefault: blocked\n' };
    expect(await ambit(['check', ...argv, '--folder', 'their=.'], { files })).toEqual({
      exit: 2,
      err: `ambit: no worker has a root \`their\`\nhint: ${hint}\n`,
      out: expect.stringContaining(': ok'),
    });
  });
});

describe('ambit check for a worker with two roots that are one folder', () => {
  const rooted = (one: string, two: string) => `sandbox:
  paths:
    one: { root: ${one}, mode: ro }
    two: { root: ${two}, mode: rw }
toolsets: { filesystem: {} }
---
Read.
`;

  it.each([
    ['in', './in'],
    ['in', 'in/'],
    ['in', 'link'],
    ['new', './new/'],
  ])('reports %s and %s with the place, as `run` does', async (one, two) => {
    const folder = folderOf({ 'in/a.md': '', 'w.worker': rooted(one, two) });
    symlinkSync('in', join(folder, 'link'));
    const real = join(realpathSync(folder), one);
    expect(await ambit(['check', 'w.worker'], { folder })).toEqual({
      exit: 2,
      err: '',
      out: `w.worker:4:5 ROOTS_OVERLAP the roots \`one\` and \`two\` of w are one folder: ${real}
help: one root may lie in another, and then says what may be done there

w.worker: does not load
`,
    });
  });

  it('accepts a root within another one, and a root that --folder moves', async () => {
    const files = { 'in/a.md': '', 'w.worker': rooted('in', './in/deep') };
    expect((await ambit(['check', 'w.worker'], { files })).exit).toBe(0);
    const moved = { 'in/a.md': '', 'other/a.md': '', 'w.worker': rooted('in', './in') };
    expect((await ambit(['check', 'w.worker', '--folder', 'two=other'], { files: moved })).exit).toBe(0);
  });
});
