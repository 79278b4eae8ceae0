import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientNames, examineIsolation } from '../src/index.js';
import { approveForRun, decided, HookPlace, loggedEvents, usualPolicy } from './place.js';

const isIsolated = (await examineIsolation()).state === 'ok';

/** An opaque command is permitted where it runs confined, and blocked elsewhere. */
const confinedOnly = usualPolicy.replace('default: needs_approval', 'default: pre_approved').replace(
  '  proc.exec.opaque: needs_approval',
  `  proc.exec.opaque:
    - decision: pre_approved
      when: { '!=': [{ var: [context.isolation, none] }, none] }
    - id: confined-only
      decision: blocked
      when: { '==': [{ var: [context.isolation, none] }, none] }`,
);

const script = `#!/bin/bash
echo out >&1; echo err >&2
cat "$HOME/.ssh/id_rsa" && echo LEAKED
echo x > outside.txt; echo x > ../outside.txt && echo ESCAPED
echo x > .claude/settings.json && echo UNGUARDED
(exec 5<>/dev/tcp/127.0.0.1/$1) && echo CONNECTED
echo "key=$ANTHROPIC_API_KEY"
exit 7
`;

function placeWithScript(policy = confinedOnly): HookPlace {
  const place = new HookPlace(policy);
  mkdirSync(join(place.home, '.ssh'));
  writeFileSync(join(place.home, '.ssh/id_rsa'), 'SECRET');
  place.write('.claude/settings.json', '{}');
  place.write('build.sh', script);
  return place;
}

/** The input of each client for a shell command, and the command in what it is answered. */
const inputs = {
  'claude-code': (place: HookPlace, command: string, more: object) => place.bash(command, more),
  codex: (place: HookPlace, command: string, more: object) => place.bash(command, more),
  gemini: (place: HookPlace, command: string, more: { readonly hook_event_name?: string }) => ({
    session_id: 'session-1',
    cwd: place.project,
    hook_event_name: more.hook_event_name === undefined ? 'BeforeTool' : 'AfterTool',
    tool_name: 'run_shell_command',
    tool_input: { command },
  }),
  copilot: (place: HookPlace, command: string) => ({
    sessionId: 'session-1',
    cwd: place.project,
    toolName: 'bash',
    toolArgs: { command },
  }),
  opencode: (place: HookPlace, command: string) => ({
    input: { tool: 'bash', sessionID: 'session-1', callID: 'call_00000001' },
    args: { command },
    directory: place.project,
  }),
};

/** The command with which a client would run the call: the one in the answer, or else its own. */
function commandIn(stdout: string, own: string): string {
  return /"command":("(?:[^"\\]|\\.)*")/.test(stdout)
    ? (JSON.parse(/"command":("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1] ?? '""') as string)
    : own;
}

describe.skipIf(!isIsolated)('an opaque command', () => {
  const rewriting = clientNames.filter((name) => name !== 'opencode');

  it.each(rewriting)('runs confined in %s, and is judged as confined', async (client) => {
    const place = placeWithScript();
    const own = 'bash ./build.sh 9';
    const { exit, stdout, stderr } = await place.answer(inputs[client](place, own, {}), {
      client,
      confines: true,
    });
    expect([exit, stderr]).toEqual([0, '']);
    const command = commandIn(stdout, own);
    expect(command).not.toBe(own);
    // Claude Code asks about a script that removes files, whatever its hook answers.
    expect(command).not.toMatch(/(?<![\w.-])rm(?:dir)?(?![\w.-])/);
    // As clients do: the text of a shell, with something around it.
    const ran = spawnSync('bash', ['-c', `{ ${command} ; }; echo "code=$?"`], {
      cwd: place.project,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: '/', ANTHROPIC_API_KEY: 'KEY' },
    });
    expect(ran.stdout).toBe('out\nkey=\ncode=7\n');
    expect(ran.stderr).toContain('err');
    expect(existsSync(join(place.project, 'outside.txt'))).toBe(true);
    expect(existsSync(join(place.base, 'outside.txt'))).toBe(false);
    expect(readFileSync(join(place.project, '.claude/settings.json'), 'utf8')).toBe('{}');
    const [decision] = loggedEvents(place).filter(({ event }) => event === 'decision');
    expect(decision).toMatchObject({ decision: 'pre_approved', args: { command: own } });
    const isolation = expect.stringMatching(/^(?:bubblewrap|namespaces)$/);
    expect(decision).toMatchObject({ context: { isolation } });
    // The client tells of the outcome with the arguments that it ran.
    const after = inputs[client](place, command, { hook_event_name: 'PostToolUse' });
    await place.answer(after, { client, stage: 'after' });
    expect(loggedEvents(place).at(-1)).toMatchObject({
      event: 'outcome',
      call: decision?.call,
      outcome: 'completed',
    });
  });

  it('is judged as unconfined if the client ignores changed arguments, or confinement is off', async () => {
    const place = placeWithScript();
    const refused = await place.answer(inputs.opencode(place, 'bash ./build.sh'), {
      client: 'opencode',
      confines: true,
    });
    expect(refused.stdout).toContain('confined-only');
    expect(decided(await place.answer(place.bash('bash ./build.sh')))[1]).toContain('confined-only');
  });

  it('is judged as unconfined if it does not run a shell', async () => {
    const place = placeWithScript();
    const call = place.call('Workflow', { script: 'x' });
    expect(decided(await place.answer(call, { confines: true }))[0]).toBe('deny');
  });

  it('stays confined if Claude Code asks, and the question names the command', async () => {
    const place = placeWithScript(usualPolicy);
    const written = await place.answer(place.bash('bash ./build.sh 9'), { confines: true });
    expect(decided(written)).toEqual(['ask', expect.stringContaining('bash ./build.sh 9')]);
    expect(commandIn(written.stdout, '')).toContain('/usr/bin/env -i AMBIT_CALL=');
  });

  it('is shown without the characters with which it could hide a part of itself', async () => {
    const place = placeWithScript(usualPolicy);
    const hidden = 'bash ./build.sh 9 \u001b[2K\r\u202e';
    const written = await place.answer(place.bash(hidden), { confines: true });
    const shown = 'bash ./build.sh 9 \\u{1b}[2K\\u{d}\\u{202e}';
    expect(decided(written)).toEqual(['ask', expect.stringContaining(shown)]);
  });

  it('is asked in `ambit approvals` if Copilot would run it unconfined after its own question', async () => {
    const place = placeWithScript(usualPolicy);
    const options = { client: 'copilot', confines: true } as const;
    const { stdout } = await place.answer(inputs.copilot(place, 'bash ./build.sh 9'), options);
    expect(stdout).toContain('"permissionDecision":"deny"');
    expect(stdout).toContain('ambit approvals approve');
  });

  it('has no kept answer of the run where it is not confined as it was then', async () => {
    const place = new HookPlace();
    place.write('build.sh', 'true');
    const call = inputs.copilot(place, 'bash ./build.sh');
    const answerTo = async (confines: boolean) => {
      const { stdout } = await place.answer(call, { client: 'copilot', confines });
      await place.answer(call, { client: 'copilot', stage: 'after' });
      return /"permissionDecision":"(\w+)"/.exec(stdout)?.[1];
    };
    expect(await answerTo(true)).toBe('deny');
    await approveForRun(place);
    expect([await answerTo(true), await answerTo(true)]).toEqual(['allow', 'allow']);
    expect(await answerTo(false)).toBe('ask');
    expect(await answerTo(true)).toBe('allow');
  });

  it('is confined only if its program is unknown', async () => {
    const place = placeWithScript();
    const { stdout } = await place.answer(place.bash('echo hi > out/a'), { confines: true });
    expect(stdout).not.toContain('updatedInput');
  });

  it('is not taken for confined because it resembles a confined line', async () => {
    const place = placeWithScript(usualPolicy.replace('default: needs_approval', 'default: blocked'));
    const call = place.bash('/usr/bin/env -i AMBIT_CALL=toolu_00000001 curl http://example.com/');
    expect(decided(await place.answer(call, { confines: true }))[0]).toBe('deny');
  });
});
