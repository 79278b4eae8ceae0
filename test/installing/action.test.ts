import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { isDeep } from '../depth.js';
import { root } from '../repository.js';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
  };
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
const closed = 'version: 1\ndefault: blocked\n';
const looser = `${closed}capabilities: { fs.read: pre_approved }\n`;
const suite = `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: x.y, capabilities: [net.connect] }
    expect: { decision: blocked }
`;

/** A checkout of a pull request, with the policy before and after it; runs the steps of the action there. */
function pullRequest(before: string | null, after: string) {
  const folder = mkdtempSync(join(tmpdir(), 'action-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { checkout: join(folder, 'checkout'), temp: join(folder, 'temp'), bin: join(folder, 'bin') };
  for (const path of Object.values(place)) mkdirSync(path);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: place.checkout,
      encoding: 'utf8',
    }).trim();
  const commit = (files: Readonly<Record<string, string | null>>) => {
    for (const [name, text] of Object.entries(files))
      if (text !== null) writeFileSync(join(place.checkout, name), text);
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', 'policies');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  const base = commit({ 'policy.yaml': before, 'policy.test.yaml': suite });
  commit({ 'policy.yaml': after });

  // The client of the platform, which keeps what it would post.
  const gh = `#!/bin/sh\necho "$@" > ${join(place.temp, 'gh')}\nfor last; do :; done\ncp "$last" ${join(place.temp, 'posted')}\n`;
  writeFileSync(join(place.bin, 'gh'), gh);
  chmodSync(join(place.bin, 'gh'), 0o755);
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, one]) => [`inputs.${name}`, one.default]),
    ),
    'github.event.pull_request.base.sha': base,
    'github.event.pull_request.number': '7',
    'github.repository': 'owner/name',
    'inputs.token': 'token',
    'runner.temp': place.temp,
  };
  const exits = action.runs.steps.map(({ run, env }) => {
    const given = Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ (.*?) \}\}/g, (_, key: string) => values[key] ?? `no value of ${key}`),
    ]);
    return spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
      cwd: place.checkout,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(given),
        GITHUB_ACTION_PATH: root,
        PATH: `${place.bin}${delimiter}${process.env.PATH}`,
      },
    }).status;
  });
  const read = (name: string) =>
    existsSync(join(place.temp, name)) ? readFileSync(join(place.temp, name), 'utf8') : null;
  return { exits, gh: read('gh'), posted: read('posted'), worktrees: git('worktree', 'list').split('\n') };
}

describe('the GitHub Action', () => {
  it('fails on a looser policy, and lists the affected calls in a comment', () => {
    const { exits, gh, posted, worktrees } = pullRequest(closed, looser);
    expect(exits).toEqual([1, 0]);
    expect(gh).toMatch(/^pr comment 7 --repo owner\/name --edit-last --create-if-none --body-file /);
    expect(posted).toContain('### ambit diff policy.yaml');
    expect(posted).toContain('looser: fs.read');
    expect(worktrees).toHaveLength(1);
  });

  it.skipIf(!isDeep)('passes a stricter policy, and comments on it', () => {
    const { exits, posted } = pullRequest(looser, closed);
    expect(exits).toEqual([0, 0]);
    expect(posted).toContain('stricter: fs.read');
  });

  it.skipIf(!isDeep)('passes an equal policy without a comment', () => {
    expect(pullRequest(closed, `# A comment\n${closed}`)).toMatchObject({ exits: [0, 0], gh: null });
  });

  it.skipIf(!isDeep)('says that a policy is new', () => {
    const { exits, posted } = pullRequest(null, closed);
    expect(exits).toEqual([0, 0]);
    expect(posted).toContain('This policy is new');
  });

  it.skipIf(!isDeep).each([
    ['a policy that does not load', 'version: 1\ndefault: alow\n', 'alow'],
    ['a failing suite', 'version: 1\ndefault: needs_approval\n', 'nothing leaves'],
  ])('fails on %s, and reports the finding in a comment', (_, after, finding) => {
    const { exits, posted } = pullRequest(closed, after);
    expect(exits[0]).toBeGreaterThan(0);
    expect(posted).toContain(finding);
  });
});
