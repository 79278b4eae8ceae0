import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../host.js';
import { hasTmux, Tmux } from '../../tmux.js';

const files = {
  'policy.yaml': `version: 1
default: blocked
capabilities:
  worker.call: pre_approved
  fs.list: pre_approved
  fs.write: { decision: needs_approval, reason: somebody reads it }
`,
  'main.worker': `sandbox: { paths: { out: { root: ./out, mode: rw } } }
toolsets: { filesystem: {}, helper: {} }
---
Write.
`,
  'helper.worker': `sandbox: { paths: { out: { root: ./out, mode: rw } } }
toolsets: { filesystem: {} }
---
Look.
`,
  'script.yaml': `main:
  - call:
      - { tool: helper, args: { input: look at one } }
      - { tool: write_file, args: { path: out/a.md, content: "a\\n" } }
      - { tool: helper, args: { input: look at two } }
  - call: [{ tool: delete_file, args: { path: "out/\\e[2Ja.md" } }]
  - say: done
helper:
  - call: [{ tool: list_files, args: { path: out } }]
  - say: nothing there
`,
  'out/.keep': '',
};
const argv = ['run', '--policy', 'policy.yaml', '--model', 'script:script.yaml', 'main', 'go'];

describe.skipIf(!hasTmux)('ambit run on a terminal', () => {
  let terminal: Tmux | null = null;
  afterEach(() => terminal?.end());
  const program = fileURLToPath(new URL('../../../../../bin/ambit', import.meta.url));

  it('shows simultaneous workers, a question below them, and the whole run at the end', async () => {
    const command = ['sh', '-c', '"$0" "$@"; echo "EXIT $?"', program, ...argv];
    const tmux = new Tmux(command, folderOf(files), { columns: 80, rows: 60 });
    terminal = tmux;
    const asked = await tmux.shows('v  show everything\n>');
    const [tree = '', question = ''] = asked.split('\n\n──');
    expect(tree).toMatch(/^main · script:script\.yaml\n/m);
    expect(tree).toMatch(/^. \? filesystem\.write_file out\/a\.md · asks$/m);
    expect(question).toContain('main wants to call filesystem.write_file');
    // Both helpers go on to their ends above the question, which stays as it was.
    const meanwhile = await tmux.shows('└ ✓ filesystem.list_files out', 2);
    expect(meanwhile.split('\n\n──')[1]).toBe(question);
    expect(meanwhile.split('main · ')).toHaveLength(2);
    tmux.resize({ columns: 100, rows: 60 });
    expect((await tmux.shows('v  show everything\n>')).split('\n\n──')[1]).toBe(question);
    tmux.type('n');
    await tmux.shows('a note for the model');
    tmux.type('Enter');
    const end = await tmux.shows('EXIT 0');
    const last = end.slice(end.lastIndexOf('\nmain · ') + 1);
    expect(last.slice(0, last.indexOf('\ndone\n'))).toMatch(
      lines(
        'main · script:script.yaml',
        '├ ✓ worker.helper look at one',
        '│ └ helper',
        '│   └ ✓ filesystem.list_files out',
        /├ ✗ filesystem\.write_file out\/a\.md · denied: .+/,
        '├ ✓ worker.helper look at two',
        '│ └ helper',
        '│   └ ✓ filesystem.list_files out',
        /└ ✗ filesystem\.delete_file out\/\\u\{1b\}\[2Ja\.md · blocked: .+/,
        'finished · 6 calls (2 refused)',
      ),
    );
  });

  it('shows only the questions and the end with --quiet', async () => {
    const command = ['sh', '-c', '"$0" "$@"; echo "EXIT $?"', program, ...argv, '--quiet'];
    const tmux = new Tmux(command, folderOf(files), { columns: 80, rows: 60 });
    terminal = tmux;
    expect((await tmux.shows('v  show everything\n>')).trim()).toMatch(/^──/);
    tmux.type('n');
    await tmux.shows('a note for the model');
    tmux.type('Enter');
    const end = await tmux.shows('EXIT 0');
    expect(end).not.toMatch(/[├└✓✗]/);
    expect(end).toMatch(/^run {7}\S+ finished$/m);
  });
});

function lines(...all: readonly (string | RegExp)[]): RegExp {
  const sources = all.map((line) =>
    typeof line === 'string' ? line.replace(/[.()|?*+[\]\\{}]/g, '\\$&') : line.source,
  );
  return new RegExp(`^${sources.join('\\n')}$`);
}
