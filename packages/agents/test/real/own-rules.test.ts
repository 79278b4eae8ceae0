import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPolicyText } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { type ClientName, clientNames, denialsOf, type Installing } from '../../src/index.js';
import { rulesFile, withDenials } from '../../src/install/rules-file.js';
import { withHook } from '../../src/install/settings.js';
import { programs, RealPlace, startPages } from './real-client.js';
import { shellCalls } from './shell-calls.js';

const policy = `version: 1
default: pre_approved
capabilities:
  proc.exec: { decision: blocked, match: { program: touch } }
  fs.read: { decision: blocked, match: { path: ./secret/** } }
  net.connect: { decision: blocked, match: { host: 127.0.0.1 } }
  vcs.push: blocked
tools:
  filesystem.write_file: blocked
  filesystem.edit_file: blocked
`;

/** A hook without an opinion: only the client's own rules stand in the way. */
const silent = {
  'claude-code': { hook: { type: 'command', command: '/bin/true', args: [], timeout: 10 } },
  codex: { hook: { type: 'command', command: '/bin/true', timeout: 10 } },
  gemini: { hook: { type: 'command', name: 'none', command: '/bin/true', timeout: 10_000 } },
  copilot: { hook: { type: 'command', bash: '/bin/true', timeoutSec: 10 } },
  opencode: { plugin: null },
} as const;

/** The rules that the client can express besides those of its shell. */
const more: Readonly<Record<ClientName, (url: string) => readonly object[]>> = {
  'claude-code': (url) => [
    { name: 'Read', input: { file_path: '@@PROJ@@/secret/a' } },
    { name: 'Read', input: { file_path: '@@PROJ@@/open/../secret/a' } },
    { name: 'WebFetch', input: { url, prompt: 'x' } },
    { name: 'Write', input: { file_path: '@@PROJ@@/written', content: 'x' } },
  ],
  codex: () => [],
  gemini: () => [{ name: 'write_file', input: { file_path: '@@PROJ@@/written', content: 'x' } }],
  copilot: (url) => [{ name: 'web_fetch', input: { url } }],
  opencode: () => [
    { name: 'read', input: { filePath: '@@PROJ@@/secret/a' } },
    { name: 'read', input: { filePath: '@@PROJ@@/open/../secret/a' } },
    { name: 'write', input: { filePath: '@@PROJ@@/written', content: 'x' } },
  ],
};

/** Settings of a user, to which the rules are added. */
const mine: Partial<Record<ClientName, string>> = {
  opencode: '{"permission": {"bash": {"*": "allow"}, "*": "allow"}}',
};

describe('client rules that are installed with the hook', () => {
  for (const client of clientNames)
    it.skipIf(!programs.has(client))(`hold in ${client} if the hook is bypassed`, async () => {
      const place = new RealPlace(policy);
      const { url, visited } = await startPages();
      const project = join(place.base, `${client === 'claude-code' ? 'claude' : client}_run/proj`);
      const home = join(project, '../home');
      const read = loadPolicyText('policy.yaml', policy, { root: project, home });
      if (!read.ok) throw new Error('the policy does not load');
      const installing: Installing = {
        client,
        scope: 'user',
        home,
        project,
        command: ['x'],
        timeout: 30,
        random: 'x',
        denials: denialsOf([read.policy], project),
      };
      const file = client === 'opencode' ? join(project, 'opencode.json') : rulesFile(installing);
      const rules = withDenials(mine[client] ?? null, installing);
      const { permissions } =
        client === 'claude-code' ? (JSON.parse(withHook(null, installing)) as { permissions: object }) : {};
      const shell = shellCalls[client];
      // Copilot has no rules about commands in a file.
      const commands = client === 'copilot' ? [] : ['touch ran', 'echo x; touch ran', 'git push x'];
      const { proj, requests, results } = await place.drive(client, {
        ...silent[client],
        files: {
          ...(file === null || rules === null
            ? {}
            : { [`../${file.slice(join(project, '..').length + 1)}`]: rules }),
          'secret/a': 'the-secret-text',
          'open/b': 'x',
        },
        ...(permissions === undefined ? {} : { settings: { permissions } }),
        script: [
          ...[shell('echo free > free'), ...commands.map(shell), ...more[client](`${url}/far`)].map(
            (call) => ({
              tools: [call],
            }),
          ),
          'done',
        ],
      });
      expect(readFileSync(join(proj, 'free'), 'utf8')).toBe('free\n');
      expect([existsSync(join(proj, 'ran')), existsSync(join(proj, 'written'))]).toEqual([false, false]);
      expect(visited).toEqual([]);
      expect(JSON.stringify(requests)).not.toContain('the-secret-text');
      expect(results).toHaveLength(1 + commands.length + more[client]('').length);
    });

  it.skipIf(!programs.has('opencode'))(
    'hold outside the work tree in opencode in a git repository',
    async () => {
      const place = new RealPlace(policy);
      const outside = join(place.base, 'outside');
      const text = `version: 1
default: pre_approved
capabilities:
  fs.read: { decision: blocked, match: { path: ${outside}/** } }
  fs.write: { decision: blocked, match: { path: ~/kept/** } }
`;
      const project = join(place.base, 'opencode_run/proj');
      const home = join(project, '../home');
      const read = loadPolicyText('policy.yaml', text, { root: project, home });
      if (!read.ok) throw new Error('the policy does not load');
      const of = {
        client: 'opencode',
        scope: 'user',
        home,
        project,
        command: ['x'],
        timeout: 30,
        random: 'x',
      } as const;
      const mine = '{"permission": {"*": "allow", "external_directory": "allow"}}';
      const rules = withDenials(mine, { ...of, denials: denialsOf([read.policy], project) });
      place.write('outside/below/a', 'the-secret-text');
      const { proj, requests } = await place.drive('opencode', {
        plugin: null,
        files: {
          '.git/HEAD': 'ref: refs/heads/main\n',
          '.git/config': '[core]\n\trepositoryformatversion = 0\n',
          '.git/objects/x': '',
          '.git/refs/x': '',
          'opencode.json': rules ?? '',
        },
        script: [
          { tools: [{ name: 'read', input: { filePath: `${outside}/below/a` } }] },
          { tools: [{ name: 'write', input: { filePath: join(home, 'kept/a'), content: 'x' } }] },
          { tools: [{ name: 'write', input: { filePath: join(home, 'free'), content: 'x' } }] },
          'done',
        ],
      });
      expect(JSON.stringify(requests)).not.toContain('the-secret-text');
      expect([existsSync(join(home, 'kept/a')), existsSync(join(home, 'free'))]).toEqual([false, true]);
      expect(existsSync(join(proj, '.git/HEAD'))).toBe(true);
    },
  );
});
