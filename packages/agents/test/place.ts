import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStateFolder, openStore } from '@ambit/runtime';
import { onTestFinished } from 'vitest';
import type { HookStage } from '../src/clients/client.js';
import { answerHook, type ClientName, type Written } from '../src/index.js';

export const usualPolicy = `version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  fs.list: pre_approved
  proc.exec: pre_approved
  proc.exec.opaque: needs_approval
  fs.write:
    - decision: pre_approved
      match: { path: ./out/** }
    - id: reserved
      decision: blocked
      match: { path: ./made.txt }
      reason: made.txt is reserved
      instead: write to out/
`;

/** A project, a home and a state folder of a test, and hook calls in them. */
export class HookPlace {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'agents-')));
  readonly project = join(this.base, 'project');
  readonly home = join(this.base, 'home');
  readonly state = join(this.base, 'state');
  readonly policy = join(this.base, 'policy.yaml');
  readonly environment = { HOME: this.home, AMBIT_HOME: this.state };

  constructor(policy = usualPolicy) {
    onTestFinished(() => rm(this.base, { recursive: true, force: true, maxRetries: 20 }));
    for (const folder of [this.project, this.home]) mkdirSync(folder);
    mkdirSync(join(this.project, '.git'));
    writeFileSync(this.policy, policy);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.project, name)), { recursive: true });
    writeFileSync(join(this.project, name), text);
  }

  answer(
    input: unknown,
    options: {
      readonly client?: ClientName;
      readonly stage?: HookStage;
      readonly policies?: readonly string[];
      readonly deadline?: number;
      readonly confines?: boolean;
      readonly approvals?: 'client' | 'ambit' | 'defer';
      readonly startedBy?: number | undefined;
    } = {},
  ): Promise<Written> {
    const {
      client = 'claude-code',
      stage = /"hook_event_name":"(?:Post|After)/.test(JSON.stringify(input)) ? 'after' : 'before',
      policies = [this.policy],
      deadline = Date.now() + 60_000,
      confines = false,
      approvals = 'client',
      startedBy = this.#agent(),
    } = options;
    return answerHook(typeof input === 'string' ? input : JSON.stringify(input), {
      client,
      stage,
      policies,
      environment: this.environment,
      searchPath: ['/usr/local/bin', '/usr/bin', '/bin'],
      deadline,
      confines,
      approvals,
      startedBy,
    });
  }

  /** The default agent of this place, started with no arguments. */
  #agent(): number | undefined {
    this.#agents ??= this.agent();
    return this.#agents;
  }
  #agents: number | undefined;

  /** An agent that was started with these words. */
  agent(...words: readonly string[]): number | undefined {
    return this.agentIn({ HOME: this.home }, ...words);
  }

  /** A script that waits: a shell starts in a fiftieth of the time of Node, and has the same words. */
  agentIn(env: Readonly<Record<string, string>>, ...words: readonly string[]): number | undefined {
    const file = join(this.base, 'agent');
    const titled = `exec ${process.execPath} -e 'process.title = "claude"; setInterval(() => 0, 1e5)' "$@"`;
    writeFileSync(file, `#!/bin/sh\n[ "$1" != title ] || ${titled}\nread line\n`, { mode: 0o755 });
    const agent = spawn(file, words, { stdio: ['pipe', 'ignore', 'ignore'], env });
    onTestFinished(() => void agent.kill('SIGKILL'));
    return agent.pid;
  }

  /** The input of Claude Code. */
  call(tool: string, args: object, more: object = {}): object {
    return {
      session_id: 'session-1',
      transcript_path: '/none',
      cwd: this.project,
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: args,
      ...more,
    };
  }

  bash(command: string, more: object = {}): object {
    return this.call('Bash', { command }, more);
  }
}

/** What Claude Code is answered: the decision and the reason. */
export function decided({ stdout, exit, stderr }: Written): readonly [string, string] {
  if (exit !== 0) return [`exit ${exit}`, stderr];
  const { permissionDecision, permissionDecisionReason } = (
    JSON.parse(stdout) as {
      hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
    }
  ).hookSpecificOutput;
  return [permissionDecision, permissionDecisionReason];
}

/** The events of the only log. */
export function loggedEvents({ state }: HookPlace): readonly Record<string, unknown>[] {
  const folder = join(state, 'log');
  const [project = ''] = readdirSync(folder);
  const [file = ''] = readdirSync(join(folder, project)).filter((name) => name.endsWith('.jsonl'));
  return readFileSync(join(folder, project, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Approves every open question, and keeps each answer for the same arguments in its run. */
export async function approveForRun(place: HookPlace): Promise<void> {
  const store = await openStore(await openStateFolder(place.environment, place.project));
  for (const { question, digest } of await store.questions()) {
    const keep = { remember: 'run', reach: 'arguments' } as const;
    const answer = { answer: 'approve', person: 'ada', keep } as const;
    await store.answer(question.id, { digest, answer, at: Date.now() });
  }
  await store.close();
}
