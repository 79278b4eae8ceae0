import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `action.yml` runs this in a checkout: `check`, `test`, and `diff` against the base of the pull request. If a policy changed or
 * something failed, it writes a comment to the file COMMENT. The exit code is the worst of all.
 */
const program = fileURLToPath(new URL('../../bin/ambit', import.meta.url));
const { POLICIES = '', SUITES = '', FAIL_ON = '', BASE = '', COMMENT = '' } = process.env;
const policies = POLICIES.split(/\s+/).filter((name) => name !== '');
const suites = SUITES.split(/\s+/).filter((name) => name !== '');

const sections = [];
let exit = 0;

/** Runs a command of the program, shows its output, and puts it into the comment if `isTold`. */
function ambit(title, args, isTold = ({ status }) => status !== 0) {
  const ran = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const status = ran.status ?? 2;
  const text = `${ran.stdout ?? ''}${ran.stderr ?? ''}${ran.error?.message ?? ''}`.trimEnd();
  process.stdout.write(`${title}\n${text}\n`);
  exit = Math.max(exit, status);
  if (isTold({ status, text })) sections.push(`### ${title}\n\n${fenced(text)}\n`);
}

/** A fence that the text cannot close, cut to what a comment takes. */
function fenced(text) {
  const shown = text.length <= 20_000 ? text : `${text.slice(0, 20_000)}\n… (see the log of this job)`;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

if (policies.length === 0) throw new Error('no policy is named: `policies` is empty');
ambit('ambit check', ['check', ...policies]);
if (suites.length > 0) ambit('ambit test', ['test', ...suites]);
if (BASE !== '') compare();
if (COMMENT !== '' && sections.length > 0) writeFileSync(COMMENT, `## Policies\n\n${sections.join('\n')}`);
process.exitCode = exit;

/** A policy is compared with the whole tree of the base, because it may extend other files. */
function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-base-'));
  const before = join(folder, 'base');
  try {
    const git = (...args) => execFileSync('git', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      git('cat-file', '-e', `${BASE}^{commit}`);
    } catch {
      git('fetch', '--depth=1', 'origin', BASE);
    }
    git('worktree', 'add', '--detach', before, BASE);
    const prefix = execFileSync('git', ['rev-parse', '--show-prefix'], { encoding: 'utf8' }).trim();
    for (const policy of policies) {
      const old = join(before, prefix, policy);
      const way = FAIL_ON === '' ? [] : ['--fail-on', FAIL_ON];
      const isChanged = ({ status, text }) => status !== 0 || !text.startsWith('equal:');
      if (existsSync(old)) ambit(`ambit diff ${policy}`, ['diff', old, policy, ...way], isChanged);
      else sections.push(`### ${policy}\n\nThis policy is new: nothing to compare it with.\n`);
    }
    git('worktree', 'remove', '--force', before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
