import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from './timing.js';
import { workloadOf } from './workload.js';

/** Whole processes by the clock: `decide` and a hook on one call, to `node -e 0` of the same round, without and with a durable write. */
const rounds = 15;
const durableWrite =
  'const fs = require("node:fs"); const to = fs.openSync("durable", "a"); fs.writeSync(to, "x".repeat(1000)); fs.fsyncSync(to)';
const program = join(process.cwd(), '../packages/cli/dist/launch.cjs');
const folder = mkdtempSync(join(tmpdir(), 'ambit-bench-'));
const state = join(folder, 'state');
const env = { HOME: folder, AMBIT_HOME: state };
const started: ReturnType<typeof spawn>[] = [];
try {
  const hook = (policy: string) => [
    'hook',
    'claude-code',
    '--policy',
    policy,
    '--home',
    folder,
    '--state',
    state,
  ];
  for (const rules of [10, 100, 1_000]) {
    const { text, requests } = workloadOf(rules);
    const policy = join(folder, `${rules}.yaml`);
    writeFileSync(policy, text);
    const line = JSON.stringify({ tool: 'bench.call', capabilities: requests[0]?.capabilities });
    say(`${rules} rules, decide`, ['decide', '--policy', policy], `${line}\n`);
    say(`${rules} rules, hook`, hook(policy), callOf(`plain-${rules}`));
  }
  started.push(
    spawn(process.execPath, [program, 'hook', '--resident', '--home', folder, '--state', state], { env: {} }),
  );
  for (let tries = 0; tries < 600 && !existsSync(join(state, 'resident/judge.sock')); tries += 1)
    await wait(50);
  for (const rules of [10, 1_000]) {
    const policy = join(folder, `${rules}.yaml`);
    say(
      `${rules} rules, hook with a resident judge`,
      [...hook(policy), '--resident'],
      callOf(`resident-${rules}`),
    );
  }
} finally {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

function callOf(session_id: string): string {
  const input = { file_path: join(folder, 'a.txt') };
  const call = { session_id, cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'Read' };
  return JSON.stringify({ ...call, tool_input: input });
}

/** The first round reads the policy, and is not counted. */
function say(what: string, args: readonly string[], input: string): void {
  const first = run([program, ...args], input);
  const ratios = Array.from({ length: rounds }, () => {
    const own = run([program, ...args], input);
    return { bare: own / run(['-e', '0'], ''), durable: own / run(['-e', durableWrite], '') };
  });
  const [bare, durable] = [ratios.map((each) => each.bare), ratios.map((each) => each.durable)].map((each) =>
    median(each).toFixed(2),
  );
  process.stdout.write(
    `${what}: ${bare} times node -e 0, ${durable} times that and one durable write (the first ${first.toFixed(0)} ms)\n`,
  );
}

function run(args: readonly string[], input: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}
