import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Script } from 'node:vm';

/** Has every kind of rule. The cache keeps the code that is compiled while these calls are decided. */
const samplePolicy = `version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  proc.exec.opaque: needs_approval
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
const sampleCommands = [
  '--help',
  'check policy.yaml',
  'run main --policy policy.yaml --strict --model script:script.yaml --log log.jsonl',
  'log verify log.jsonl',
  'log query log.jsonl',
  'replay log.jsonl --policy policy.yaml',
  `explain --policy policy.yaml ${JSON.stringify(sampleCalls[0])}`,
  'approvals list',
];
const sampleScript = `main:
  - call:
      - { tool: read_file, args: { path: policy.yaml } }
      - { tool: run, args: { command: ls -la } }
  - say: done
`;
/** A server of MCP, and what a client sends. */
const sampleServer = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const tools = [{ name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
  const greeting = { protocolVersion: params?.protocolVersion, serverInfo: { name: 's', version: '1' } };
  const results = {
    initialize: { ...greeting, capabilities: { tools: {} } },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;
const client = { protocolVersion: '2025-11-25', clientInfo: { name: 'c', version: '1' }, capabilities: {} };
const sampleMessages = [
  { id: 1, method: 'initialize', params: client },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } },
];
const sampleUses = [
  ['Bash', { command: 'ls -la src && git status | head -3' }],
  ['Read', { file_path: 'FOLDER/a.txt' }],
  ['Write', { file_path: 'FOLDER/.env', content: 'x' }],
  ['Bash', { command: 'for f in *.ts; do grep -n "a b" "$f" > out.txt; done' }],
];

const mark = /@BUILD:[0-9a-f]*@/;
const dist = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'ambit-build-'));
const policy = join(folder, 'policy.yaml');
const build = buildOf(readFileSync(join(dist, 'quick.cjs'), 'latin1'));
const environment = { HOME: folder, AMBIT_HOME: join(folder, 'state') };
const decide = ['decide', '--policy', 'policy.yaml'];
const hook = ['hook', 'claude-code', '--policy', policy, '--home', folder, '--state', environment.AMBIT_HOME];
try {
  // A hook asks only a resident judge with the same digest, and `decide` uses only checked forms with it.
  for (const name of ['quick.cjs', 'launch.cjs', 'decide.cjs']) {
    const file = join(dist, name);
    writeFileSync(file, readFileSync(file, 'latin1').replace(mark, build), 'latin1');
  }
  writeFileSync(policy, samplePolicy);
  writeFileSync(
    join(folder, 'main.worker'),
    'description: works\ntoolsets: { filesystem: {}, shell: {} }\n---\nWork.\n',
  );
  writeFileSync(join(folder, 'script.yaml'), sampleScript);
  const lines = sampleCalls.map((call) => `${JSON.stringify(call)}\n`).join('');
  // Another process reads the policy, so that its reader is not part of what is kept of `decide` and `hook`.
  const first = spawnSync(process.execPath, [join(dist, 'launch.cjs'), ...decide], {
    cwd: folder,
    env: environment,
    input: lines,
  });
  if (first.status !== 0) throw new Error(`the bundle does not work: ${String(first.stderr)}`);
  await keepCode(
    'decide.cjs',
    [{ argv: decide, input: lines }],
    ({ quickCall, decideLines }, { argv, host }) => {
      const streams = { input: () => host.stdin, write: async (text) => void host.stdout.write(text) };
      const whole = () => Promise.reject(new Error('the bundle of `decide` is not enough'));
      return decideLines({ argv, options: quickCall(argv).options, host, streams, whole });
    },
  );
  const uses = sampleUses.map(hookInput).map((input) => ({ argv: hook, input }));
  await keepCode('quick.cjs', uses, ({ runHook }, { argv, host }) => runHook(argv, host));
  writeFileSync(join(folder, 'server.cjs'), sampleServer);
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'open.yaml'), 'version: 1\ndefault: pre_approved\n');
  const gateway = [
    'gateway',
    '--policy',
    'open.yaml',
    '--root',
    'empty',
    '--',
    process.execPath,
    'server.cjs',
  ];
  await keepCode(
    'main.cjs',
    [...sampleCommands.map((words) => ({ argv: words.split(' ') })), { argv: gateway, input: answered }],
    ({ runProgram }, { argv, host }) => runProgram(argv, host),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The digest of the bundle that judges, which kept forms of policies belong to. */
function buildOf(built) {
  return `@BUILD:${createHash('sha256').update(built.replace(mark, ''), 'latin1').digest('hex')}@`;
}

function hookInput([tool_name, tool_input]) {
  const input = JSON.parse(JSON.stringify(tool_input).replaceAll('FOLDER', folder));
  const call = { session_id: 'build', cwd: folder, hook_event_name: 'PreToolUse', tool_name };
  return JSON.stringify({ ...call, tool_input: input });
}

/** Each message of a client once the one before is answered. */
async function* answered(written) {
  for (const message of sampleMessages) {
    yield Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    for (let waited = 0; message.id && !written.join('').includes(`"id":${message.id}`); waited += 5) {
      if (waited > 60_000)
        throw new Error(`the bundle does not work: the gateway does not answer ${message.method}`);
      await setTimeout(5);
    }
  }
}

/**
 * Runs samples, and keeps beside the bundle what V8 compiled for them, for `src/launch.ts`. It belongs to the version of
 * Node that builds; another one refuses it.
 */
async function keepCode(name, samples, run) {
  const path = join(dist, name);
  const built = readFileSync(path, 'latin1');
  const digest = createHash('sha256').update(built, 'latin1').digest('hex');
  const code = `${built}\n//${digest}`;
  writeFileSync(path, code, 'latin1');
  const script = new Script(code, { filename: path });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dist, (key) => import(key));
  for (const { argv, input = '' } of samples) {
    const written = [];
    const exit = await run(module.exports, { argv, host: sampleHost(input, written) });
    if (exit !== 0 || written.length === 0 || written.join('').includes('"error"'))
      throw new Error(`the bundle does not work: ${argv.join(' ')}: ${written.join('')}`);
  }
  writeFileSync(`${path}.cache`, Buffer.concat([script.createCachedData(), Buffer.from(digest)]));
}

function sampleHost(input, written) {
  const stream = () =>
    new Writable({
      write: (chunk, _, done) => {
        written.push(String(chunk));
        done();
      },
    });
  return {
    stdin: Readable.from(typeof input === 'function' ? input(written) : [Buffer.from(input)]),
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
}
