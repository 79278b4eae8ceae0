import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './timing.js';
import { workloadOf } from './workload.js';

/** Whole processes, in milliseconds of the clock. */
export interface ProgramTimes {
  readonly node: number;
  readonly program: number;
  readonly launcher: number;
  /** The time divided by that of `node -e 0` in the same round; the median of the rounds. */
  readonly ratio: number;
  readonly launcherRatio: number;
}

const rounds = 31;

/** `ambit decide` on one call with a policy of 100 rules, and `node -e 0`, in turn. `root` is the repository. */
export function timeProgram(root: string): ProgramTimes {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-bench-'));
  try {
    const { text, requests } = workloadOf(100);
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, text);
    const input = `${JSON.stringify({ tool: 'bench.call', capabilities: requests[0]?.capabilities })}\n`;
    const program = [join(root, 'packages/cli/dist/launch.cjs'), 'decide', '--policy', policy];
    const launcher = [join(root, 'bin/ambit'), 'decide', '--policy', policy];
    const samples = { node: [] as number[], program: [] as number[], launcher: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      samples.node.push(run(['-e', '0'], { folder, input: '' }));
      samples.program.push(run(program, { folder, input }));
      samples.launcher.push(run(launcher, { folder, input }));
    }
    const ratioOf = (times: readonly number[]) =>
      median(times.map((time, round) => time / (samples.node[round] as number)));
    return {
      ratio: ratioOf(samples.program),
      launcherRatio: ratioOf(samples.launcher),
      node: median(samples.node),
      program: median(samples.program),
      launcher: median(samples.launcher),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[], { folder, input }: { folder: string; input: string }): number {
  const start = process.hrtime.bigint();
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  const took = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0 || (input !== '' && !stdout.includes('"decision"')))
    throw new Error(`${args[0]}: ${stderr}`);
  return took;
}
