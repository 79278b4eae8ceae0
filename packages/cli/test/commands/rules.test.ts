import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ambit, folderOf } from '../host.js';

function place(files: Readonly<Record<string, string>>): string {
  const folder = folderOf(files);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('ambit import and compile', () => {
  it('writes a policy from settings, and reports inexact rules', async () => {
    const settings = '{"permissions":{"deny":["Read(.env)"],"allow":["Bash(git * main)"]}}';
    const folder = place({ 'settings.json': settings });
    const { exit, out, err } = await ambit(['import', 'claude-code', 'settings.json'], { folder });
    expect(exit).toBe(0);
    expect(err).toContain('stricter: Bash(git * main)');
    expect(out).toContain('default: needs_approval');
    writeFileSync(join(folder, 'policy.yaml'), out);
    const back = await ambit(['compile', 'claude-code', '--policy', 'policy.yaml', '--json'], { folder });
    expect(back.exit).toBe(0);
    expect(back.out).toContain('Read(//**/.env)');
  });

  it.each([
    [
      'claude-code',
      'settings.json',
      '{"permissions":{"allow":["Edit(src/**)","WebFetch","WebFetch(domain:a.example)","Agent(Explore)"],' +
        '"ask":["WebSearch"],"deny":["Read","Grep"],"defaultMode":"acceptEdits"}}',
    ],
    ['opencode', 'opencode.json', '{"permission":{"*":"ask","read":"allow","edit":"allow","list":"allow"}}'],
    [
      'gemini',
      'a.toml',
      '[[rule]]\ntoolName = ["write_file", "list_directory"]\ndecision = "allow"\npriority = 1\n' +
        '[[rule]]\ntoolName = "save_memory"\ndecision = "deny"\npriority = 1\n',
    ],
  ])('imports a policy of %s without findings', async (client, name, text) => {
    const folder = place({ [name]: text });
    writeFileSync(join(folder, 'policy.yaml'), (await ambit(['import', client, name], { folder })).out);
    const { exit, out } = await ambit(['check', 'policy.yaml'], { folder });
    expect([exit, out]).toEqual([0, expect.stringContaining('ok')]);
  });

  it.each([
    [['import', 'claude-code', 'settings.json'], 'settings.json:1:2: not JSON: close bracket'],
    [['import', 'claude-code', 'settings.json'], 'hint: correct'],
    [['import', 'codex'], 'no settings of codex were found'],
    [['import', 'vim'], '`vim` is not a client'],
    [['compile', 'constructor', '--policy', 'x'], '`constructor` is not a client'],
    [['compile', 'codex'], 'at least one policy is required'],
  ])('refuses %j', async (args, message) => {
    const { exit, err } = await ambit(args, { folder: place({ 'settings.json': '[' }) });
    expect([exit, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
