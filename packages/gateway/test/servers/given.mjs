// An MCP server on standard input and output whose results are in a file, by the method, read again for each request.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, record] = process.argv.slice(2);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method !== undefined) appendFileSync(record, `${method} ${JSON.stringify(params ?? {})}\n`);
  if (method === undefined || id === undefined) return;
  const given = JSON.parse(readFileSync(file, 'utf8'));
  const greeting = { protocolVersion: params?.protocolVersion, serverInfo: { name: 's', version: '1' } };
  const result =
    method === 'initialize'
      ? { ...greeting, capabilities: { tools: {}, resources: {}, prompts: {} } }
      : given[method];
  const error = { code: -32601, message: 'no' };
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) })}\n`,
  );
});
