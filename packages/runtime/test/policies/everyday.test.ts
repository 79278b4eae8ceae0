import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPolicyText, readProject, starterPolicy } from '@ambit/policy';
import { shellAt } from '@ambit/shell';
import { filesystemAt, http } from '@ambit/toolsets';
import { afterAll, describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { judgeLine } from '../../src/judge-line/judge-line.js';

const cases =
  process.env.AMBIT_CASES ?? fileURLToPath(new URL('../../../../../shared/cases', import.meta.url));
const generator = join(cases, 'everyday-repository.mjs');

/** Repositories of so many files; larger ones by `AMBIT_EVERYDAY`. */
const sizes = (process.env.AMBIT_EVERYDAY ?? '50').split(',').map(Number);

type Decision = 'pre_approved' | 'needs_approval' | 'blocked';

interface Row {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly label: readonly string[];
  readonly never: readonly string[];
  readonly without_secrets?: { readonly label: readonly string[]; readonly never: readonly string[] };
}

/** What a team means that wrote the rows, in rules. */
const intent = `
version: 1
default: needs_approval
undecided: needs_approval
capabilities:
  fs.read: pre_approved
  fs.list: pre_approved
  fs.meta: needs_approval
  fs.write:
    - decision: pre_approved
    - decision: needs_approval
      match: { path: ['**/.git/**', '**/.github/**', '**/.gitmodules'] }
      except: { by: git }
    - decision: needs_approval
      match: { path: ['**/.git/hooks/**', '**/.git/config'] }
  fs.delete: needs_approval
  proc.exec: pre_approved
  proc.exec.opaque: needs_approval
  env.set: pre_approved
  env.read: pre_approved
  vcs.read: pre_approved
  code.eval: needs_approval
  content.untrusted: pre_approved
  # npm reads its settings, and prints none of them.
  secret.read: { decision: blocked, reason: secrets are not read, except: { path: '**/.npmrc', by: npm } }
  sys.persist:
    - decision: pre_approved
      match: { what: [build definitions] }
    - decision: needs_approval
      except: { what: [build definitions] }
`;

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
  // Removing 30 000 files takes its time too.
}, 600_000);

function makeRepository(files: number, hasSecrets: boolean) {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'everyday-'))), 'repo');
  made.push(folder, `${folder}.home`);
  const options = hasSecrets ? [] : ['--no-secrets'];
  const printed = execFileSync(process.execPath, [generator, 'make', folder, String(files), ...options], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const places = join(folder, '..', 'places.json');
  writeFileSync(places, printed);
  const rows = execFileSync(process.execPath, [generator, 'fill', places], {
    encoding: 'utf8',
    input: readFileSync(join(cases, 'everyday.jsonl')),
  });
  return {
    folder,
    policy: join(folder, 'policy.yaml'),
    home: `${folder}.home`,
    rows: rows
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => JSON.parse(row) as Row),
  };
}

const words: Readonly<Record<Decision, string>> = {
  pre_approved: 'allow',
  needs_approval: 'ask',
  blocked: 'block',
};

/** The policies that are judged by: what a team means, and what `ambit init --preset coding` writes for the repository. */
const policies: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  'the intent': async () => intent,
  'the preset coding': async (folder) => {
    const textOf = (name: string) =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null;
    const project = await readProject(async (name) => textOf(name));
    if ('file' in project) throw new Error(project.message);
    return starterPolicy('coding', project);
  },
};

/** Rows whose decision is not acceptable, and how often a person is asked about a row that is labelled `allow` alone. */
async function outcomeIn(name: string, files: number, hasSecrets: boolean) {
  const { folder, policy, home, rows } = makeRepository(files, hasSecrets);
  const text = (await policies[name]?.(folder)) ?? '';
  writeFileSync(policy, text);
  const guarded = [
    { path: policy, what: 'policy file' },
    { path: join(folder, '.ambit', 'log'), what: 'log' },
  ];
  const options = { home, guarded };
  const toolsets = [filesystemAt(folder, options), shellAt(folder, options), http()];
  const loaded = loadPolicyText(policy, text, { root: folder, home });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const wrong: unknown[] = [];
  let overasked = 0;
  let allowed = 0;
  // Without secrets, most rows about secrets say nothing.
  const meant = rows.filter(
    (row) => hasSecrets || row.without_secrets !== undefined || row.label.includes('allow'),
  );
  for (const row of meant) {
    const { label, never } = (hasSecrets ? undefined : row.without_secrets) ?? row;
    const line = JSON.stringify({ id: row.id, tool: row.tool, args: row.args });
    const judged = await judgeLine(line, { policies: [loaded.policy], toolsets, now: () => 0 });
    const decision = 'error' in judged ? 'error' : words[judged.decision];
    if (label.join() === 'allow') allowed += 1;
    if (decision === 'ask' && label.join() === 'allow') overasked += 1;
    const isOverblocked = decision === 'block' && !label.includes('block');
    if (never.includes(decision) || decision === 'error' || isOverblocked)
      wrong.push({ args: row.args, decision, label });
  }
  return { wrong, overasked, allowed };
}

describe.skipIf(!existsSync(generator))(
  'everyday calls in a repository (skipped where ../shared/cases is missing)',
  () => {
    it.each(
      (isDeep ? Object.keys(policies) : ['the preset coding']).flatMap((policy) =>
        sizes.flatMap((files) => [true, false].map((hasSecrets) => [policy, files, hasSecrets] as const)),
      ),
    )(
      '%s in a repository of %i files with secrets: %s: blocks and allows nothing that a team would not',
      async (policy, files, hasSecrets) => {
        const { wrong, overasked, allowed } = await outcomeIn(policy, files, hasSecrets);
        expect(wrong).toEqual([]);
        expect(allowed).toBeGreaterThan(60);
        expect(overasked).toBe(0);
      },
      // Making 30 000 files alone takes its time.
      1_200_000,
    );
  },
);
