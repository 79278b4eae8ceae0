import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPolicyText } from '@ambit/policy';
import { shellAt } from '@ambit/shell';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeLine } from '../../src/judge-line/judge-line.js';

const cases =
  process.env.AMBIT_CASES ?? fileURLToPath(new URL('../../../../../shared/cases', import.meta.url));
/**
 * Commands as `{"command": …}` lines. It takes minutes, so it runs where it is asked for: `AMBIT_COMMANDS=public` measures the
 * public cases and holds them at a bound, `AMBIT_COMMANDS=FILE` measures another file.
 */
const { AMBIT_COMMANDS: given } = process.env;
const file = given === undefined || given === 'public' ? join(cases, 'agents.jsonl') : given;

const base = realpathSync(mkdtempSync(join(tmpdir(), 'agent-commands-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Permits what only reads in the folder, and what else is named. */
const permitting = (...more: readonly string[]) => `
version: 1
default: needs_approval
undecided: needs_approval
capabilities:
  fs.list: pre_approved
  fs.read: pre_approved
  proc.exec: pre_approved
  env.set: pre_approved
  env.read: pre_approved
  vcs.read: pre_approved
  content.untrusted: pre_approved
  secret.read: blocked
${more.map((name) => `  ${name}: pre_approved\n`).join('')}`;

/** Where agents work in these commands; here it is the folder. */
const workplaces = /(?<![\w./~-])\/(?:workspace|testbed|SWE-agent__test-repo)(?=[/\s"';]|$)/g;

async function shareAllowed(policy: string): Promise<number> {
  const [folder, home] = [join(base, 'work'), join(base, 'home')];
  for (const each of [folder, home]) mkdirSync(each, { recursive: true });
  const loaded = loadPolicyText('policy.yaml', policy, { root: folder, home });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const toolsets = [shellAt(folder, { home, guarded: [] })];
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  let allowed = 0;
  for (const row of rows) {
    const { command } = JSON.parse(row) as { readonly command: string };
    const line = JSON.stringify({
      tool: 'shell.run',
      args: { command: command.replaceAll(workplaces, folder) },
    });
    const judged = await judgeLine(line, { policies: [loaded.policy], toolsets, now: () => 0 });
    if ('decision' in judged && judged.decision === 'pre_approved') allowed += 1;
  }
  return allowed / rows.length;
}

describe.skipIf(given === undefined || !existsSync(file))('recorded agent commands', () => {
  // A third of the rows are commands of an agent's own interface, such as `edit 4:4`, which no shell has. The
  // others ask because they read, write or connect outside, run code of a project, or administer the machine.
  // Four rows ask because a construct or a program is not described.
  it.each<[string, number, readonly string[]]>([
    ['reads in the folder', 0.175, []],
    ['reads and writes in the folder', 0.2, ['fs.write']],
    ['writes in the folder and reads everywhere', 0.31, ['fs.write', 'fs.read.outside', 'fs.list.outside']],
  ])('run without a question if a policy permits %s: at least %d', async (what, least, names) => {
    const share = await shareAllowed(permitting(...names));
    process.stderr.write(`agent commands without a question, ${what}: ${(share * 100).toFixed(1)} %\n`);
    if (given === 'public') expect(share).toBeGreaterThanOrEqual(least);
  });
});
