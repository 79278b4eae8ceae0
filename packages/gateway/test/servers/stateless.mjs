// An MCP server of the stateless revision alone, on standard input and output: what it is asked goes to the file that it is given.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [record] = process.argv.slice(2);
const meta = (name) => `io.modelcontextprotocol/${name}`;
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const asks = {
  city: {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Which city?', requestedSchema: schema },
  },
  secret: {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Your password?', requestedSchema: schema },
  },
  model: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
  },
};
const tools = ['echo', ...Object.keys(asks), 'danger'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));
const listed = { ttlMs: 0, cacheScope: 'private' };

function resultOf(method, { name, arguments: args, inputResponses, requestState }) {
  if (method === 'server/discover')
    return { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, logging: {} }, ...listed };
  if (method === 'tools/list') return { tools, ...listed };
  if (method !== 'tools/call') return null;
  if (asks[name] === undefined) return { content: [{ type: 'text', text: `${name}:${args.text}` }] };
  if (inputResponses === undefined)
    return {
      resultType: 'input_required',
      inputRequests: { it: asks[name] },
      requestState: `state of ${name}`,
    };
  return { content: [{ type: 'text', text: JSON.stringify([inputResponses.it, requestState]) }] };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    appendFileSync(record, `${method} ${JSON.stringify(params)}\n`);
    if (id === undefined) return;
    const isKnown = params._meta?.[meta('protocolVersion')] === '2026-07-28';
    const result = isKnown ? resultOf(method, params) : null;
    const error = isKnown
      ? { code: -32601, message: 'no' }
      : { code: -32022, message: 'version', data: { supported: ['2026-07-28'] } };
    const answer = result === null ? { error } : { result: { resultType: 'complete', ...result } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  })
  .on('close', () => process.exit(0));
