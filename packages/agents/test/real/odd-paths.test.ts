import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeWhole } from '../../../../test/remove-whole.js';
import type { ClientName } from '../../src/index.js';
import type { Call } from './calls.js';
import { programs, RealPlace } from './real-client.js';

const policy = `version: 1
default: pre_approved
capabilities:
  fs: { decision: blocked, match: { path: [./deep/**, ./~/**, ./.env, "./ made"] } }
`;
const hidden = 'the hidden text';
const files = { 'deep/only.txt': hidden, '~/a.txt': hidden, '.env': hidden, '.gitignore': '.env\n' };
const call = (name: string, input: unknown, more: object = {}): Call => ({ name, input, ...more });
const patch = (line: string) =>
  call('apply_patch', `*** Begin Patch\n${line}\n*** End Patch\n`, { custom: true });
const change = { instruction: 'i', old_string: 'hidden', new_string: 'changed' };

/** `..` behind a link: the text names a file in `x`, the system the hidden one. */
const behindLink = (bash: string, read: string, path: string) => [
  call(bash, { command: 'mkdir -p x/y z && ln -s ../../z x/y/link', description: 'x' }),
  call(read, { [path]: '@@PROJ@@/x/y/link/../../proj/.env' }),
];

const calls: Partial<Record<ClientName, readonly Call[]>> = {
  'claude-code': [
    call('Grep', { pattern: 'hidden', output_mode: 'content', glob: '.env' }),
    call('Grep', { pattern: 'hidden', output_mode: 'content', glob: '/only.*', path: ' deep ' }),
    call('Grep', { pattern: 'hidden', output_mode: 'content', path: '' }),
    call('Read', { file_path: ' .env' }),
  ],
  codex: [
    patch('*** Delete File: .env\u0085'),
    patch('*** Add File: a\n+x\n\u0085*** Delete File: deep/only.txt'),
    patch('*** Add File:  made\n+x'),
  ],
  gemini: [
    call('read_file', { file_path: '@deep/only.txt' }),
    call('read_file', { file_path: '%2eenv' }),
    call('read_file', { file_path: 'x%2f..%2fdeep/only.txt' }),
    call('read_file', { file_path: '~/a.txt' }),
    call('grep_search', { pattern: 'hidden', dir_path: '%64eep' }),
    call('replace', { file_path: 'only.txt', ...change }),
  ],
  copilot: [
    call('view', { path: '~/a.txt' }),
    call('grep', { pattern: 'hidden', paths: '', output_mode: 'content' }),
    call('grep', { pattern: 'hidden', paths: '.gitignore .env', output_mode: 'content' }),
    call('grep', { pattern: 'hidden', paths: ['deep .gitignore'], output_mode: 'content' }),
    ...behindLink('bash', 'view', 'path'),
  ],
  opencode: [
    call('read', { filePath: '~/a.txt' }),
    call('grep', { pattern: 'hidden', path: 'deep/none' }),
    call('grep', { pattern: 'hidden', path: '.gitignore' }),
    ...behindLink('bash', 'read', 'filePath'),
  ],
};

/** Of a policy that permits everything else, none of the calls runs. */
async function expectNone(client: ClientName, odd: readonly Call[], more: object): Promise<void> {
  const place = new RealPlace(policy);
  const { proj, requests, results } = await place.drive(client, {
    files,
    script: [...odd.map((each) => ({ tools: [each] })), 'done'],
    ...more,
  });
  expect(results).toHaveLength(odd.length);
  expect(JSON.stringify(requests)).not.toContain(hidden);
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(proj, name), 'utf8')).toBe(text);
  expect(existsSync(join(proj, ' made'))).toBe(false);
}

describe('a path that a real client takes for another one', () => {
  for (const [client, odd] of Object.entries(calls) as [ClientName, readonly Call[]][])
    it.skipIf(!programs.has(client))(`is judged as that one in ${client}`, async () => {
      await expectNone(client, odd, {
        ...(client === 'codex' ? { args: ['-m', 'gpt-5.5'] } : {}),
        ...(client === 'claude-code' ? { args: ['--tools', 'Read,Grep'] } : {}),
      });
    });
});

const globs: Partial<Record<ClientName, Call>> = {
  gemini: call('glob', { pattern: '[.][.]/*', dir_path: 'deep' }),
  copilot: call('glob', { pattern: '*', path: '..' }),
};

describe('a glob of a real client', () => {
  for (const [client, glob] of Object.entries(globs) as [ClientName, Call][])
    it.skipIf(!programs.has(client))(`lists no folder above unjudged in ${client}`, async () => {
      const list = 'fs.list.outside: { decision: blocked, reason: it may be anywhere }';
      const place = new RealPlace(`version: 1\ndefault: pre_approved\ncapabilities: { ${list} }\n`);
      const { results } = await place.drive(client, { files, script: [{ tools: [glob] }, 'done'] });
      expect(results.map(({ text }) => text)).toEqual([expect.stringContaining('it may be anywhere')]);
    });
});

const searches: Partial<Record<ClientName, readonly Call[]>> = {
  copilot: [
    call('grep', { pattern: 'hidden', output_mode: 'content' }),
    call('grep', { pattern: 'hidden', output_mode: 'content', glob: '.env' }),
  ],
  opencode: [call('grep', { pattern: 'hidden' }), call('grep', { pattern: 'hidden', include: '.env' })],
};

/** opencode searches with the machine's `rg`, and would download a missing one. */
const canSearch = (client: ClientName) =>
  programs.has(client) && (client !== 'opencode' || existsSync('/usr/bin/rg'));

describe('a search of a real client in a repository', () => {
  for (const [client, [all, chosen]] of Object.entries(searches) as [ClientName, readonly Call[]][])
    it.skipIf(!canSearch(client))(`leaves out what is ignored, except for a glob, in ${client}`, async () => {
      const place = new RealPlace(`version: 1
default: pre_approved
capabilities:
  fs.read: { decision: blocked, match: { path: ./.env } }
`);
      const repository = {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/config': '[core]\n\trepositoryformatversion = 0\n',
        '.git/objects/info/none': '',
        '.git/refs/none': '',
        '.gitignore': '.env\n',
        '.env': hidden,
        'shown.txt': 'not hidden',
      };
      const script = [{ tools: [all] }, { tools: [chosen] }, 'done'];
      const { requests } = await place.drive(client, { files: repository, script });
      expect(JSON.stringify(requests)).toContain('not hidden');
      expect(JSON.stringify(requests)).not.toContain(hidden);
      const made = (await place.decisions(client)).map(({ decision }) => decision);
      expect(made).toEqual(['pre_approved', 'blocked']);
    });
});

/** Patches that each client takes for one that deletes or changes a file. */
const patches = ['*** Delete File: .env', '*** Delete File:  .env ', '*** Update File: .env\n@@\n-x\n+y'];

describe('the tools of a real client for models of the family GPT', () => {
  it.skipIf(!programs.has('copilot'))('are judged in copilot', async () => {
    const odd = [
      call('rg', { pattern: 'hidden', paths: 'deep', output_mode: 'content' }),
      call('rg', { pattern: 'hidden', paths: '', output_mode: 'content' }),
      ...[...patches, ' *** Delete File: .env', '*** Add File: out\n+x\r*** Delete File: .env'].map(patch),
    ];
    await expectNone('copilot', odd, { model: 'gpt-5.5' });
  });

  it.skipIf(!programs.has('opencode'))('are judged in opencode', async () => {
    const odd = [...patches, '*** Delete File:.env'].map((line) =>
      call('apply_patch', { patchText: `*** Begin Patch\n${line}\n*** End Patch` }),
    );
    const models = { 'gpt-5': { tool_call: true, limit: { context: 200_000, output: 8_000 } } };
    const folder = mkdtempSync(join(tmpdir(), 'real-'));
    onTestFinished(() => removeWhole(folder));
    const config = join(folder, 'opencode.json');
    writeFileSync(config, JSON.stringify({ provider: { fake: { models } } }));
    await expectNone('opencode', odd, { args: ['-m', 'fake/gpt-5'], env: { OPENCODE_CONFIG: config } });
  });
});
