// An MCP server on standard input and output: `link` makes a link to `.env` a moment later, `read` reads a file once it is there.
import { appendFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [record] = process.argv.slice(2);
const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
const tools = ['link', 'read', 'hang'].map((name) => ({
  name,
  inputSchema,
  annotations: { readOnlyHint: name !== 'link' },
}));
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const works = {
  link: (path) => {
    try {
      symlinkSync('.env', path);
      return text('linked');
    } catch {
      return { ...text('failed'), isError: true };
    }
  },
  read: (path) => (existsSync(path) ? text(readFileSync(path, 'utf8')) : null),
  hang: () => null,
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined || id === undefined) return;
  const send = (rest) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`);
  if (method === 'tools/call') {
    const { name, arguments: args } = params;
    appendFileSync(record, `${name}\n`);
    const work = () => {
      const result = works[name](args.path);
      if (result === null) setTimeout(work, 50);
      else send({ result });
    };
    setTimeout(work, 200);
    return;
  }
  const serverInfo = { name: 'links', version: '1' };
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, serverInfo, capabilities: { tools: {} } },
    'tools/list': { tools },
  };
  const result = results[method];
  send(result === undefined ? { error: { code: -32601, message: 'no' } } : { result });
});
