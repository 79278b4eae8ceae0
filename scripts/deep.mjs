import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runQuietly } from './process.mjs';
import { root } from './workspace.cjs';

/** The parts that run generated lines: the package and the worker of each, and how many lines it takes by itself. */
const parts = {
  compare: { package: 'shell', worker: 'main', usual: 2000, what: 'against bash' },
  outputs: {
    package: 'runtime',
    worker: 'outputs',
    usual: 60 * Number(process.env.AMBIT_TEST_DEPTH ?? 10),
    what: 'in a project with secrets',
  },
};
const namespaces = ['--mount', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child'];

/**
 * Runs command lines, each in a namespace of its own. `compare` compares what the shell toolset says about them with what
 * bash does; `outputs` looks for secrets in what the lines print that are allowed without a question. Without given lines
 * they are generated: `AMBIT_DEEP_LINES`, `AMBIT_SEED`, `AMBIT_DEEP_FROM` (0) and `AMBIT_DEEP_WORKERS` choose them. Needs
 * a build.
 */
export async function deep(name, say, given) {
  const { package: owner, worker: program, usual, what } = parts[name];
  const lines = given.length > 0 ? given.length : numberOf('AMBIT_DEEP_LINES', usual);
  const seed = numberOf('AMBIT_SEED', randomInt(1, 1_000_000));
  const from = given.length > 0 ? 0 : numberOf('AMBIT_DEEP_FROM', 0);
  const workers = numberOf('AMBIT_DEEP_WORKERS', Math.min(2, availableParallelism()));
  const why = problem();
  if (why !== null) {
    say(`${why}: ${lines} command lines are skipped`);
    process.stdout.write(`0 passed, 0 failed, ${lines} skipped\n`);
    return;
  }
  say(`${lines} command lines ${what}, AMBIT_SEED=${seed} AMBIT_DEEP_FROM=${from}`);
  await runQuietly(
    'tsup',
    [`test/deep/${program}.ts`, '--config', '../../tsup.config.js', '--out-dir', 'dist-deep'],
    { cwd: join(root, 'packages', owner) },
  );
  const total = { lines: 0, opaque: 0, run: 0, cut: 0, failed: 0, untraced: 0 };
  const reached = { lines: 0 };
  const shares = Array.from({ length: workers }, (_, part) => [
    `packages/${owner}/dist-deep/${program}.js`,
    seed,
    from + part,
    workers,
    from + lines,
    ...given,
  ]);
  await Promise.all(shares.map((args) => worker(args, { total, reached, say })));
  const percent = total.lines === 0 ? 0 : Math.round((100 * (total.lines - total.opaque)) / total.lines);
  say(
    `${percent} % of ${total.lines} lines are described without anything opaque; ${total.run} were run, ${total.cut} of them cut short`,
  );
  if (total.failed > 0)
    say(`run these again with AMBIT_SEED=${seed} AMBIT_DEEP_LINES=${lines} npm run test:deep -- ${name}`);
  const skipped = total.untraced === 0 ? '' : `, ${total.untraced} skipped`;
  process.exitCode = total.failed === 0 ? 0 : 1;
  process.stdout.write(`${total.lines - total.failed} passed, ${total.failed} failed${skipped}\n`);
}

function numberOf(name, usual) {
  const text = process.env[name];
  if (text === undefined || text === '') return usual;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} is a number, not ${text}`);
  return Number(text);
}

/** As root, no other user is needed; otherwise a user namespace. */
function unshareArguments() {
  return process.geteuid?.() === 0 ? namespaces : ['--user', '--map-root-user', ...namespaces];
}

/** Why lines cannot be run and traced here; null if they can. */
function problem() {
  if (process.platform !== 'linux') return 'only Linux has these namespaces';
  const traced = spawnSync('strace', [
    '-f',
    '--seccomp-bpf',
    '-e',
    'trace=execve',
    '-o',
    '/dev/null',
    'true',
  ]);
  if (traced.error !== undefined) return '`strace` is missing (apt-get install strace)';
  if (traced.status !== 0) return 'processes cannot be traced here';
  const inner = ['unshare', '-U', '-p', '-m', '-f', '--mount-proc', 'true'];
  const mounted = [
    'sh',
    '-c',
    `mount --make-rprivate / && mount -t tmpfs tmpfs /tmp && exec ${inner.join(' ')}`,
  ];
  if (spawnSync('unshare', [...unshareArguments(), ...mounted]).status !== 0)
    return 'namespaces are not permitted here';
  return null;
}

/** Runs some of the lines, and adds to the totals. A worker that ends early counts as one failed. */
async function worker(args, { total, reached, say }) {
  const script = [
    join(root, 'packages/shell/test/deep/namespace.sh'),
    root,
    join(root, '../shared/cases'),
    realpathSync(process.execPath),
  ];
  const child = spawn('nice', ['unshare', ...unshareArguments(), 'bash', ...script, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
  });
  let isDone = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const { miss, done, untraced, progress } = JSON.parse(line);
    if (progress !== undefined) reached.lines += 200;
    if (progress !== undefined && reached.lines % 10_000 === 0) say(`${reached.lines} lines so far`);
    if (untraced !== undefined) say(untraced);
    if (miss !== undefined) say(textOf(miss));
    if (done === undefined) continue;
    isDone = true;
    for (const key of Object.keys(total)) total[key] += done[key];
  }
  if (isDone) return;
  say('a worker ended before its lines did');
  total.lines += 1;
  total.failed += 1;
}

function textOf({ index, line, original, misses, capabilities }) {
  const from = original === line ? '' : `\n  shrunk from ${original}`;
  const said = capabilities
    .map((each) => `\n  described: ${JSON.stringify(each).slice(0, 300)}`)
    .slice(0, 12);
  return `line ${index}: ${line}${from}${misses.map((each) => `\n  missing: ${each}`).join('')}${said.join('')}`;
}
