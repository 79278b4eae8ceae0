import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPolicyText, presetNames, starterPolicy } from '@ambit/policy';
import { shellAt } from '@ambit/shell';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judgeLine } from '../../src/judge-line/judge-line.js';

describe('a starter policy', () => {
  it.each(presetNames)('of the preset %s blocks the line that its comment names', async (preset) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'starter-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const text = starterPolicy(preset);
    const command = /as in `(.+)`, may be secrets/.exec(text)?.[1];
    const loaded = loadPolicyText(join(root, 'policy.yaml'), text, { root, home: root });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    const line = JSON.stringify({ tool: 'shell.run', args: { command } });
    const toolsets = [shellAt(root, { home: root, guarded: [] })];
    const judged = await judgeLine(line, { policies: [loaded.policy], toolsets, now: () => 0 });
    expect(judged).toMatchObject({ decision: 'blocked' });
    expect(JSON.stringify(judged)).toContain('"no-secrets"');
  });
});
