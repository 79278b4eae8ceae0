import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '@ambit/core';
import { open } from '@ambit/runtime';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDeep } from '../../../test/depth.js';
import { hasTmux, Tmux } from '../../cli/test/tmux.js';
import { toldBy } from '../from-code/told-by.js';
import { readLog } from '../read-log.js';
import { build, root, scratchFolder } from './run-example.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.delete: blocked }\n',
  'writer.worker':
    'sandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nWrite.\n',
  'script.yaml': `writer:
  - call: [{ tool: write_file, args: { path: out/a.md, content: "a\\n" } }]
  - call: [{ tool: write_file, args: { path: out/b.md, content: "b\\n" } }]
  - call: [{ tool: write_file, args: { path: out/b.md, content: "b\\n" } }]
  - call: [{ tool: delete_file, args: { path: out/a.md } }]
  - say: done
`,
};

describe.skipIf(!hasTmux)('an approver function and a person at a terminal', () => {
  let folder = '';
  let remove = async () => {};
  let terminal: Tmux | null = null;
  beforeAll(build, 300_000);
  beforeEach(async () => {
    ({ folder, remove } = await scratchFolder());
  });
  afterEach(async () => {
    terminal?.end();
    await remove();
  });

  const place = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path);
    for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
    return path;
  };

  it.skipIf(!isDeep)('leave identical logs if they give the same answers', async () => {
    const typed = await place('typed');
    const run = ['run', 'writer', 'go', '--policy', join(typed, 'policy.yaml')];
    run.push('--model', 'script:script.yaml', '--log', 'log.jsonl');
    const env = ['env', `AMBIT_HOME=${join(folder, 'state')}`, join(root, 'bin/ambit')];
    const tmux = new Tmux(['sh', '-c', '"$@"; echo "EXIT $?"', 'sh', ...env, ...run], typed);
    terminal = tmux;
    await tmux.shows('v  show everything\n>');
    tmux.type('y');
    await tmux.shows('v  show everything\n>', 2);
    tmux.type('n');
    await tmux.shows('a note for the model');
    tmux.type('not that', 'Enter');
    await tmux.shows('EXIT 0');

    const called = await place('called');
    const person = userInfo().username;
    const answers: Answer[] = [
      { answer: 'approve', person },
      { answer: 'refuse', person, note: 'not that' },
    ];
    const opened = await open({
      root: called,
      policies: [join(called, 'policy.yaml')],
      workers: join(called, 'writer.worker'),
      model: 'script:script.yaml',
      mode: 'interactive',
      approver: { ask: async () => answers.shift() ?? { answer: 'stop', person } },
      environment: { ...process.env, AMBIT_HOME: join(folder, 'state') },
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    await opened.session.run({ input: 'go' });
    await opened.session.close();

    const log = toldBy(await readLog(join(typed, 'log.jsonl')), typed);
    expect(toldBy(await readLog(opened.session.log), called)).toEqual(log);
    expect(
      log.calls.map(({ answers: given, outcome }) => [given.length, outcome.code ?? 'completed']),
    ).toEqual([
      [1, 'completed'],
      [1, 'denied'],
      [0, 'denied'],
      [0, 'blocked'],
    ]);
  });
});
