import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientName } from '../src/index.js';
import { HookPlace } from './place.js';

const policy = `version: 1
default: pre_approved
capabilities:
  fs: { decision: blocked, match: { path: ["./secret", "./secret/**", "./~/**", "./shot AM.png", "./in AM.png/**"] } }
  fs.read.outside: blocked
  fs.list.outside: blocked
  fs.write.outside: blocked
  secret.read: blocked
  net.connect: { decision: blocked, match: { host: [evil.example, raw.githubusercontent.com] } }
`;

function input(client: ClientName, tool: string, args: object | string, cwd: string): object {
  if (client === 'copilot') return { sessionId: 's', cwd, toolName: tool, toolArgs: args };
  if (client === 'opencode')
    return { input: { tool, sessionID: 's', callID: 'call_00000001' }, args, directory: cwd };
  const event = client === 'gemini' ? 'BeforeTool' : 'PreToolUse';
  return { session_id: 's', cwd, hook_event_name: event, tool_name: tool, tool_input: args };
}

const edit = { instruction: 'i', old_string: 'x', new_string: 'y' };
const patchOf = (line: string) => `*** Begin Patch\n*** Add File: a\n+x\n${line}\n*** End Patch`;
const patch = (line: string) => ({ command: patchOf(line) });
const patchText = (line: string) => ({ patchText: patchOf(line) });

/** Each was run with the real client, which reads or writes the file that the policy blocks. */
const blocked: readonly (readonly [ClientName, string, object | string])[] = [
  ['claude-code', 'Grep', { pattern: '.', path: '' }],
  ['claude-code', 'Grep', { pattern: '.', path: ' secret' }],
  ['claude-code', 'Grep', { pattern: '.', path: 'secret\u00a0' }],
  ['claude-code', 'Grep', { pattern: '.', path: '~' }],
  ['claude-code', 'Glob', { pattern: '*', path: ' secret' }],
  ['claude-code', 'Grep', { pattern: '.', glob: '.env' }],
  ['claude-code', 'Grep', { pattern: '.', glob: '*.md,.env' }],
  ['claude-code', 'Grep', { pattern: '.', glob: '*.md {.env,x}' }],
  ['claude-code', 'Grep', { pattern: '.', path: 'ignored', glob: '/in/*' }],
  ['claude-code', 'Grep', { pattern: '.', glob: ['.env'] }],
  ['claude-code', 'Grep', { pattern: '.', path: 'env', type: 'all' }],
  // A glob with a slash is for the folder in which the search begins.
  ['claude-code', 'Grep', { pattern: '.', path: 'env', glob: '!env/*.pem' }],
  ['gemini', 'read_file', { file_path: '@secret/a' }],
  ['gemini', 'read_file', { file_path: '@/secret/a' }],
  ['gemini', 'read_file', { file_path: '%73ecret/a' }],
  ['gemini', 'read_file', { file_path: '@%2eenv' }],
  ['gemini', 'read_file', { file_path: '~/a' }],
  ['gemini', 'write_file', { file_path: 'x%2f..%2fsecret%2fa', content: 'x' }],
  ['gemini', 'grep_search', { pattern: '.', dir_path: '%73ecret' }],
  ['gemini', 'grep_search', { pattern: '.', dir_path: '' }],
  // The earlier name of `grep_search`, which it still takes.
  ['gemini', 'search_file_content', { pattern: '.', dir_path: 'secret' }],
  ['gemini', 'replace', { file_path: 'only-below', ...edit }],
  ['gemini', 'glob', { pattern: '{/etc/,x}*' }],
  ['gemini', 'glob', { pattern: '{,x}/etc/*' }],
  ['gemini', 'glob', { pattern: '.{.,x}/*' }],
  ['gemini', 'glob', { pattern: '[.][.]/*', dir_path: 'src' }],
  ['gemini', 'glob', { pattern: '\\../*', dir_path: 'src' }],
  ['gemini', 'glob', { pattern: '.[.-.]/*', dir_path: 'src' }],
  ['gemini', 'web_fetch', { prompt: "read http://good.example'@evil.example/" }],
  ['gemini', 'web_fetch', { prompt: 'read http://evil.example' }],
  // Gemini fetches the file itself from another host.
  ['gemini', 'web_fetch', { prompt: 'read https://github.com/a/b/blob/main/x' }],
  ['copilot', 'view', { path: '~/a' }],
  ['copilot', 'grep', { pattern: '.', paths: '' }],
  ['codex', 'apply_patch', patch('*** Delete File: secret/a\u0085')],
  ['codex', 'apply_patch', patch('\u0085*** Delete File: secret/a')],
  ['opencode', 'write', { filePath: '~/a', content: 'x' }],
  // The tools of these two for models of the family GPT.
  ['copilot', 'rg', { pattern: '.', paths: 'secret' }],
  ['copilot', 'rg', { pattern: '.', paths: ['src', '/etc'] }],
  ['copilot', 'apply_patch', patchOf('*** Delete File: secret/a')],
  ['copilot', 'apply_patch', patchOf('*** Delete File:  secret/a')],
  ['copilot', 'apply_patch', patchOf(' *** Delete File: secret/a')],
  ['copilot', 'apply_patch', patchOf('+x\r*** Delete File: secret/a')],
  ['copilot', 'apply_patch', patchOf('\ufeff*** Delete File: secret/a')],
  ['copilot', 'apply_patch', patchOf('*** Add File: ~/a\n+x')],
  ['copilot', 'apply_patch', patchOf('*** Update File: src/a.ts\n*** Move to: secret/a')],
  ['opencode', 'apply_patch', patchText('*** Delete File: secret/a')],
  ['opencode', 'apply_patch', patchText('*** Delete File:  secret/a')],
  ['opencode', 'apply_patch', patchText('*** Delete File:secret/a')],
  ['opencode', 'apply_patch', patchText('*** Update File: src/a.ts\n*** Move to: secret/a ')],
  ['opencode', 'apply_patch', { patchText: `junk\n${patchOf('*** Delete File: secret/a')}` }],
  ['opencode', 'apply_patch', { patchText: `cat <<'EOF'\n${patchOf('*** Delete File: secret/a')}\nEOF` }],
  ['opencode', 'lsp', { operation: 'documentSymbol', filePath: 'secret/a', line: 1, character: 1 }],
  // Claude Code takes another blank where there is no such file: the first one of the path.
  ['claude-code', 'Read', { file_path: 'shot AM.png' }],
  ['claude-code', 'Read', { file_path: 'in AM.png/shot AM.png' }],
  ['claude-code', 'Read', { file_path: '/tmp/in AM.png/../../@@/shot AM.png' }],
  // Copilot splits a text that names nothing at its blanks.
  ['copilot', 'grep', { pattern: '.', paths: 'src secret' }],
  ['copilot', 'rg', { pattern: '.', paths: ['src', 'src  /etc'] }],
  ['copilot', 'glob', { pattern: '*', paths: 'src secret' }],
  // It takes a path by another name than the one that it offers.
  ['copilot', 'glob', { pattern: '*', path: '/etc' }],
  ['copilot', 'rg', { pattern: '.', paths: 'src', path: 'secret' }],
  // `..` behind a link leads out of the folder behind it, or out of the link's own.
  ['copilot', 'view', { path: '@@/src/in/link/../../secret/a' }],
  ['copilot', 'create', { path: '@@/src/in/link/../../secret/a', file_text: 'x' }],
  ['copilot', 'grep', { pattern: '.', paths: '@@/src/in/link/../../secret' }],
  ['codex', 'view_image', { path: 'src/in/link/../../secret/a' }],
  ['opencode', 'read', { filePath: '@@/src/in/link/../../secret/a' }],
  ['opencode', 'bash', { command: 'cat secret/a', workdir: '@@/src/in/link/../..' }],
  // opencode searches the folder of a file, and that of a missing one.
  ['opencode', 'grep', { pattern: '.', path: 'env/a.ts' }],
  ['opencode', 'grep', { pattern: '.', path: 'env/none' }],
  ['opencode', 'grep', { pattern: '.', path: 'src/link.ts' }],
  // A glob chooses ignored files, too. A folder that is named is searched, although it is ignored.
  ['opencode', 'grep', { pattern: '.', path: 'logs', include: '.env' }],
  ['opencode', 'grep', { pattern: '.', path: 'logs', include: '/.e*' }],
  ['opencode', 'grep', { pattern: '.', path: 'logs', include: ['*.ts'] }],
  ['opencode', 'grep', { pattern: '.', path: 'secret' }],
  ['copilot', 'grep', { pattern: '.', paths: 'logs', glob: '.env' }],
  ['copilot', 'rg', { pattern: '.', paths: 'logs/.env' }],
  // Without its rg, Gemini may ignore nothing.
  ['gemini', 'grep_search', { pattern: '.', dir_path: 'logs' }],
  ['gemini', 'grep_search', { pattern: '.', dir_path: 'logs', include_pattern: '.env' }],
  ['gemini', 'grep_search', { pattern: '.', dir_path: 'logs', include_pattern: ':/' }],
  ['gemini', 'grep_search', { pattern: '.', dir_path: 'logs', include_pattern: '!*.ts' }],
];

/** The agent's own folder, and not that of the hook. */
const ofAgent = ['/proc/self/cwd/secret/a', '/proc/thread-self/cwd/secret/a', '/dev/fd/3', 'src/own/a'];

/** Nothing of these is blocked. */
const permitted: readonly (readonly [ClientName, string, object | string])[] = [
  ['claude-code', 'Grep', { pattern: '.', path: 'src', glob: '*.{ts,tsx} !secret' }],
  ['claude-code', 'Grep', { pattern: '.', path: 'env', type: 'ts' }],
  ['claude-code', 'Grep', { pattern: '.', path: 'env', glob: '!*.pem' }],
  ['claude-code', 'Grep', { pattern: '.', path: 'env', glob: '!**/*.pem' }],
  ['copilot', 'grep', { pattern: '.', paths: 'env', type: 'ts' }],
  ['claude-code', 'Glob', { pattern: '{src,test}/**/*.{ts,tsx}' }],
  ['gemini', 'read_file', { file_path: '@src/100%.ts' }],
  ['gemini', 'replace', { file_path: 'src/a.ts', ...edit }],
  ['gemini', 'replace', { file_path: 'src/new.ts', ...edit, old_string: '' }],
  ['codex', 'apply_patch', patch('*** Delete File:  secret/a')],
  ['copilot', 'rg', { pattern: '.', paths: 'src' }],
  ['copilot', 'view', { path: '@@/src/sub/../a.ts' }],
  ['copilot', 'apply_patch', patchOf('*** Update File: src/a.ts\n@@\n-KEY=1\n+KEY=2')],
  ['opencode', 'apply_patch', patchText('*** Update File: src/a.ts\n@@\n-KEY=1\n+KEY=2')],
  ['opencode', 'grep', { pattern: '.', path: 'src/sub/a.ts' }],
  ['claude-code', 'Grep', { pattern: '.', path: 'env/a.ts' }],
  ['opencode', 'grep', { pattern: '.', path: 'logs' }],
  ['opencode', 'grep', { pattern: '.', path: 'logs', include: '' }],
  ['opencode', 'grep', { pattern: '.', path: 'logs', include: '*.ts' }],
  ['opencode', 'grep', { pattern: '.', path: 'logs', include: '!*.ts' }],
  ['copilot', 'grep', { pattern: '.', paths: ['logs', 'src'] }],
  ['copilot', 'rg', { pattern: '.', paths: 'logs', glob: '*.{ts,md}' }],
];

describe('a path that a client takes for another one', () => {
  const decide = async ([client, tool, args]: (typeof blocked)[number]) => {
    const place = new HookPlace(policy);
    for (const name of [
      'secret/a',
      '.env',
      'src/a.ts',
      '~/a',
      'ignored/in/.env',
      'env/key.pem',
      'logs/.env',
      'env/a.ts',
      'src/sub/a.ts',
      'src/in/a',
      'env/sub/a',
    ])
      place.write(name, 'KEY=1');
    symlinkSync('../../env/sub', join(place.project, 'src/in/link'));
    symlinkSync('../env/a.ts', join(place.project, 'src/link.ts'));
    symlinkSync('/proc/self/cwd/secret', join(place.project, 'src/own'));
    place.write('.gitignore', '.env\nsecret\n');
    const given: typeof args = JSON.parse(JSON.stringify(args).replaceAll('@@', place.project));
    const { exit, stdout } = await place.answer(input(client, tool, given, place.project), { client });
    return exit === 2 || /"(?:permissionDecision|decision)":"(?:deny|ask)"/.test(stdout);
  };

  it.each(blocked)('is judged as that one: %s, `%s` %j', async (...call) => {
    expect(await decide(call)).toBe(true);
  });

  it.each(ofAgent)('is unknown where another process has another one: %s', async (path) => {
    for (const call of [
      ['claude-code', 'Read', { file_path: path }],
      ['claude-code', 'Grep', { pattern: '.', path }],
      ['codex', 'apply_patch', patch(`*** Delete File: ${path}`)],
      ['gemini', 'write_file', { file_path: path, content: 'x' }],
      ['copilot', 'view', { path }],
      ['opencode', 'list', { path }],
    ] as const)
      expect(await decide(call), call[1]).toBe(true);
  });

  it.each(permitted)('is judged as no other one: %s, `%s` %j', async (...call) => {
    expect(await decide(call)).toBe(false);
  });
});
