import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HookStage } from '../src/clients/client.js';
import { HookPlace } from './place.js';

const policy = `version: 1
default: pre_approved
capabilities:
  proc.exec.opaque: pre_approved
  fs: { decision: blocked, match: { path: ./.env } }
`;

/** Calls of Codex, by their ids. */
class CodexCalls {
  readonly place = new HookPlace(policy);
  readonly transcript = join(this.place.base, 'rollout.jsonl');

  async call(id: string, command: string, stage: HookStage = 'before'): Promise<string> {
    const event = stage === 'before' ? 'PreToolUse' : 'PostToolUse';
    const more = { tool_use_id: id, hook_event_name: event, transcript_path: this.transcript };
    const { stdout } = await this.place.answer(this.place.bash(command, more), { client: 'codex', stage });
    return stdout.includes('"deny"') ? stdout : 'permitted';
  }

  /** What Codex writes to its transcript. */
  write(id: string, type: string): void {
    writeFileSync(this.transcript, `${JSON.stringify({ payload: { type, call_id: id } })}\n`);
  }
}

const waits = expect.stringContaining('wait until it has ended, or 30 seconds if it never ran');

describe('a call beside another one of its session', () => {
  it.each([
    ['touch l.txt', 'cat l.txt'],
    ['cat l.txt', 'touch l.txt'],
    ['mkdir sub', 'cat sub/a'],
    ['touch sub/b', 'cat sub/*'],
    ['touch sub/b', 'grep -r x sub'],
    ['unknown-program', 'cat l.txt'],
    ['bash build.sh', 'touch build.sh'],
  ])('waits until it has ended: `%s`, then `%s`', async (first, second) => {
    const calls = new CodexCalls();
    for (const name of ['l.txt', 'build.sh', 'sub/a', 'sub/c']) calls.place.write(name, 'x');
    expect(await calls.call('call_00000001', first)).toBe('permitted');
    expect(await calls.call('call_00000002', second)).toEqual(waits);
    await calls.call('call_00000001', first, 'after');
    expect(await calls.call('call_00000003', second)).toBe('permitted');
  });

  it.each([
    ['touch a', 'touch b'],
    ['touch a', 'cat b'],
    ['cat a', 'cat a'],
    ['unknown-program', 'echo hi'],
  ])('does not wait if neither changes what the other depends on: `%s`, then `%s`', async (first, second) => {
    const calls = new CodexCalls();
    calls.place.write('b', 'x');
    expect(await calls.call('call_00000001', first)).toBe('permitted');
    expect(await calls.call('call_00000002', second)).toBe('permitted');
  });

  it('waits for the change of a link through which it goes', async () => {
    const calls = new CodexCalls();
    calls.place.write('plain', 'x');
    symlinkSync('plain', join(calls.place.project, 'link'));
    expect(await calls.call('call_00000001', 'rm link')).toBe('permitted');
    expect(await calls.call('call_00000002', 'cat link')).toEqual(waits);
  });

  it('does not wait for one whose result is in the transcript, although no hook was called', async () => {
    const calls = new CodexCalls();
    calls.write('call_00000001', 'function_call');
    expect(await calls.call('call_00000001', 'touch a')).toBe('permitted');
    expect(await calls.call('call_00000002', 'cat a')).toEqual(waits);
    calls.write('call_00000001', 'function_call_output');
    expect(await calls.call('call_00000003', 'cat a')).toBe('permitted');
  });
});
