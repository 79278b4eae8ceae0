import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from '@ambit/core';
import { runToEnd } from '../run-to-end.js';
import { withScratch } from '../scratch.js';

const home = fileURLToPath(new URL('../mcp-notes/', import.meta.url));
const say = (line: string) => process.stdout.write(`${printable(line)}\n`);

// Written here, because Node may lie outside the fixed search path, and is then named by its path.
const worker = `toolsets:
  mcp-notes:
    command: ${JSON.stringify(process.execPath)}
    args: [server.mjs]
    carries:
      look: { name: fs.read, path: { arg: note } }
      burn: { name: fs.delete, path: { arg: note } }
---
Say what the notes ask for.
`;

await withScratch(async ({ folder, environment }) => {
  for (const name of ['server.mjs', 'notes'])
    await cp(join(home, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, 'reader.worker'), worker);
  const events = await runToEnd('What is to be done?', {
    root: folder,
    policies: [join(home, 'policy.yaml')],
    workers: join(folder, 'reader.worker'),
    model: `script:${join(home, 'script.yaml')}`,
    mode: 'strict',
    environment,
    onEvent: (event) => {
      if (event.type === 'toolset_started') say(`${event.toolset} offers ${event.tools.join(' and ')}`);
    },
  });
  const calls = events.flatMap(({ event, tool, decision, args }) =>
    event === 'decision' ? [[tool, args?.note, decision] as const] : [],
  );
  for (const [tool, note, decision] of calls)
    say(`${tool}${typeof note === 'string' ? ` ${note}` : ''}: ${decision}`);
  assert.deepEqual(calls, [
    ['toolset.start', undefined, 'pre_approved'],
    ['mcp-notes.look', 'notes/garden.md', 'pre_approved'],
    ['mcp-notes.look', 'secret.md', 'blocked'],
    ['mcp-notes.burn', 'notes/garden.md', 'blocked'],
  ]);
  assert.equal(await readFile(join(folder, 'notes/garden.md'), 'utf8'), 'Water the beans on Tuesday.\n');
  say('one server, one note that was read, and nothing that burnt');
});
