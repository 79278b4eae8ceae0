import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
  ],
  opencode: [call('read', { filePath: '~/a.txt' })],
};

describe('a path that a real client takes for another one', { timeout: 600_000 }, () => {
  for (const [client, odd] of Object.entries(calls) as [ClientName, readonly Call[]][])
    it.skipIf(!programs.has(client))(`is judged as that one in ${client}`, async () => {
      const place = new RealPlace(policy);
      const { proj, requests, results } = await place.drive(client, {
        files,
        script: [...odd.map((each) => ({ tools: [each] })), 'done'],
        ...(client === 'codex' ? { args: ['-m', 'gpt-5.5'] } : {}),
        ...(client === 'claude-code' ? { args: ['--tools', 'Read,Grep'] } : {}),
      });
      expect(results).toHaveLength(odd.length);
      expect(JSON.stringify(requests)).not.toContain(hidden);
      for (const [name, text] of Object.entries(files))
        expect(readFileSync(join(proj, name), 'utf8')).toBe(text);
      expect(existsSync(join(proj, ' made'))).toBe(false);
    });
});
