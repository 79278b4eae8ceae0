import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from './timing.js';
import { workloadOf } from './workload.js';

/**
 * Whole processes: `decide` and a hook on one call, compared with `node -e 0` of the same round, without and with a durable
 * write. By the clock, and on Linux by processor time, which is more precise on a shared machine. A hook is the command that
 * `hook install` writes.
 */
const rounds = Number(process.env.ROUNDS ?? 15);
const durableWrite =
  'const fs = require("node:fs"); const to = fs.openSync("durable", "a"); fs.writeSync(to, "x".repeat(1000)); fs.fsyncSync(to)';
const program = join(process.cwd(), '../packages/cli/dist/launch.cjs');
const folder = mkdtempSync(join(tmpdir(), 'ambit-bench-'));
const state = join(folder, 'state');
const env = { HOME: folder, AMBIT_HOME: state };
const started: ReturnType<typeof spawn>[] = [];
try {
  for (const rules of [10, 100, 1_000]) {
    const { text, requests } = workloadOf(rules);
    const policy = join(folder, `${rules}.yaml`);
    writeFileSync(policy, text);
    const line = JSON.stringify({ tool: 'bench.call', capabilities: requests[0]?.capabilities });
    const decide = [process.execPath, program, 'decide', '--policy', policy] as const;
    say(`${rules} rules, decide`, decide, `${line}\n`);
    const [command, ...args] = installed(policy);
    const alone = args.filter((each) => each !== '--resident');
    say(`${rules} rules, hook`, [command, ...alone], callOf(`plain-${rules}`));
  }
  started.push(
    spawn(process.execPath, [program, 'hook', '--resident', '--home', folder, '--state', state], { env: {} }),
  );
  for (let tries = 0; tries < 600 && !existsSync(join(state, 'resident/judge.sock')); tries += 1)
    await wait(50);
  for (const rules of [10, 1_000]) {
    const policy = join(folder, `${rules}.yaml`);
    say(`${rules} rules, hook with a resident judge`, installed(policy), callOf(`resident-${rules}`));
  }
} finally {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

type Command = readonly [string, ...string[]];

/** The command that \`hook install\` writes. */
function installed(policy: string): Command {
  const words = ['hook', 'install', 'claude-code', '--dry-run', '--json', '--policy', policy];
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...env, PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const { after } = JSON.parse(stdout) as { readonly after: string };
  const { hooks } = JSON.parse(after) as {
    readonly hooks: { readonly PreToolUse: readonly [{ readonly hooks: readonly [Handler] }] };
  };
  const [{ command, args }] = hooks.PreToolUse[0].hooks;
  return [command, ...args];
}

interface Handler {
  readonly command: string;
  readonly args: readonly string[];
}

function callOf(session_id: string): string {
  const input = { file_path: join(folder, 'a.txt') };
  const call = { session_id, cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'Read' };
  return JSON.stringify({ ...call, tool_input: input });
}

/** The first round reads the policy, and is not counted. */
function say(what: string, command: Command, input: string): void {
  const first = run(command, input).clock;
  const taken = Array.from({ length: rounds }, () => ({
    own: run(command, input),
    bare: run([process.execPath, '-e', '0'], ''),
    durable: run([process.execPath, '-e', durableWrite], ''),
  }));
  const ratio = (to: 'bare' | 'durable') =>
    median(taken.map((round) => round.own.clock / round[to].clock)).toFixed(2);
  // Each has been rounded to ten milliseconds, but their sums have not.
  const sum = (of: 'own' | 'bare') => taken.reduce((total, round) => total + round[of].processor, 0);
  process.stdout.write(
    `${what}: ${ratio('bare')} times node -e 0, ${ratio('durable')} times that and one durable write (the first ${first.toFixed(0)} ms); ${(sum('own') / sum('bare')).toFixed(2)} times node -e 0 by processor time\n`,
  );
}

function run([started, ...args]: Command, input: string) {
  const [start, before] = [performance.now(), processorTime()];
  const { status, stderr } = spawnSync(started, args, { cwd: folder, env, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { clock: performance.now() - start, processor: processorTime() - before };
}

/** Of the ended children of this process, in hundredths of a second. */
function processorTime(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const [user, system] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').slice(13) ?? [];
  return Number(user) + Number(system);
}
