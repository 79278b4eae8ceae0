#!/usr/bin/env node
// A small agent in the form of Claude Code: one model, one tool, hooks from its settings, and a transcript.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

if (process.argv.includes('--version')) {
  process.stdout.write(`${process.env.CLAUDE_CODE_TEST_VERSION ?? '2.1.329'} (small agent)\n`);
  process.exit(0);
}
const { HOME, ANTHROPIC_BASE_URL, CLAUDE_CODE_TEST_IGNORES } = process.env;
const session = `small-${process.pid}`;
const ask = async (messages) => {
  const response = await fetch(`${ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'x', messages, tools: [{ name: 'Bash' }] }),
  });
  return response.json();
};
const note = (line) => {
  const folder = join(HOME, '.claude/projects/small');
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${session}.jsonl`), `${JSON.stringify({ sessionId: session, ...line })}\n`);
};

const question = { role: 'user', content: 'go' };
const message = await ask([question]);
note({ message });
const [call] = message.content;
if (call.type !== 'tool_use') process.exit(1);
const file = join(HOME, '.claude/settings.json');
const settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const input = {
  session_id: session,
  cwd: process.cwd(),
  hook_event_name: 'PreToolUse',
  tool_name: call.name,
  tool_input: call.input,
  tool_use_id: call.id,
};
const handlers = CLAUDE_CODE_TEST_IGNORES
  ? []
  : (settings.hooks?.PreToolUse ?? []).flatMap(({ hooks }) => hooks);
const refusals = handlers.flatMap(({ command, args = [] }) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  if (status !== 0) return [stderr || 'the hook failed'];
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  return permissionDecision === 'allow' ? [] : [permissionDecisionReason];
});
if (refusals.length === 0) spawnSync('/bin/sh', ['-c', call.input.command]);
const content = [{ type: 'tool_result', tool_use_id: call.id, content: refusals[0] ?? 'done' }];
await ask([question, { role: 'assistant', content: message.content }, { role: 'user', content }]);
