import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createWorld, policyOf, type World } from '../world.js';

export const main = resolve(import.meta.dirname, '../../../cli/dist/launch.cjs');
const escaping = resolve(import.meta.dirname, '../servers/escaping.mjs');
const script = resolve(import.meta.dirname, '../servers/server.mjs');

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The program itself, before a server in one of its modes, and a client that reads when it is told to. */
export interface Program {
  readonly world: World;
  readonly child: ChildProcess;
  readonly send: (id: number, method: string, params: object) => void;
  /** All answers so far, by their ids. */
  readonly answers: ReadonlyMap<number, Message>;
  readonly read: () => void;
  /** The most memory that it had, in MB. */
  readonly peak: () => number;
  readonly pid: () => number;
  readonly ended: Promise<unknown>;
}

export async function started(
  mode: string,
  { flags = [], rules = '' }: { readonly flags?: readonly string[]; readonly rules?: string } = {},
): Promise<Program> {
  const world = createWorld(policyOf(`  mcp.call: pre_approved\n${rules}`));
  const server =
    mode === 'escaping'
      ? [process.execPath, escaping]
      : [process.execPath, script, mode, join(world.folder, 'asked')];
  const own = ['--policy', join(world.folder, 'policy.yaml'), '--root', world.folder, ...flags];
  const child = spawn(process.execPath, [main, 'gateway', ...own, '--', ...server], {
    cwd: world.folder,
    env: world.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.destroy();
    child.stdout.destroy();
    await ended;
  });
  // It may have ended.
  child.stdin.on('error', () => undefined);
  const answers = new Map<number, Message>();
  const send = (id: number, method: string, params: object) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const read = () =>
    void createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.id !== undefined) answers.set(message.id, message);
    });
  const clientInfo = { name: 'test', version: '1' };
  send(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const peak = () => {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  };
  return { world, child, send, answers, read, peak, pid: () => child.pid ?? 0, ended };
}
