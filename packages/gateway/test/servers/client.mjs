// A client as the official conformance suite starts one: `client.mjs [GATEWAY...] URL`. It greets the server at the URL, over
// the gateway if one is named, and calls every tool that it finds.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [url, ...gateway] = process.argv.slice(2).reverse();
const [command, ...args] = gateway.reverse();
const client = new Client(
  { name: 'conformant', version: '1' },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
const env = { ...process.env };
await client.connect(
  command === undefined
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command, args: [...args, '--url', url], env, stderr: 'inherit' }),
);
const { tools } = await client.listTools();
const schema = tools.find(({ inputSchema }) => '$schema' in inputSchema)?.inputSchema ?? {};
for (const { name } of tools) {
  const given = { add_numbers: { a: 5, b: 3 }, json_schema_echo: { schema } }[name] ?? {};
  const { isError = false, content } = await client.callTool({ name, arguments: given });
  if (isError) process.stderr.write(`${name}: ${JSON.stringify(content)}\n`);
}
await client.close();
