import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPolicyText, presetNames, starterPolicy } from '@ambit/policy';
import { shellAt } from '@ambit/shell';
import { filesystemAt } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { judgeLine } from '../../src/judge-line/judge-line.js';

describe('a starter policy', () => {
  /** Judges a line in a folder with `a.txt`. */
  async function judged(text: string, command: string | undefined, call?: object) {
    const root = temporaryFolder('starter-');
    writeFileSync(join(root, 'a.txt'), 'a');
    const loaded = loadPolicyText(join(root, 'policy.yaml'), text, { root, home: root });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    const line = JSON.stringify(call ?? { tool: 'shell.run', args: { command } });
    const options = { home: root, guarded: [] };
    const toolsets = [shellAt(root, options), filesystemAt(root, options)];
    return judgeLine(line, { policies: [loaded.policy], toolsets, now: () => 0 });
  }

  it.each(presetNames)('of the preset %s blocks the line that its comment names', async (preset) => {
    const text = starterPolicy(preset);
    const found = await judged(text, /as in `(.+)`, may be secrets/.exec(text)?.[1]);
    expect(found).toMatchObject({ decision: 'blocked' });
    expect(JSON.stringify(found)).toContain('"no-secrets"');
  });

  it.each(['coding', 'ci', 'research'] as const)(
    'of the preset %s says why it blocks sudo',
    async (preset) => {
      expect(await judged(starterPolicy(preset), 'sudo ls')).toMatchObject({
        decision: 'blocked',
        reason: 'sudo and set-user-id bits leave all other rules behind',
        instead: 'ask a person to do it',
      });
    },
  );

  it.each([
    ['move_file', { path: 'a.txt', to: 'new/b.txt' }, 'pre_approved'],
    ['move_file', { path: 'a.txt', to: '.git/hooks/pre-commit' }, 'needs_approval'],
    ['copy_file', { path: 'a.txt', to: 'b.txt' }, 'pre_approved'],
    ['delete_file', { path: 'a.txt' }, 'needs_approval'],
  ])('of the preset coding decides %s %j of a worker like a line', async (tool, args, decision) => {
    const call = { tool: `filesystem.${tool}`, args };
    expect(await judged(starterPolicy('coding'), undefined, call)).toMatchObject({ decision });
  });

  it.each([
    ['d=$(mktemp -d) && cp a.txt "$d"/ && ls "$d" && chmod 600 "$d/a.txt" && rm -rf "$d"', 'pre_approved'],
    ['f=$(mktemp); trap \'rm -f "$f"\' EXIT; sort a.txt > "$f"; diff "$f" a.txt', 'pre_approved'],
    ['d=$(mktemp -d) && mv a.txt "$d"/ && rm -rf "$d"', 'needs_approval'],
    ['f=$(mktemp) && sort a.txt > "$f" && mv "$f" a.txt', 'pre_approved'],
    ['f=$(mktemp) && mv a.txt "$f"', 'needs_approval'],
    ['d=$(mktemp -d) && cp a.txt "$d/b" && mv "$d/b" "$d/c"', 'needs_approval'],
    ['mv /tmp/tmp.abcdefghij a.txt', 'needs_approval'],
    ['d=$(mktemp -d) && ln -s "$PWD" "$d/l" && rm -rf "$d/l/a.txt"', 'needs_approval'],
    ['d=$(mktemp -d) && ln -s /etc "$d/l" && cat "$d/l/passwd"', 'needs_approval'],
    ['d=$(mktemp -d); cp a.txt "$d/b"', 'needs_approval'],
    ['d=$(mktemp -d); rm -rf "$d"/*', 'needs_approval'],
    ['d=$(mktemp -d); cd "$d"; rm -rf *', 'needs_approval'],
    ['d=$(mktemp -d -p ..) && rm -rf "$d"', 'needs_approval'],
    ['d=$(mktemp -u) && touch "$d"', 'needs_approval'],
    ['d=$(mktemp -d) && echo x > "$d/.env"', 'needs_approval'],
    ['d=$(mktemp -d) && rm -rf "$d"/../tmp.*', 'needs_approval'],
    ['mktemp .git/hooks/XXXXXX', 'needs_approval'],
    ['mv a.txt b.txt', 'pre_approved'],
    ['mv .gitlab-ci.yml b.txt', 'needs_approval'],
    ['mv .circleci old', 'needs_approval'],
    ['mv Jenkinsfile old', 'needs_approval'],
    ['mv azure-pipelines.yml old', 'needs_approval'],
    ['/bin/bash -c "sort a.txt"', 'pre_approved'],
    ['/usr/bin/env bash -c "sort a.txt"', 'pre_approved'],
    ['/bin/sh -c "rm a.txt"', 'needs_approval'],
    ['/bin/bash -c "$(cat a.txt)"', 'needs_approval'],
    ['./bash -c "sort a.txt"', 'needs_approval'],
    ['/tmp/bash -c "sort a.txt"', 'needs_approval'],
  ])('of the preset coding judges an everyday line: %s', async (command, decision) => {
    expect(await judged(starterPolicy('coding'), command)).toMatchObject({ decision });
  });
});
