import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from './host.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\n',
  'run.jsonl': '',
  'settings.json': '{}',
  'run.toml': 'a b\n',
  'policy.test.yaml': 'policy: policy.yaml\n',
  'worker.mjs': 'export default {};\n',
};

/** The last lines of stderr, with the name of the folder left out. */
async function saidOf(words: string, more: Readonly<Record<string, string>> = {}) {
  const folder = folderOf({ ...files, ...more });
  mkdirSync(join(folder, 'dir.jsonl'));
  mkdirSync(join(folder, 'dir.worker'));
  const { exit, out, err } = await ambit(words.split(' '), {
    folder,
    environment: { AMBIT_HOME: join(folder, 'state') },
  });
  return { exit, said: `${out}${err}`.replaceAll(`${folder}/`, '') };
}

describe('a mistake in a call', () => {
  it.each([
    ['log tail rum.jsonl', 'ambit: rum.jsonl: no such file or folder\nhint: did you mean '],
    ['log tail gone.jsonl', 'ambit: gone.jsonl: no such file or folder\nhint: give one that exists\n'],
    ['init new --preset coding --preset ci', "argument 'ci' is invalid. It is coding already.\n"],
    ['hook install codex --approvals ambit --approvals client', 'It is ambit already.\n'],
    [
      'report run.jsonl --out gone/x.html',
      'ambit: gone/x.html: no such file or folder\nhint: the folder gone is missing\n',
    ],
    [
      'log prove dir.jsonl --head',
      'ambit: dir.jsonl is not a regular file\nhint: a log is a file NAME.jsonl\n',
    ],
    [
      'capabilities --root run.jsonl',
      'ambit: run.jsonl: is not a folder\nhint: give a path of which each part',
    ],
    [
      'import claude-code dir.jsonl',
      'ambit: dir.jsonl: it is a folder, not a regular file\nhint: give a regular file\n',
    ],
    ['import claude settings.json', 'hint: did you mean claude-code?\n'],
    ['toolset check ./gone.mjs', 'hint: give a path, ./tools/crm.js say, or an installed package\n'],
    [
      'init --toolset A',
      'ambit: `A` is not a toolset name: [a-z][a-z0-9_-]*\nhint: for example: ambit init --toolset crm\n',
    ],
    [
      'explain --policy policy.yaml --shell ls ls',
      'ambit: --shell takes the place of CALL\nhint: give one of them\n',
    ],
    [
      'explain --policy policy.yaml --log run.jsonl',
      'hint: give the number of a decision: ambit log tail run.jsonl\n',
    ],
    ['show --policy polcy.yaml', 'there is no such file; did you mean `policy.yaml`?\n'],
    ['check polcy.yaml', 'there is no such file; did you mean `policy.yaml`?\n'],
    [
      'check gone',
      'there is no such file\nhelp: name a regular file that you may read; `ambit init` writes a starter policy\n',
    ],
    ['prove X x policy.yaml', 'Expected the name of a worker: [a-z][a-z0-9_-]*.\n'],
    ['import codex run.toml', 'run.toml:1:3: not TOML'],
    ['check policy.test.yaml', 'this is a suite: ambit test policy.test.yaml\n'],
    ['explain --policy policy.yaml ls --zz', "hint: quote a command line with its options: ambit explain '"],
    ['explain --policy policy.yaml ', 'ambit: the argument CALL is empty\nhint: ambit explain --help\n'],
    ['explain ls --policy ', "ambit: the value of option '--policy <FILE>' is empty\n"],
    ['approvals refuse x', 'hint: there are list, show, approve, deny, kept, revoke\n'],
    ['gateway --policy policy.yaml --url x', 'hint: --url https://tools.example/mcp\n'],
    ['gateway --policy policy.yaml --config gone', 'hint: give a file that you may read\n'],
    [
      'hook install codex --dry-run --policy gone',
      'ambit: the policy gone cannot be read\nhint: give a file that exists\n',
    ],
    [
      'hook install codex --dry-run --approvals me',
      'ambit: --approvals cannot be `me`\nhint: client, ambit or defer\n',
    ],
    [
      'check dir.worker',
      'dir.worker:1:1 CANNOT_READ it is a folder, not a regular file\nhelp: a worker is a regular file',
    ],
  ])('is reported with its place and a hint: ambit %s', async (words, expected) => {
    expect(await saidOf(words)).toEqual({ exit: 2, said: expect.stringContaining(expected) });
  });

  it('warns once of a worker that no rule names', async () => {
    const why = 'ambit: no rule names the worker `x`; the rules for all workers judge it\n';
    for (const words of ['prove x x policy.yaml', 'show --policy policy.yaml --worker x'])
      expect((await saidOf(words)).said.split(why)).toHaveLength(2);
    expect((await saidOf('show --policy policy.yaml --worker x', { 'x.worker': '' })).said).not.toContain(
      why,
    );
    expect((await saidOf('show --policy policy.yaml --worker main')).said).not.toContain('no rule names');
  });

  it('suggests another file for a link to nothing', async () => {
    const folder = folderOf({ 'a.jsonl': '' });
    symlinkSync('nowhere', join(folder, 'b.jsonl'));
    expect((await ambit(['log', 'tail', 'b.jsonl'], { folder })).err).toContain(
      `did you mean ${join(folder, 'a.jsonl')}`,
    );
  });

  it('is a tool that a given toolset lacks: decide names the tools that it has', async () => {
    const tool =
      "{ name: 'note', description: 'n', input: { json: {}, parse: (value) => ({ ok: true, value }) }, ";
    const module = `export default { name: 'crm', capabilities: [], tools: [${tool}describe: () => ({ capabilities: [] }), execute: () => null }] };`;
    const folder = folderOf({ ...files, 'crm.mjs': module });
    const stdin = '{"tool": "crm.nota"}\n{"tool": "crm.nota"}\n';
    const words = ['decide', '--policy', 'policy.yaml', '--toolset', './crm.mjs'];
    expect((await ambit(words, { folder, stdin })).err).toBe(
      'ambit: there is no tool `crm.nota`: did you mean crm.note? there is crm.note\n',
    );
  });

  it.runIf(process.platform === 'linux')('names a log that cannot be written, and another way', async () => {
    const run = ['run', '--policy', 'policy.yaml', '--strict', '--model', 'script:script.yaml', 'w'];
    const worker = { 'w.worker': 'name: w\n---\nDo.\n', 'script.yaml': 'w: [{ say: done }]\n' };
    expect(await saidOf([...run, '--log', '/sys/ambit.jsonl'].join(' '), worker)).toEqual({
      exit: 2,
      said: expect.stringMatching(
        /^ambit: the log cannot be written: \/sys\/ambit\.jsonl: [a-z ]+\nhint: give another place for the log\n$/,
      ),
    });
  });

  it('says in words why a script cannot be read', async () => {
    const folder = folderOf({ ...files, 'w.worker': 'name: w\n---\nDo.\n' });
    symlinkSync('loop.yaml', join(folder, 'loop.yaml'));
    const run = ['run', '--policy', 'policy.yaml', '--strict', '--model', 'script:loop.yaml', 'w'];
    const { exit, err } = await ambit(run, { folder, environment: { AMBIT_HOME: join(folder, 'state') } });
    expect([exit, err]).toEqual([
      2,
      'loop.yaml:1:1 CANNOT_READ the script cannot be read: its links lead in a circle\n\nambit: nothing was done: 1 mistake\n',
    ]);
  });

  it('names the damaged log in the hint', async () => {
    const { exit, said } = await saidOf('log show c1 --log bad.jsonl', { 'bad.jsonl': '{"v":1}\n' });
    expect([exit, said.split('\n').at(-2)]).toEqual([1, 'hint: ambit log verify bad.jsonl']);
  });
});

describe('gateway pins list', () => {
  it('says on stderr that no server was started', async () => {
    expect(await ambit(['gateway', 'pins'], { files })).toMatchObject({ exit: 2 });
    expect(await ambit(['gateway', 'pins', 'list'], { files })).toEqual({
      exit: 0,
      out: '',
      err: 'no server was started here\n',
    });
  });
});
