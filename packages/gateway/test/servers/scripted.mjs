// An MCP server on standard input and output that writes lines of a file before it answers a call: `$ID` there is the call's id.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const rounds = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined || id === undefined) return;
  const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
  const greeting = { protocolVersion: params?.protocolVersion, serverInfo: { name: 's', version: '1' } };
  const results = {
    initialize: { ...greeting, capabilities: { tools: {}, logging: {} } },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: `echo:${params?.arguments?.text}` }] },
  };
  if (method === 'tools/call')
    for (const each of rounds.shift() ?? []) process.stdout.write(`${each.replaceAll('$ID', id)}\n`);
  const result = results[method];
  send(result === undefined ? { id, error: { code: -32601, message: 'no' } } : { id, result });
});
