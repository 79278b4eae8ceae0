import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

/** Modules as an author would have them, in plain JavaScript. */
const module = (describing: string, more = '') => `
const input = {
  json: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  parse: (value) => (typeof value?.to === 'string' ? { ok: true, value: { to: value.to } } : { ok: false, problem: 'no to' }),
};
const send = { name: 'send', description: 'sends', input, describe: ({ to }) => (${describing}), execute: () => 'sent' };
export default { name: 'crm', tools: [send], capabilities: [{ name: 'crm.send', facts: { to: 'text' }, words: 'send to {to}' }] };
${more}`;

const good = '{ capabilities: [{ name: "crm.send", to }] }';
const folder = folderOf({
  'package.json': '{ "type": "module" }',
  'good.js': module(good, 'export const examples = { send: [{ to: "ada" }] };'),
  'silent.js': module('{ capabilities: [] }'),
  'own.js': `
const input = { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) };
export const exampleConfiguration = { region: 'eu' };
export const examples = { look: [{}] };
export function configure({ region }) {
  if (region === undefined) throw new Error('a region is wanted');
  let connection = null;
  const execute = () => {
    if (connection === null) throw new Error('not entered');
    return connection;
  };
  const look = { name: 'look', description: 'looks', input, describe: () => (${good.replace(', to', '')}), execute };
  const enter = () => { connection = region; };
  return { name: 'crm', tools: [look], capabilities: [{ name: 'crm.send', facts: {}, words: 'send' }], enter };
}`,
  'unsure.js': module(good, 'export const configure = () => null;'),
  'empty.js': 'export const configure = () => null;',
  'none.js': 'export default 7;',
  // What Node throws for `export default {`: vitest would throw its own error.
  'unclosed.js': 'throw Object.assign(new SyntaxError("Unexpected token"), { stack: "at node:internal" });',
  'lacking.js': 'import "no-such-package";',
  'broken.js': 'throw new Error("no database\\nnowhere");',
  'other-examples.js': module(good, 'export const examples = { receive: [] };'),
  'no-examples.js': module(good, 'export const examples = { send: "x" };'),
});
symlinkSync(
  fileURLToPath(new URL('../../../../toolsets/node_modules', import.meta.url)),
  join(folder, 'node_modules'),
);
const run = (...words: readonly string[]) => ambit(['toolset', ...words], { folder });

describe('toolset check', () => {
  it('reports that a toolset passes, what was checked, and what was not', async () => {
    expect(await run('check', './good.js', '--runs', '20')).toEqual({
      exit: 0,
      out: `crm.send: 21 calls described

not checked: execution: it was not requested
not checked: what child processes and native code do: they were not confined, so only their start is seen

crm keeps the rules
`,
      err: '',
    });
  });

  it('executes the exported examples on request', async () => {
    const { exit, out } = await run('check', './good.js', '--execute', '--json', '--runs', '5');
    expect({ exit, ...(JSON.parse(out) as object) }).toMatchObject({
      exit: 0,
      findings: [],
      tools: [{ tool: 'send', described: 6, executed: 1, capabilities: { 'crm.send': ['to'] } }],
    });
  });

  it('checks a configured toolset with an example, and enters it to execute examples', async () => {
    const { exit, out } = await run('check', './own.js', '--execute', '--json', '--runs', '5');
    expect({ exit, ...(JSON.parse(out) as object) }).toMatchObject({
      exit: 0,
      findings: [],
      tools: [{ tool: 'look', executed: 1 }],
    });
  });

  it('exits with 1 and its findings', async () => {
    const { exit, out } = await run('check', './silent.js');
    expect(exit).toBe(1);
    expect(out).toContain('crm.send EMPTY it reports nothing, so a policy judges it as an unknown call\n');
    expect(out.endsWith('\n1 finding\n')).toBe(true);
  });

  it.each([
    ['./none.js', './none.js exports no toolset as its default: see defineToolset'],
    ['./broken.js', 'ambit: ./broken.js cannot be checked: no database\n'],
    ['./unclosed.js', '\nhint: `node --check FILE` names the line\n'],
    ['./lacking.js', '\nhint: npm install no-such-package, in the folder of the module\n'],
    ['./unsure.js', './unsure.js exports a toolset and `configure`: export one of them'],
    ['./empty.js', '`configure` of ./empty.js returned nothing, not a toolset: see defineToolset'],
    ['./nowhere.js', 'the module ./nowhere.js cannot be found'],
    ['no-such-package', 'the module no-such-package cannot be found'],
    ['none.js', 'the module none.js cannot be found\nhint: did you mean ./none.js?\n'],
    ['./other-examples.js', './other-examples.js has examples of `receive`, but no such tool: send'],
    ['./no-examples.js', './no-examples.js has examples of `send` that are not a list of arguments'],
  ])('exits with 2 if the module cannot be used: %s', async (name, why) => {
    const { exit, out, err } = await run('check', name);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain(why);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['--runs', '0'],
    ['--runs', 'x'],
    ['--seed', '-1'],
  ])('exits with 2 for %s %s', async (...flag) => {
    expect(await run('check', './good.js', ...flag)).toMatchObject({ exit: 2, out: '' });
  });
});

describe('toolset check --execute --confine', () => {
  const writing = (reported: string) => `
import { execFileSync } from 'node:child_process';
const input = { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) };
const path = process.cwd() + '/made/a';
const put = {
  name: 'put',
  description: 'puts',
  input,
  describe: () => ({ capabilities: [{ name: 'proc.exec', program: '/usr/bin/touch' }${reported}] }),
  execute: () => {
    execFileSync('/usr/bin/touch', [path], { stdio: 'pipe' });
    return null;
  },
};
export default { name: 'box', tools: [put], capabilities: [] };
export const examples = { put: [{}] };
`;
  const files = { 'package.json': '{ "type": "module" }', 'made/.keep': '' };

  it('detects an unreported write of a child process', async () => {
    const own = folderOf({
      ...files,
      'says.js': writing(", { name: 'fs.write', path }"),
      'hides.js': writing(''),
    });
    const before = process.cwd();
    process.chdir(own);
    try {
      const said = await ambit(['toolset', 'check', './says.js', '--execute', '--confine'], { folder: own });
      const hidden = await ambit(['toolset', 'check', './hides.js', '--execute', '--confine'], {
        folder: own,
      });
      if (said.out.includes('nothing here confines them')) {
        process.stderr.write(
          'toolset.test.ts: --confine is not tried: nothing on this machine confines processes\n',
        );
        return;
      }
      expect({ said: said.exit, hidden: hidden.exit }).toEqual({ said: 0, hidden: 1 });
      expect(hidden.out).toContain('box.put NOT_REPORTED executing fails when confined to what was reported');
    } finally {
      process.chdir(before);
    }
  });

  it('is refused without --execute', async () => {
    expect(await run('check', './good.js', '--confine')).toMatchObject({ exit: 2 });
  });
});

describe('toolset describe', () => {
  it('prints the table of capabilities of its tools', async () => {
    expect(await run('describe', './good.js')).toEqual({
      exit: 0,
      out: '| tool | reports | meaning |\n|---|---|---|\n| `crm.send` | `crm.send` `to` | send to _to_ |\n',
      err: '',
    });
  });
});

describe('toolset describe --write', () => {
  const head = '| tool | reports | meaning |\n|---|---|---|\n';
  const packed = (readme: string | null) => {
    const place = folderOf({
      'package.json': '{ "type": "module" }',
      'src/index.js': module(good),
      ...(readme === null ? {} : { 'README.md': readme }),
    });
    symlinkSync(join(folder, 'node_modules'), join(place, 'node_modules'));
    return place;
  };
  const describeIn = (place: string) =>
    ambit(['toolset', 'describe', './src/index.js', '--write'], { folder: place });

  it('replaces only the table in the README of the package', async () => {
    const place = packed(`# crm\n\n${head}| old | \`x\` | |\n\nMore, | with | bars |\n`);
    expect(await describeIn(place)).toMatchObject({ exit: 0, err: '' });
    expect(readFileSync(join(place, 'README.md'), 'utf8')).toBe(
      `# crm\n\n${head}| \`crm.send\` | \`crm.send\` \`to\` | send to _to_ |\n\nMore, | with | bars |\n`,
    );
  });

  it.each([
    ['a README without a table', '# crm\n', 'no table'],
    ['a README with two tables', `${head}\n${head}`, 'several tables'],
    ['no README', null, 'there is no'],
  ])('changes nothing in %s', async (_, readme, why) => {
    const place = packed(readme);
    const { exit, err } = await describeIn(place);
    expect(exit).toBe(2);
    expect(err).toContain(why);
    if (readme !== null) expect(readFileSync(join(place, 'README.md'), 'utf8')).toBe(readme);
  });
});

describe('--toolset', () => {
  const policy =
    'version: 1\ndefault: blocked\ncapabilities:\n  crm.send: { decision: pre_approved, match: { to: ada } }\n';
  const suite = `policy: policy.yaml
cases:
  - { name: ada, call: { tool: crm.send, args: { to: ada } }, expect: { decision: pre_approved } }
  - { name: bob, call: { tool: crm.send, args: { to: bob } }, expect: { decision: blocked } }
`;
  const place = folderOf({
    'package.json': '{ "type": "module" }',
    'crm.js': module(good),
    'twin.js': module(good),
    'shell.js': module(good).replace("name: 'crm'", "name: 'shell'"),
    'policy.yaml': policy,
    'crm.test.yaml': suite,
  });
  symlinkSync(join(folder, 'node_modules'), join(place, 'node_modules'));
  const call = (to: string) => JSON.stringify({ tool: 'crm.send', args: { to } });
  const run = (words: readonly string[], stdin = '') => ambit(words, { folder: place, stdin });

  it('describes calls with the code of the module, in decide, explain and test', async () => {
    const given = ['--toolset', './crm.js', '--policy', 'policy.yaml'];
    const { out } = await run(['decide', ...given], `${call('ada')}\n${call('bob')}\n`);
    const decisions = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { decision: string });
    expect(decisions.map(({ decision }) => decision)).toEqual(['pre_approved', 'blocked']);
    expect((await run(['explain', '--full', ...given, call('bob')])).out).toContain('crm.send to="bob"');
    expect(await run(['test', '--toolset', './crm.js'])).toMatchObject({ exit: 0 });
    // Without it, nothing describes the calls.
    expect(await run(['test'])).toMatchObject({ exit: 1 });
  });

  it.each([
    [['./crm.js', './twin.js'], 'another module has a toolset `crm` too'],
    [['./shell.js'], 'the name `shell` is reserved'],
    [['./nowhere.js'], 'the module ./nowhere.js cannot be found'],
  ])('refuses %j', async (modules, why) => {
    const words = modules.flatMap((module) => ['--toolset', module]);
    for (const command of ['decide', 'explain', 'check']) {
      const last = command === 'check' ? ['policy.yaml'] : ['--policy', 'policy.yaml'];
      const { exit, err } = await run([
        command,
        ...words,
        ...last,
        ...(command === 'explain' ? [call('ada')] : []),
      ]);
      expect(exit).toBe(2);
      expect(err).toContain(why);
    }
  });
});

describe('init --toolset', () => {
  it('writes a package with a toolset that passes, and a README with its capabilities', async () => {
    const { exit, out } = await ambit(['init', '--toolset', 'mail', 'mail-toolset'], { folder });
    expect({ exit, out }).toEqual({
      exit: 0,
      out: `wrote mail-toolset/package.json
wrote mail-toolset/index.js
wrote mail-toolset/index.test.js
wrote mail-toolset/policy.yaml
wrote mail-toolset/policy.test.yaml
wrote mail-toolset/README.md
next: cd mail-toolset
      npm install
      npm test
`,
    });
    expect(await run('check', './mail-toolset/index.js', '--execute')).toMatchObject({ exit: 0 });
    const inPackage = { folder: join(folder, 'mail-toolset') };
    expect(await ambit(['test', '--toolset', './index.js'], inPackage)).toMatchObject({ exit: 0 });
    const { out: table } = await run('describe', './mail-toolset/index.js');
    expect(readFileSync(join(folder, 'mail-toolset/README.md'), 'utf8')).toContain(table);
  });

  it('writes nothing if one of the files exists', async () => {
    const other = folderOf({ 'README.md': 'mine' });
    const { exit, err } = await ambit(['init', '--toolset', 'mail'], { folder: other });
    expect({ exit, err }).toEqual({
      exit: 2,
      err: 'ambit: README.md already exists; it is not replaced\nhint: name another folder: ambit init --toolset mail mail-toolset\n',
    });
    expect(existsSync(join(other, 'package.json'))).toBe(false);
  });

  it.each([
    ['Mail', '`Mail` is not a toolset name: [a-z][a-z0-9_-]*'],
    ['shell', 'the name `shell` is reserved'],
    ['mcp-x', 'the name `mcp-x` is reserved'],
    ['../x', '`../x` is not a toolset name: [a-z][a-z0-9_-]*'],
  ])('refuses the name %s', async (name, why) => {
    expect(await ambit(['init', '--toolset', name], { folder })).toMatchObject({
      exit: 2,
      err: `ambit: ${why}\nhint: for example: ambit init --toolset crm\n`,
    });
  });
});
