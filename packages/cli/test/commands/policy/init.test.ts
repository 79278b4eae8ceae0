import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { presetNames } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/program.js';
import { ambit, folderOf } from '../../host.js';

const repository = {
  'package.json': '{"scripts": {"test": "vitest", "build": "tsc"}}',
  Makefile: 'lint:\n\teslint .\n',
};

/** The program at a terminal, where a person types this. */
const atTerminal = (argv: readonly string[], given: { readonly folder: string; readonly stdin: string }) =>
  ambit(argv, {
    ...given,
    run: (words, host) => {
      const [stdin, stderr] = [host.stdin, host.stderr].map((stream) =>
        Object.assign(stream, { isTTY: true }),
      ) as unknown as [typeof host.stdin, typeof host.stderr];
      return runProgram(words, { ...host, stdin, stderr });
    },
  });

describe('ambit init', () => {
  it.each(presetNames)(
    'writes the preset %s, which passes check and its suite of 40 cases',
    async (preset) => {
      const folder = folderOf(repository);
      expect(await ambit(['init', '--preset', preset], { folder })).toEqual({
        exit: 0,
        out: `wrote policy.yaml, preset ${preset}\nwrote policy.test.yaml, its suite\nwrote policy.schema.json, for editors\nnext: ambit check policy.yaml\n      ambit test policy.test.yaml\n      ambit show --policy policy.yaml\n      ambit run --policy policy.yaml WORKER\n      ambit trust policy.yaml, then ambit hook install CLIENT, for a coding agent\n`,
        err: '',
      });
      expect(await ambit(['check', 'policy.yaml'], { folder })).toEqual({
        exit: 0,
        out: expect.stringMatching(/^policy\.yaml: ok, \d+ rules, 2 examples\n$/),
        err: '',
      });
      expect(await ambit(['test'], { folder })).toEqual({
        exit: 0,
        out: 'policy.test.yaml: 40 passed\n',
        err: '',
      });
      expect(readFileSync(join(folder, 'policy.yaml'), 'utf8')).toContain('npm');
    },
  );

  it('writes the schema beside the policy, which refers to it without a network', async () => {
    const folder = folderOf();
    const { out } = await ambit(['init', 'new'], { folder });
    expect(out.split('\n')[0]).toBe('wrote new/policy.yaml, preset coding (--preset chooses another)');
    const named = /^# yaml-language-server: \$schema=(.*)\n/.exec(
      readFileSync(join(folder, 'new/policy.yaml'), 'utf8'),
    )?.[1];
    const { out: schema } = await ambit(['schema', 'policy']);
    expect(readFileSync(join(folder, 'new', named ?? ''), 'utf8')).toBe(schema);
  });

  it('overwrites no policy, suite or schema', async () => {
    const folder = folderOf({ 'policy.test.yaml': 'mine', 'policy.schema.json': 'mine' });
    const first = await ambit(['init'], { folder });
    expect([first.exit, first.out.split('\n').slice(1, 3)]).toEqual([
      0,
      ['policy.test.yaml', 'policy.schema.json'].map((file) => `${file} already exists; it is not replaced`),
    ]);
    expect(readFileSync(join(folder, 'policy.test.yaml'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'policy.schema.json'), 'utf8')).toBe('mine');
    const text = readFileSync(join(folder, 'policy.yaml'), 'utf8');
    expect(await ambit(['init', '--preset', 'locked'], { folder })).toEqual({
      exit: 2,
      out: '',
      err: 'ambit: policy.yaml already exists; it is not replaced\nhint: ambit check policy.yaml\n',
    });
    expect(readFileSync(join(folder, 'policy.yaml'), 'utf8')).toBe(text);
  });

  it.each([
    ['3\n', 'research'],
    ['locked\n', 'locked'],
    ['\n', 'coding'],
    ['all\nci\n', 'ci'],
  ])('asks in a terminal: %j chooses %s', async (stdin, preset) => {
    const folder = folderOf();
    const { exit, out, err } = await atTerminal(['init'], { folder, stdin });
    expect([exit, err.split('\n')[0]]).toEqual([0, 'Which policy?']);
    expect(out).toContain(`wrote policy.yaml, preset ${preset}`);
    expect(readFileSync(join(folder, 'policy.yaml'), 'utf8')).toContain(`# Preset \`${preset}\``);
  });

  it('writes nothing if the terminal closes without an answer', async () => {
    const folder = folderOf();
    const { exit, out, err } = await atTerminal(['init'], { folder, stdin: 'none\n' });
    expect([exit, out, err.split('\n').slice(-3)]).toEqual([
      2,
      '',
      [expect.stringMatching(/no preset was chosen; nothing was written$/), 'hint: --preset coding', ''],
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [['--preset', 'codng'], /'codng' is invalid.*coding, ci, research, locked/],
    [['--preset', 'ci', '--toolset', 'crm'], /cannot be used with/],
  ])('refuses %j', async (options, err) => {
    const folder = folderOf();
    const ran = await ambit(['init', ...options], { folder });
    expect([ran.exit, ran.out, ran.err]).toEqual([2, '', expect.stringMatching(err)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports where package.json is not JSON, and writes nothing', async () => {
    const folder = folderOf({ 'package.json': '{\n  "name": "a",\n}\n' });
    const { exit, out, err } = await ambit(['init'], { folder });
    expect([exit, out, err]).toEqual([
      2,
      '',
      expect.stringMatching(/^ambit: package\.json:3:1: not JSON: .*\nhint: fix it, .*\n$/),
    ]);
    expect(readdirSync(folder)).toEqual(['package.json']);
  });
});
