import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDeep, some } from '../../../test/depth.js';
import { build, examples, root, runNode, scratchFolder } from './run-example.js';

const sdk = join(
  process.env.REAL_CLIENTS ?? '/missing',
  'ccsdk/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
);
let folder = '';
let remove = async () => {};

beforeAll(build, 300_000);
beforeEach(async () => {
  ({ folder, remove } = await scratchFolder());
});
afterEach(() => remove());

/** Examples that take seconds, for a deep run. */
const long: [string, string][] = [
  ['working-day', 'a day of 12 conversations: 37 calls, 6 questions\n'],
  ['pipeline', 'one urgent ticket, two labels, and a letter that nobody was there to read\n'],
  ['from-code', 'the same program from the command line and from code, to the letter\n'],
];

const short: [string, string][] = [
  ['one-write', 'one write, one approval, and a log that holds both\n'],
  ['mcp-notes', 'one server, one note that was read, and nothing that burnt\n'],
  ['two-references', 'one toolset, two references, and neither sees the other\n'],
  ['two-environments', 'the same calls: in dev both ran, in ci the write was blocked\n'],
  ['nested-delegation', 'the same keeper, the same letter: cleared for the office, kept for the auditor\n'],
  ['bootstrapper', 'one worker made, read, changed and called, and it may do less than its maker\n'],
  [
    'code-analyser',
    'four files, two authors, two things to do, and nothing was run that the checkout asked for\n',
  ],
  ['coding-agent', 'one test fixed and committed after two answers, and nothing pushed\n'],
  ['file-organiser', 'five files moved, one by a person’s leave, and nothing lost\n'],
  ['support-agent', 'one mail sent, and none by a conversation that had read one\n'],
  ['data-analyst', '42 euros, one order dropped after a question, and no other database opened\n'],
  ['ci-job', 'one comment, nothing pushed, and no secret read\n'],
];

/** Runs examples in turn, and says how each ended. */
const inTurn = `for (const file of process.argv.slice(1)) {
  process.exitCode = 0;
  await import(file);
  console.log('exit', process.exitCode);
}`;

/** In one process, except in a deep run: loading the packages takes most of the time. */
const groups = isDeep ? [...short, ...long].map((each) => [each]) : [short];

describe('an example', () => {
  it.each(groups)('succeeds with the right result, and leaves no files behind: %s', async (...group) => {
    const files = group.map(([name]) => join(examples, 'dist', `${name}.js`));
    const { out, err } = await runNode(['--input-type=module', '-e', inTurn, ...files], { cwd: folder });
    const said = out.split(/^exit (.*)\n/m);
    const exits = said.filter((_, at) => at % 2 === 1);
    const good = group.map(() => '0');
    expect({ exits, err: exits.join() === good.join() ? '' : err }).toEqual({ exits: good, err: '' });
    for (const [at, [name, last]] of group.entries())
      expect([name, said[at * 2]?.endsWith(last)]).toEqual([name, true]);
    expect(await readdir(folder)).toEqual([]);
  });

  // The SDK contains Claude Code. This runs only where it is installed.
  it.skipIf(!existsSync(sdk))('release-notes succeeds with the real SDK, with the right result', async () => {
    const program = join(examples, 'dist/release-notes.js');
    const { exit, out, err } = await runNode([program, sdk], { cwd: folder });
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toBe('one note and one release written, one release refused, and no user read\n');
    expect((await runNode([program], { cwd: folder })).exit).toBe(2);
  });

  it.each(
    some<[string, string, string, RegExp]>([
      ['one-write', 'decision: needs_approval', 'decision: blocked', /^wrong: ENOENT/m],
      ['mcp-notes', './notes/**', './**', /^wrong: /m],
      ['two-references', 'workers: [crm.note, crm.export]', 'workers: [crm.note]', /^wrong: /m],
      ['two-environments', 'decision: blocked', 'decision: needs_approval', /^wrong: /m],
      ['nested-delegation', '  auditor:', '  office:', /^wrong: /m],
      ['bootstrapper', '  created:\n', '  another:\n', /^wrong: /m],
      ['code-analyser', 'git, grep, sort', 'git, sort', /^wrong: /m],
      ['coding-agent', 'reach: arguments', 'reach: call', /^wrong: /m],
      ['file-organiser', 'decision: needs_approval', 'decision: pre_approved', /^wrong: /m],
      ['pipeline', 'decision: needs_approval', 'decision: pre_approved', /^wrong: /m],
      ['support-agent', 'within: run', 'within: call', /^wrong: /m],
      ['data-analyst', 'decision: needs_approval', 'decision: pre_approved', /^wrong: /m],
      ['ci-job', './src/**', './**', /^wrong: /m],
    ]),
  )('%s exits with 1 and a message without a stack trace if its policy is changed', async (...of) => {
    const [name, from, to, says] = of;
    const copy = join(folder, 'packages/examples');
    await mkdir(copy, { recursive: true });
    for (const part of ['dist', name]) await cp(join(examples, part), join(copy, part), { recursive: true });
    await symlink(join(examples, 'node_modules'), join(copy, 'node_modules'));
    await symlink(join(root, 'bin'), join(folder, 'bin'));
    const policy = join(copy, name, 'policy.yaml');
    const before = await readFile(policy, 'utf8');
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    await writeFile(policy, after);
    const { exit, err } = await runNode([join(copy, 'dist', `${name}.js`)], { cwd: folder });
    expect(exit).toBe(1);
    expect(err).toMatch(says);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('has a policy that passes `check`, including its examples', async () => {
    const names = (await readdir(examples)).filter((name) => existsSync(join(examples, name, 'policy.yaml')));
    const files = names.map((name) => join(examples, name, 'policy.yaml'));
    const { exit, out, err } = await runNode([join(root, 'bin/ambit'), 'check', ...files], { cwd: folder });
    expect({ exit, said: exit === 0 ? '' : `${out}${err}` }).toEqual({ exit: 0, said: '' });
    expect(names.sort()).toEqual([
      'bootstrapper',
      'ci-job',
      'code-analyser',
      'coding-agent',
      'data-analyst',
      'file-organiser',
      'mcp-notes',
      'nested-delegation',
      'one-write',
      'pipeline',
      'pitchdeck',
      'release-notes',
      'support-agent',
      'two-environments',
      'two-references',
    ]);
  });

  it('has a suite that passes, covers every rule and kills every mutant', async () => {
    const argv = ['test', examples, '--min-coverage', '100', '--mutate', '--json'];
    const { exit, out, err } = await runNode([join(root, 'bin/ambit'), ...argv], { cwd: folder });
    expect({ exit, said: exit === 0 ? '' : `${out}${err}` }).toEqual({ exit: 0, said: '' });
    const { suites } = JSON.parse(out) as { suites: readonly { file: string }[] };
    expect(suites.map(({ file }) => file.split('/').slice(-2).join('/'))).toEqual([
      'bootstrapper/policy.test.yaml',
      'ci-job/policy.test.yaml',
      'code-analyser/policy.test.yaml',
      'coding-agent/policy.test.yaml',
      'data-analyst/policy.test.yaml',
      'file-organiser/policy.test.yaml',
      'mcp-notes/policy.test.yaml',
      'nested-delegation/policy.test.yaml',
      'one-write/policy.test.yaml',
      'pipeline/policy.test.yaml',
      'pitchdeck/policy.test.yaml',
      'release-notes/policy.test.yaml',
      'support-agent/policy.test.yaml',
      'two-environments/policy.test.yaml',
      'two-references/policy.test.yaml',
    ]);
  });
});
