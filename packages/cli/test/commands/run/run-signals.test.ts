import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { StoredPlace } from '../store/stored.js';

const program = fileURLToPath(new URL('../../../dist/launch.cjs', import.meta.url));

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\n',
  'w.worker':
    'sandbox: { paths: { out: { root: ., mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nWrite.\n',
  'script.yaml': 'w:\n  - call: [{ tool: write_file, args: { path: out/a, content: x } }]\n  - say: done\n',
};

/** The program in a process of its own, and its output on stderr so far. */
function begun(place: StoredPlace, argv: readonly string[]) {
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: place.root,
    env: { ...process.env, ...place.environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, said: () => text };
}

/** A run that waits for a person, and is sent a signal then; what its process ends with. */
async function signalled(signal: NodeJS.Signals) {
  const place = new StoredPlace();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.root, name), text);
  const argv = ['run', 'w', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--wait', '--quiet'];
  const { child, said } = begun(place, argv);
  // All that it says has arrived only when its streams are closed.
  const exited = once(child, 'close');
  while ((await place.read((store) => store.questions())).length === 0)
    if (child.exitCode !== null) throw new Error(said());
  child.kill(signal);
  const [exit] = (await exited) as [number | null];
  const [run] = await place.read((store) => store.runs());
  const [question] = await place.read((store) => store.questions());
  if (run === undefined || question === undefined) throw new Error(said());
  return { place, exit, said: said(), run, question };
}

describe('ambit run', () => {
  it.each([
    ['SIGTERM', 'the process was terminated'],
    ['SIGHUP', 'the process was terminated'],
    ['SIGINT', 'interrupted by the user'],
  ] as const)(
    'parks a run at %s, says how to resume it, and keeps its question waiting',
    async (signal, why) => {
      const { place, exit, said, run, question } = await signalled(signal);
      expect([exit, run.status, question.state]).toEqual([1, 'parked', 'waiting']);
      expect(said).toContain(`${run.id} parked: ${why}\n`);
      expect(said).toContain(`run --resume ${run.id}\n`);
      expect((await place.ambit('approvals', 'approve', question.question.id)).exit).toBe(0);
      expect(await place.ambit('run', '--resume', run.id, '--park')).toMatchObject({
        exit: 0,
        out: 'done\n',
      });
      expect(existsSync(join(place.root, 'a'))).toBe(true);
    },
  );

  it('ends at the second signal, even if a thread is blocked on a pipe', async () => {
    const place = new StoredPlace();
    const waiting = {
      'policy.yaml': 'version: 1\ndefault: pre_approved\n',
      'w.worker': 'toolsets: { ./wait.mjs: {} }\n---\nWait.\n',
      'script.yaml': 'w: [{ call: [{ tool: wait, args: {} }] }]\n',
      'wait.mjs': moduleThatWaits,
    };
    for (const [name, text] of Object.entries(waiting)) writeFileSync(join(place.root, name), text);
    execFileSync('mkfifo', [join(place.root, 'pipe')]);
    const argv = [
      'run',
      'w',
      '--policy',
      'policy.yaml',
      '--open',
      '--model',
      'script:script.yaml',
      '--strict',
    ];
    const { child, said } = begun(place, argv);
    const exited = once(child, 'exit');
    while (!said().includes('the tool waits')) {
      if (child.exitCode !== null) throw new Error(said());
      await wait(20);
    }
    while (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await wait(50);
    }
    expect((await exited)[1]).toBe('SIGTERM');
    rmSync(place.folder, { recursive: true });
  });
});

const moduleThatWaits = `
import { open } from 'node:fs/promises';
export default {
  name: 'wait',
  capabilities: [],
  tools: [{
    name: 'wait',
    description: 'Waits.',
    input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
    describe: () => ({ capabilities: [] }),
    execute: async () => {
      process.stderr.write('the tool waits\\n');
      await open('pipe', 'r');
      return null;
    },
  }],
};
`;
