import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadPolicyText, starterPolicy } from '@ambit/policy';
import { judgeLine } from '@ambit/runtime';
import { shellAt } from '@ambit/shell';
import { cwd, home, makeFixture, restore } from '../../../shell/test/deep/fixture.js';
import { started } from '../../../shell/test/deep/run-line.js';
import { type Checked, work } from '../../../shell/test/deep/worker.js';
import { gitLines } from './git-lines.js';
import { addSecrets, type Ids, marker } from './secrets.js';

let ids: Ids = {};
makeFixture(() => {
  ids = addSecrets();
});
const policy = join(cwd, 'policy.yaml');
const text = starterPolicy('coding');
const loaded = loadPolicyText(policy, text, { root: cwd, home });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
const toolsets = [shellAt(cwd, { home, guarded: [{ path: policy, what: 'policy file' }] })];
const policies = [loaded.policy] as const;

/** Files that are secrets by their names may hold the text, and so may the compressed objects of git. */
const isOwn =
  /(?:^|\/)(?:\.env[^/]*|credentials[^/]*|id_\w+|\.netrc)$|^\/home\/dev\/(?:secret\.txt|other\/)|\/objects\//;

const none = Buffer.alloc(0);
const stamp = '/run/stamp';
mark();

/** What is changed from now on is new. */
function mark(): void {
  writeFileSync(stamp, '');
}

/** The files that have changed since the last mark. */
function changed(): readonly string[] {
  const areas = ['/home', '/tmp', '/run', '/var/tmp', '/root', '/dev/shm'];
  const args = [...areas, '-cnewer', stamp, '-not', '-path', stamp, '-print0'];
  const { stdout } = spawnSync('find', args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  return stdout.split('\0').filter((path) => path !== '');
}

/** The marker with what is around it, in bytes or in what they are packed from. */
function leakIn(bytes: Buffer): string | null {
  const at = bytes.indexOf(marker);
  if (at >= 0) return JSON.stringify(bytes.subarray(Math.max(0, at - 40), at + 20).toString());
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? orNull(() => leakIn(gunzipSync(bytes))) : null;
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** A line that is allowed without a question neither shows nor copies a secret. */
async function check(line: string): Promise<Checked> {
  const call = JSON.stringify({ tool: 'shell.run', args: { command: line } });
  const judged = await judgeLine(call, { policies, toolsets, now: () => 0 });
  const capabilities = 'capabilities' in judged ? judged.capabilities : [];
  const idle = { capabilities, misses: [], cause: '', isRun: false, isCut: false };
  if (!('decision' in judged) || judged.decision !== 'pre_approved' || 'cannot' in judged) return idle;
  const { output, error } = started(line);
  const shown = ['output', 'errors'].map((name, at) => [`its ${name}`, leakIn(output?.[at + 1] ?? none)]);
  const paths = changed();
  const copied = paths
    .filter((path) => !isOwn.test(path) && orNull(() => lstatSync(path).isFile()) === true)
    .map((path) => [`the file ${path}`, orNull(() => leakIn(readFileSync(path)))]);
  if (paths.length > 0) {
    restore(paths);
    mark();
  }
  const leaks = [...shown, ...copied].filter(([, leak]) => leak !== null);
  const misses = leaks.map(([place, leak]) => `nothing: the line is allowed, and ${place} holds ${leak}`);
  const cause = misses.length > 0 ? (/git [\w-]+|\w+/.exec(line)?.[0] ?? '') : '';
  return { capabilities, misses, cause, isRun: true, isCut: error !== undefined };
}

await work(gitLines(ids), (line) => check(line.replaceAll(/@[A-Z]+@/g, (name) => ids[name] ?? name)));
