// An MCP server of the stateless revision alone, on standard input and output: what it is asked goes to the file that it is given.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// With the argument `late` the first of its processes does not answer the first request.
const [record, mode] = process.argv.slice(2);
let isDeaf = mode === 'late' && readFileSync(record, 'utf8') === '';
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
  link: {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Open it.', url: 'https://a.example' },
  },
  model: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
  },
};
const extension = 'io.modelcontextprotocol/tasks';
const tools = ['echo', ...Object.keys(asks), 'danger', 'slow'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));
const listed = { ttlMs: 0, cacheScope: 'private' };

/** By their ids: `ask` waits for answers, `done` and `lost` are over at once, and `hung` is never answered. */
const tasks = new Map();
const taskOf = (taskId, status, more = {}) => {
  const at = '2026-01-01T00:00:00Z';
  return {
    taskId,
    status,
    createdAt: at,
    lastUpdatedAt: at,
    ttlMs: null,
    pollIntervalMs: 5,
    unknown: 1,
    ...more,
  };
};

function taskResult(method, { taskId, inputResponses = {} }) {
  const answers = tasks.get(taskId);
  if (answers === undefined) return null;
  if (method !== 'tasks/get') {
    Object.assign(answers, method === 'tasks/cancel' ? { cancelled: true } : inputResponses);
    return {};
  }
  if (answers.cancelled) return taskOf(taskId, 'cancelled');
  if (taskId === 'lost') return taskOf(taskId, 'failed', { error: { code: -32603, message: 'a\u001bb' } });
  const open = Object.fromEntries(
    Object.entries(asks).filter(([key]) => /city|secret/.test(key) && !answers[key]),
  );
  if (taskId.startsWith('ask') && Object.keys(open).length > 0)
    return taskOf(taskId, 'input_required', { inputRequests: open });
  const content = [{ type: 'text', text: JSON.stringify(answers) }];
  return taskOf(taskId, 'completed', { result: { content, inputRequests: asks, requestState: 's' } });
}

function resultOf(method, { name, arguments: args, inputResponses, requestState, _meta, ...params }) {
  if (method === 'server/discover') {
    const resources = { subscribe: true };
    const capabilities = { tools: {}, logging: {}, resources, extensions: { [extension]: {} } };
    return { supportedVersions: ['2026-07-28'], capabilities, ...listed };
  }
  if (method.startsWith('tasks/')) return taskResult(method, { ...params, inputResponses });
  if (method === 'tools/list') return { tools, ...listed };
  if (method !== 'tools/call') return null;
  if (name === 'slow' && (args.always || _meta[meta('clientCapabilities')].extensions?.[extension])) {
    tasks.set(args.text, {});
    return { resultType: 'task', ...taskOf(args.text, 'working') };
  }
  if (asks[name] === undefined) return { content: [{ type: 'text', text: `${name}:${args.text}` }] };
  if (inputResponses === undefined)
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(
        Array.from({ length: args.count ?? 1 }, (_, at) => [at === 0 ? 'it' : `it${at}`, asks[name]]),
      ),
      requestState: `state of ${name}`,
    };
  return { content: [{ type: 'text', text: JSON.stringify([inputResponses.it, requestState]) }] };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    appendFileSync(record, `${method} ${JSON.stringify(params)}\n`);
    if (id === undefined || (method === 'tasks/get' && params.taskId === 'hung')) return;
    if (isDeaf) {
      isDeaf = false;
      return;
    }
    const isKnown = params._meta?.[meta('protocolVersion')] === '2026-07-28';
    const result = isKnown ? resultOf(method, params) : null;
    const error = isKnown
      ? { code: -32601, message: 'no' }
      : { code: -32022, message: 'version', data: { supported: ['2026-07-28'] } };
    const answer = result === null ? { error } : { result: { resultType: 'complete', ...result } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  })
  .on('close', () => process.exit(0));
