import fc from 'fast-check';

export interface DrawnMessage {
  readonly kind: 'request' | 'notice' | 'changed';
  readonly method: string;
  readonly params: unknown;
  readonly changed?: (line: string) => string;
}

/** The lines of messages: the number of a message is the id of its request. */
export function linesOf(messages: readonly DrawnMessage[]): readonly string[] {
  return messages.map(({ kind, method, params, changed = (line) => line }, index) =>
    changed(JSON.stringify({ jsonrpc: '2.0', ...(kind !== 'notice' && { id: index + 1 }), method, params })),
  );
}

const names = ['echo', 'danger.run', 'Echo', 'echo ', 'ec\u0000ho', 'ｅｃｈｏ', '__proto__', 'toString', ''];
const words = (text: string) => text.split(' ');
const methods = [
  ...words('tools/call tools/list ping initialize server/discover completion/complete logging/setLevel'),
  ...words(
    'resources/read resources/list resources/subscribe resources/templates/list prompts/get prompts/list',
  ),
  ...words(
    'tasks/get tasks/list tasks/cancel tasks/result sampling/createMessage elicitation/create roots/list',
  ),
  ...words('subscriptions/listen tools/Call tools//call TOOLS/CALL __proto__ constructor toString'),
  'tools/call ',
  '',
];
const notices = [
  ...words('notifications/initialized notifications/cancelled notifications/roots/list_changed'),
  ...words(
    'notifications/progress notifications/message notifications/tools/list_changed tools/call __proto__',
  ),
];
const uris = ['file:///etc/passwd', 'FILE:///etc/passwd', 'note://a', 'http://127.0.0.1:9/', '', '\u0000'];

const odd = fc.constantFrom<unknown>(null, true, 0, '', 'echo', [], [{}], {}, { name: 'danger.run' });
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('\u2028', 'e\u0301\u202e', '{"a":1}', 'x'.repeat(5_000)),
);
const meta = fc.constantFrom<object | undefined>(
  undefined,
  { progressToken: 1 },
  { progressToken: '__proto__', 'x.example/y': {} },
  { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
  {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
);
const params = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ name: fc.constantFrom(...names), arguments: fc.record({ text }), _meta: meta }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ uri: fc.constantFrom(...uris), name: fc.constantFrom(...names), _meta: meta }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        name: fc.oneof(fc.constantFrom<unknown>(...names), odd),
        arguments: odd,
        task: fc.constantFrom<unknown>({}, { ttl: 1 }, null, 'x'),
        taskId: fc.constantFrom('a', '__proto__'),
        requestId: fc.nat({ max: 30 }),
        inputResponses: odd,
        requestState: odd,
        protocolVersion: fc.constantFrom('2025-06-18', '2026-07-28', '1999-01-01'),
        cursor: fc.constantFrom<unknown>('1', 1),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.oneof(odd, fc.constant(undefined)) },
);
const call = fc.record({
  method: fc.constant('tools/call'),
  params: fc.record({
    name: fc.constantFrom('echo', 'echo', 'danger.run'),
    arguments: fc.record({ text }),
    _meta: meta,
  }),
});
const request = fc.oneof(
  { weight: 1, arbitrary: call },
  { weight: 3, arbitrary: fc.record({ method: fc.constantFrom(...methods), params }) },
);
const notice = fc.record({
  method: fc.oneof(fc.constantFrom(...notices), fc.constantFrom(...methods)),
  params,
});

/** A change of the text of a message. */
const change = fc.constantFrom<(line: string) => string>(
  (line) => line.replace('{', '{"method":"tools/list",'),
  (line) => line.replace(/\}$/, ',"method":"tools/call"}'),
  (line) => line.replace(/\}$/, ',"__proto__":{"id":1,"method":"tools/call"}}'),
  (line) => line.replace(/\}$/, ',"result":{}}'),
  (line) => line.replace('"2.0"', '"1.0"'),
  (line) => line.replace(/"id":\d+/, '"id":1.5'),
  (line) => line.replace(/"id":\d+/, '"id":null'),
  (line) => line.replace(/"id":\d+/, '"id":{"a":1}'),
  (line) => `[${line},${line}]`,
  (line) => `\ufeff${line}`,
  (line) => line.slice(0, -1),
  (line) => `${line}${line}`,
  (line) => `\u0000${line}`,
);
/** `id` stands for the id of a request. */
export const drawnMessage: fc.Arbitrary<DrawnMessage> = fc.oneof(
  { weight: 8, arbitrary: request.map((each) => ({ ...each, kind: 'request' as const })) },
  { weight: 2, arbitrary: notice.map((each) => ({ ...each, kind: 'notice' as const })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(request, change)
      .map(([each, changed]) => ({ ...each, kind: 'changed' as const, changed })),
  },
);

const answer = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.constantFrom<unknown>('$ID', '$ID', 0, 1_000_000, '__proto__', null, { a: 1 }),
    result: fc.oneof(
      odd,
      fc.record(
        {
          content: fc.oneof(
            odd,
            fc.record({ type: fc.constantFrom('text', 'image', 'x'), text }).map((part) => [part]),
          ),
          isError: odd,
          structuredContent: odd,
          task: fc.constantFrom<unknown>({ taskId: 'a', status: 'working' }, 'x'),
          resultType: fc.constantFrom('input_required', 'task', 'complete'),
          _meta: odd,
        },
        { requiredKeys: [] },
      ),
    ),
    error: fc.oneof(
      odd,
      fc.record({ code: fc.constantFrom<unknown>(-32000, -32601, 1.5, 'x'), message: text }),
    ),
  },
  { requiredKeys: ['jsonrpc'] },
);

/** Lines of a server: answers that nobody awaits, requests and notifications to its client. `$ID` is the id of a call. */
export const drawnLine: fc.Arbitrary<string> = fc.oneof(
  answer.map((each) => JSON.stringify(each).replace('"$ID"', '$ID')),
  fc
    .array(drawnMessage, { minLength: 1, maxLength: 1 })
    .map((one) => String(linesOf(one)[0]).replace(/\n/g, ' ')),
  fc
    .record({ level: fc.constantFrom<unknown>('info', 'x', 1), logger: text, data: fc.oneof(text, odd) })
    .map((params) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })),
  fc
    .record({ message: text, requestedSchema: fc.constant({ type: 'object', properties: {} }) })
    .map((params) =>
      JSON.stringify({ jsonrpc: '2.0', id: 'question', method: 'elicitation/create', params }),
    ),
);
