import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';

const files = {
  'policy.yaml':
    'version: 1\ndefault: blocked\ncapabilities: { fs.write: { decision: pre_approved, match: { path: ./out/a.md } } }\n',
  'w.worker': `name: w
sandbox: { paths: { out: { root: ./out, mode: rw } } }
toolsets: { filesystem: {} }
---
Talk.
`,
  'script.yaml': `w:
  - say: What shall I write?
  - call: [{ tool: write_file, args: { path: out/a.md, content: "hello" } }]
  - say: "It is \\e[2J written."
  - call: [{ tool: write_file, args: { path: out/b.md, content: "hello" } }]
  - say: I may not.
`,
  'out/.keep': '',
};
const argv = ['chat', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--strict', 'w'];

describe('chat', () => {
  it('reads each line of stdin as a turn, skips blank ones, and writes one log for one run', async () => {
    const folder = folderOf(files);
    const { exit, out, err } = await ambit(argv, { folder, stdin: 'hi\n\na hello\nanother one\n' });
    expect([exit, out]).toEqual([0, 'What shall I write?\nIt is \u001b[2J written.\nI may not.\n']);
    expect([existsSync(join(folder, 'out/a.md')), existsSync(join(folder, 'out/b.md'))]).toEqual([
      true,
      false,
    ]);
    const [log = ''] = /log {7}(\S+)/.exec(err)?.slice(1) ?? [];
    expect((await ambit(['log', 'verify', log], { folder })).exit).toBe(0);
    const events = jsonLines((await ambit(['log', 'query', log, '--json'], { folder })).out);
    expect(events.length).toBeGreaterThan(0);
  });

  it('begins with INPUT if given, and ends at the end of the input', async () => {
    const { exit, out } = await ambit([...argv, 'hi'], { folder: folderOf(files) });
    expect([exit, out]).toEqual([0, 'What shall I write?\n']);
  });

  it('prints only events with --json', async () => {
    const { out } = await ambit([...argv, '--json'], { folder: folderOf(files), stdin: 'hi\nmore\n' });
    expect(jsonLines(out).at(-1)).toMatchObject({ type: 'result', output: 'It is \u001b[2J written.' });
  });

  it('does not start without input', async () => {
    const { exit, err } = await ambit(argv, { folder: folderOf(files), stdin: '\n' });
    expect(exit).not.toBe(0);
    expect(err).toContain('nothing was said');
  });
});
