import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const serve = fileURLToPath(new URL('../../../../toolsets/test/mcp/serve.mjs', import.meta.url));

it('run › reports missing and changed tools of a server', async () => {
  const server = (list: string) =>
    `import { serve, tool } from ${JSON.stringify(serve)};\nserve({ tools: [${list}] });\n`;
  const odd = JSON.stringify('no\n\u001b[2Jname');
  const folder = folderOf({
    'policy.yaml': 'version: 1\ndefault: needs_approval\n',
    'w.worker': JSON.stringify({
      toolsets: { 'mcp-x': { command: process.execPath, args: ['server.mjs'] } },
    }).concat('\n---\nWork.\n'),
    'script.yaml': 'w: [{ say: done }]\n',
    'server.mjs': server(`tool('hello'), tool(${odd})`),
  });
  const argv = ['run', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--approve-all', 'w'];
  const first = await ambit(argv, { folder });
  expect([first.exit, first.out]).toEqual([0, 'done\n']);
  expect(first.err).toContain(
    'mcp-x has started, with 1 tool\nnot offered: `no \\u{1b}[2Jname`, because its name is not a valid tool name\n',
  );

  writeFileSync(join(folder, 'server.mjs'), server(`tool('hello', { description: 'Something else.' })`));
  const second = await ambit(argv, { folder });
  expect(second.err).toMatch(
    /mcp-x has started, with 1 tool\n`hello` changed since it was first seen \(\/.+\/mcp\/mcp-x\.json\)\n/,
  );
});
