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
  { id: 2, tool: 'filesystem.write_file', args: { path: 'out/a.md', content: 'x' } },
  {
    id: 3,
    tool: 'web.get',
    worker: ['main', 'helper'],
    capabilities: [{ name: 'net.connect', host: 'a.example' }],
  },
];

/**
 * Keeps beside the bundle what V8 compiled of it while it decided a call, for `src/launch.ts`. It belongs to the version of Node
 * that builds; another one refuses it.
 */
const path = resolve(process.argv[2], 'decide.cjs');
const folder = mkdtempSync(join(tmpdir(), 'ambit-build-'));
try {
  const code = readFileSync(path, 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: path,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
  const answers = await decideSamples(module.exports);
  if (!/"decision":"blocked"/.test(answers)) throw new Error(`the bundle does not decide: ${answers}`);
  writeFileSync(`${path}.cache.new`, script.createCachedData());
  renameSync(`${path}.cache.new`, `${path}.cache`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function decideSamples({ plainOptions, runDecide }) {
  writeFileSync(join(folder, 'policy.yaml'), samplePolicy);
  const argv = ['decide', '--policy', 'policy.yaml'];
  const said = [];
  const stream = () =>
    new Writable({
      write: (chunk, _, done) => {
        said.push(String(chunk));
        done();
      },
    });
  const exit = await runDecide(
    { argv, options: plainOptions(argv) },
    {
      stdin: Readable.from(sampleCalls.map((call) => Buffer.from(`${JSON.stringify(call)}\n`))),
      stdout: stream(),
      stderr: stream(),
      environment: { HOME: folder },
      program: 'ambit',
      folder,
      machinePolicy: join(folder, 'none.yaml'),
      interrupt: () => undefined,
      onInterrupt: () => () => undefined,
    },
  );
  if (exit !== 0) throw new Error(`the bundle does not decide: ${said.join('')}`);
  return said.join('');
}
