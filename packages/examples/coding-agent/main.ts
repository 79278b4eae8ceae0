import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Approver, printable } from '@ambit/core';
import { callsIn, textOf } from '../calls.js';
import { git, writeFiles } from '../code-analyser/checkout.js';
import { runToEnd } from '../run-to-end.js';
import { withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../coding-agent/', import.meta.url));

const files = {
  'package.json': '{ "type": "module" }\n',
  'src/price.js': 'export const withTax = (price) => price * 0.1;\n',
  'test/price.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTax } from '../src/price.js';

test('a price with tax', () => assert.equal(Math.round(withTax(100)), 110));
`,
  '.env': 'TOKEN=not-for-agents\n',
  '.gitignore': '.env\n',
};

/** Approves the tests of the project for the whole run, and one commit. */
const asked: string[] = [];
const approver: Approver = {
  ask: async ({ args }) => {
    const command = textOf(args.command);
    asked.push(command);
    if (command === 'node --test')
      return { answer: 'approve', person: 'example', keep: { remember: 'run', reach: 'arguments' } };
    return command.startsWith('git commit ')
      ? { answer: 'approve', person: 'example' }
      : { answer: 'refuse', person: 'example', note: 'write it into a test' };
  },
};

await withScratch(async ({ folder, environment }) => {
  const repository = join(folder, 'repo');
  await writeFiles(repository, files);
  await git(['init', '--quiet', '--initial-branch', 'main'], { folder: repository, name: 'Ada' });
  await git(['config', 'user.name', 'Ada'], { folder: repository, name: 'Ada' });
  await git(['config', 'user.email', 'ada@price.example'], { folder: repository, name: 'Ada' });
  await git(['add', '.'], { folder: repository, name: 'Ada' });
  await git(['commit', '--quiet', '--message', 'A price'], { folder: repository, name: 'Ada' });
  const events = await runToEnd('The tests fail. Mend them.', {
    root: folder,
    policies: [join(home, 'policy.yaml')],
    workers: join(home, 'coder.worker'),
    model: `script:${join(home, 'script.yaml')}`,
    mode: 'interactive',
    approver,
    environment,
  });
  const calls = callsIn(events).map(({ args, came }) => `${came}: ${textOf(args.command ?? args.path)}`);
  for (const call of calls) process.stdout.write(`${printable(call)}\n`);
  const commit = "git commit --quiet --all --message 'Add the tax'";
  assert.deepEqual(calls.slice(0, 6), [
    'completed: node --test',
    'completed: repo/src/price.js',
    'completed: repo/src/price.js',
    'completed: node --test',
    'completed: git diff --stat',
    `completed: ${commit}`,
  ]);
  assert.deepEqual(calls.slice(6).sort(), [
    'blocked: cat .env',
    'blocked: git push origin main',
    'blocked: repo/.git/hooks/pre-commit',
    "denied: node -e 'process.exit(0)'",
  ]);
  assert.deepEqual(asked, ['node --test', commit, "node -e 'process.exit(0)'"]);
  assert.match(await readFile(join(repository, 'src/price.js'), 'utf8'), /price \* 1\.1/);
  const { stdout } = await git(['log', '--format=%s'], { folder: repository, name: 'Ada' });
  assert.equal(stdout, 'Add the tax\nA price\n');
  process.stdout.write('one test fixed and committed after two answers, and nothing pushed\n');
});
