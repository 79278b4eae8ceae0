import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Script } from 'node:vm';

/** In which each kind of rule has a place. What is needed to decide these calls is what is kept. */
const samplePolicy = `version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  net: { decision: blocked, except: { host: "**.internal.example" }, reason: 'nothing leaves' }
  fs.write:
    - { decision: pre_approved, match: { path: [./out/**, /tmp/*.md] } }
    - { id: secrets, decision: blocked, match: { path: "**/.env" }, instead: the vault }
  app.pay: { decision: pre_approved, when: { "<=": [{ var: capability.amount }, 50] } }
  app.read: { decision: pre_approved, below: true }
tools:
  shell.run: needs_approval
workers:
  helper: { capabilities: { net: blocked } }
together:
  - { id: leak, capabilities: [secret.read, net.connect], within: run, decision: blocked }
`;
const sampleCalls = [
  { id: 1, tool: 'app.pay', capabilities: [{ name: 'app.pay', amount: 20 }, 'fs.read'] },
  { id: 2, tool: 'files.write', capabilities: [{ name: 'fs.write', path: '/tmp/a.md', effect: 'create' }] },
  {
    id: 3,
    tool: 'web.get',
    worker: ['main', 'helper'],
    capabilities: [{ name: 'net.connect', host: 'a.example' }],
  },
];
const sampleUses = [
  ['Bash', { command: 'ls -la src && git status | head -3' }],
  ['Read', { file_path: 'FOLDER/a.txt' }],
  ['Write', { file_path: 'FOLDER/.env', content: 'x' }],
  ['Bash', { command: 'for f in *.ts; do grep -n "a b" "$f" > out.txt; done' }],
];

const mark = /@BUILD:[0-9a-f]*@/;
const [dist, command] = process.argv.slice(2);
const quick = resolve(dist, 'quick.cjs');
const path = command === 'decide' ? resolve(dist, 'decide.cjs') : quick;
const folder = mkdtempSync(join(tmpdir(), 'ambit-build-'));
try {
  const build = buildOf(readFileSync(quick, 'latin1'));
  // What asks a resident judge asks one of this very digest, and `decide` takes its forms of policies.
  for (const name of ['quick.cjs', 'launch.cjs', 'decide.cjs']) {
    const file = resolve(dist, name);
    writeFileSync(file, readFileSync(file, 'latin1').replace(mark, build), 'latin1');
  }
  writeFileSync(join(folder, 'policy.yaml'), samplePolicy);
  const inputs = sampleInputs();
  const environment = { HOME: folder, AMBIT_HOME: join(folder, 'state') };
  const hook = ['hook', 'claude-code', '--policy', join(folder, 'policy.yaml'), '--home', folder];
  const argv = {
    decide: ['decide', '--policy', 'policy.yaml'],
    hook: [...hook, '--state', environment.AMBIT_HOME],
  }[command];
  // Another process reads the policy, so that its reader is not part of what is kept.
  const first = spawnSync(process.execPath, [resolve(dist, 'launch.cjs'), ...argv], {
    cwd: folder,
    env: environment,
    input: inputs[0],
  });
  if (first.status !== 0) throw new Error(`the bundle does not work: ${String(first.stderr)}`);
  keepCode(await run({ code: readFileSync(path, 'latin1'), build, argv, inputs, environment }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The digest of the bundle that judges, which kept forms of policies belong to. */
function buildOf(built) {
  return `@BUILD:${createHash('sha256').update(built.replace(mark, ''), 'latin1').digest('hex')}@`;
}

function sampleInputs() {
  if (command === 'decide') return [sampleCalls.map((call) => `${JSON.stringify(call)}\n`).join('')];
  return sampleUses.map(([tool_name, tool_input]) => {
    const input = JSON.parse(JSON.stringify(tool_input).replaceAll('FOLDER', folder));
    const call = { session_id: 'build', cwd: folder, hook_event_name: 'PreToolUse', tool_name };
    return JSON.stringify({ ...call, tool_input: input });
  });
}

async function run({ code, build, argv, inputs, environment }) {
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: path,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
  const { quickCall, runQuick, decideLines } = module.exports;
  for (const input of inputs) {
    const written = [];
    const stream = () =>
      new Writable({
        write: (chunk, _, done) => {
          written.push(String(chunk));
          done();
        },
      });
    const host = {
      stdin: Readable.from([Buffer.from(input)]),
      stdout: stream(),
      stderr: stream(),
      environment,
      program: 'ambit',
      build,
      folder,
      machinePolicy: join(folder, 'none.yaml'),
      interrupt: () => undefined,
      onInterrupt: () => () => undefined,
    };
    const call = quickCall(argv);
    const streams = {
      input: () => host.stdin,
      write: async (text) => void host.stdout.write(text),
    };
    const whole = () => Promise.reject(new Error('the bundle of `decide` is not enough'));
    const exit =
      command === 'decide'
        ? await decideLines({ argv, options: call.options, host, streams, whole })
        : await runQuick({ argv, call }, host);
    if (exit !== 0 || !/"decision":"blocked"|"permissionDecision"/.test(written.join('')))
      throw new Error(`the bundle does not work: ${written.join('')}`);
  }
  return script;
}

/**
 * Keeps beside the bundle what V8 compiled of it for one use, for `src/launch.ts`. It belongs to the version of Node that
 * builds; another one refuses it.
 */
function keepCode(script) {
  const cache = `${path}.cache`;
  writeFileSync(`${cache}.new`, script.createCachedData());
  renameSync(`${cache}.new`, cache);
}
