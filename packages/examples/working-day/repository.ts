import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runAmbit } from '../ambit.js';

const files: Readonly<Record<string, string>> = {
  // The remote lies in the repository, where a confined command may write.
  '.gitignore': 'node_modules\n.env\nremote.git\n',
  '.env': 'API_TOKEN=not-for-agents\n',
  'README.md': '# Shop\n\nNothing is documented.\n',
  'package.json': `${JSON.stringify(
    {
      name: 'shop',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'node --test', build: 'node --check src/total.js' },
    },
    null,
    2,
  )}\n`,
  'src/total.js':
    '// TODO: round\nexport function total(prices) {\n  const sum = prices.reduce((one, other) => one + other, 0);\n  return sum;\n}\n',
  'src/old.js': 'export const old = true;\n',
  'test/total.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { total } from '../src/total.js';\ntest('adds', () => assert.equal(total([1, 2]), 3));\n",
  'vendor/words/package.json': '{ "name": "words", "version": "1.0.0", "type": "module" }\n',
  'vendor/words/index.js': "export const hello = (name) => 'Hello, ' + name;\n",
  'main.worker':
    'name: main\nsandbox: { paths: { repo: { root: ., mode: rw } } }\ntoolsets: { filesystem: {}, shell: {} }\n---\nWork on this repository.\n',
};

/** A repository with a history, a remote and the policy of the preset `coding`. */
export async function makeRepository(folder: string, home: string): Promise<string> {
  const repo = join(folder, 'repo');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true });
    writeFileSync(join(repo, name), text);
  }
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  const init = { cwd: repo, env: { ...process.env, HOME: home }, stdio: 'ignore' } as const;
  assert.equal(await runAmbit(['init', '--preset', 'coding'], init), 0);
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: repo, env: { ...process.env, HOME: home }, stdio: 'pipe' }).toString();
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  git('init', '-q', '--bare', join(repo, 'remote.git'));
  git('remote', 'add', 'origin', join(repo, 'remote.git'));
  return repo;
}
