import { describe, expect, it } from 'vitest';
import type { ClientName } from '../../src/index.js';
import type { Call } from './calls.js';
import { programs, RealPlace } from './real-client.js';

const policy = `version: 1
default: pre_approved
capabilities:
  proc.exec.opaque: pre_approved
  fs: { decision: blocked, match: { path: ./.env } }
`;
const hidden = 'the hidden text';
const files = { '.env': hidden, 'l.txt': 'plain', 'link.sh': 'ln -sf .env l.txt\nsleep 1\n' };
const call = (name: string, input: unknown): Call => ({ name, input });

/** The names of both events, and a program that makes a link beside a call that reads it. */
const turns: Partial<Record<ClientName, readonly [events: readonly string[], Call, Call]>> = {
  codex: [
    ['PreToolUse', 'PostToolUse'],
    call('exec_command', { cmd: 'bash link.sh' }),
    call('exec_command', { cmd: 'cat l.txt' }),
  ],
  gemini: [
    ['BeforeTool', 'AfterTool'],
    call('run_shell_command', { command: 'bash link.sh', description: 'x' }),
    call('read_file', { file_path: 'l.txt' }),
  ],
  copilot: [
    ['preToolUse', 'postToolUse'],
    call('bash', { command: 'bash link.sh', description: 'x' }),
    call('view', { path: '@@PROJ@@/l.txt' }),
  ],
  opencode: [
    [],
    call('bash', { command: 'bash link.sh', description: 'x' }),
    call('read', { filePath: '@@PROJ@@/l.txt' }),
  ],
};

describe('calls of one turn of a real client', () => {
  for (const [client, [events, link, read]] of Object.entries(turns) as [
    ClientName,
    [readonly string[], Call, Call],
  ][])
    it.skipIf(!programs.has(client))(
      `that depend on each other do not run at once in ${client}`,
      async () => {
        const place = new RealPlace(policy);
        const words = place.command(client).map((word) => `'${word}'`);
        // The drivers install one hook for both events.
        const both = place.write(
          'both',
          `t=$(cat); case $t in *'"tool_response"'*|*'"toolResult"'*) set -- --after;; esac
printf %s "$t" | ${words.join(' ')} "$@"`,
        );
        const { requests, results } = await place.drive(client, {
          files,
          script: [{ tools: [link, read] }, { tools: [link] }, { tools: [read] }, 'done'],
          ...(client === 'opencode' ? {} : { events, change: { command: ['/bin/sh', both] } }),
        });
        const waits = results.map(({ text }) => text.includes('wait until it has ended'));
        // The call that reads may have ended before the other one was judged.
        expect(waits.slice(0, 2).filter(Boolean).length).toBeLessThanOrEqual(1);
        expect(JSON.stringify(results.slice(0, 2))).not.toContain(hidden);
        expect(waits.slice(2)).toEqual([false, false]);
        // Gemini itself refuses what leads out of its folder, as it reads it.
        expect(results.at(-1)?.text).toMatch(client === 'gemini' ? /outside/ : /blocked/);
        expect(JSON.stringify(requests)).not.toContain(hidden);
      },
    );
});
