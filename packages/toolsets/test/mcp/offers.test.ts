import { describe, expect, it } from 'vitest';
import { started, whyOf } from './server.js';

const listing = (list: string) => `serve({ tools: [${list}] });`;

describe('the tools of a server', () => {
  it('are offered with their schemas', async () => {
    const server = await started(`
      const inputSchema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] };
      serve({ tools: [tool('hello', { inputSchema })], call: ({ name, arguments: args }) => text(name + ' ' + JSON.stringify(args)) });
    `);
    expect(server.names).toEqual(['hello']);
    expect(await server.call('hello', { to: 'ada' })).toBe('hello {"to":"ada"}');
    expect(await whyOf(server.call('hello', {}))).toBe('lacks `to`');
  });

  it('are called by their own names, even inherited property names', async () => {
    const server = await started(`
      serve({ tools: ['__proto__', 'constructor', 'toString'].map((name) => tool(name)), call: ({ name }) => text(name) });
    `);
    expect(server.names).toEqual(['__proto__', 'constructor', 'toString']);
    for (const name of server.names) {
      expect(await server.call(name)).toBe(name);
      expect((await server.capabilities(name))[0]).toMatchObject({ name: 'mcp.call', tool: name });
    }
  });

  it('are omitted if two have the same name, or nearly', async () => {
    const list = ['a', 'b.c', 'b_c', 'Read', 'read', 'twice', 'twice'].map(
      (name) => `tool(${JSON.stringify(name)})`,
    );
    const { running, names } = await started(listing(list.join()));
    expect(names).toEqual(['a']);
    expect(running.left_out).toEqual(
      ['b.c', 'b_c', 'Read', 'read', 'twice', 'twice'].map((tool) => ({
        tool,
        why: 'another tool of the server has the same name, or nearly',
      })),
    );
  });

  it.each([
    ['no name', "tool('no name')", 'its name is not a valid tool name'],
    ['', "tool('')", 'its name is not a valid tool name'],
    ['../x', "tool('../x')", 'its name is not a valid tool name'],
    ['rеad', "tool('rеad')", 'its name is not a valid tool name'],
    [`${'a'.repeat(100)}…`, "tool('a'.repeat(150))", 'its name is longer than 128 characters'],
    [`${'a'.repeat(100)}…`, "tool('a'.repeat(300))", 'its name is not a valid tool name'],
    ['#1', "{ title: 'x' }", 'it is not a definition of a tool'],
    ['#1', 'null', 'it is not a definition of a tool'],
    ['a', "{ name: 'a' }", 'its input schema cannot be checked: it is not a map'],
    ['a', "tool('a', { inputSchema: { type: 'string' } })", 'its input is not an object'],
    ['a', "tool('a', { inputSchema: {} })", 'its input is not an object'],
    [
      'a',
      "tool('a', { inputSchema: { type: 'object', $ref: '#' } })",
      'its input schema cannot be checked: `$ref` goes in circles',
    ],
    [
      'a',
      "tool('a', { inputSchema: { type: 'object', $ref: 'http://127.0.0.1:9/' } })",
      'its input schema cannot be checked: a `$ref` leads out of the schema',
    ],
    [
      'a',
      "tool('a', { inputSchema: { type: 'object', description: 'x'.repeat(200000) } })",
      'its input schema cannot be checked: it is longer than 100000 characters',
    ],
    [
      'a',
      "tool('a', { inputSchema: { type: 'object', properties: { x: { pattern: '(?=a)' } } } })",
      'its input schema cannot be checked: a `pattern` cannot be matched in linear time: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    [
      'a',
      "tool('a', { outputSchema: { type: 'object', unevaluatedProperties: false } })",
      'its output schema cannot be checked: it says `unevaluatedProperties`, which is not known here',
    ],
    ['a', "tool('a', { execution: { taskSupport: 'required' } })", 'it can be called only as a task'],
  ])('do not include %j listed as %s: %s', async (name, listed, why) => {
    const { running } = await started(listing(`${listed}, tool('fine')`));
    expect([running.left_out, running.tools.map((each) => each.name)]).toEqual([
      [{ tool: name, why }],
      ['fine'],
    ]);
  });

  it('are rejected if the pages of the list are too large together', async () => {
    const page = `({ tools: [tool('a', { description: 'a'.repeat(3_000_000) })], nextCursor: 'b' })`;
    expect(await whyOf(started(`serve({ tools: () => ${page} });`))).toBe(
      'mcp-x: its list of tools is longer than 8000000 characters',
    );
  });

  it('are rejected if the list is invalid or endless', async () => {
    expect(await whyOf(started(`serve({ tools: () => ({ tools: 'many' }) });`))).toBe(
      'mcp-x: its list of tools is not a list',
    );
    for (const cursor of ['1', "'a'.repeat(10_001)"])
      expect(await whyOf(started(`serve({ tools: () => ({ tools: [], nextCursor: ${cursor} }) });`))).toBe(
        'mcp-x: the cursor of its list of tools is not a short text',
      );
    expect(
      await whyOf(
        started(`serve({ tools: (times) => ({ tools: [tool('t' + times)], nextCursor: 'more' }) });`),
      ),
    ).toBe('mcp-x: it lists more than 1000 tools, or has no end');
    expect(
      await whyOf(
        started(`serve({ tools: Array.from({ length: 1001 }, (_, index) => tool('t' + index)) });`),
      ),
    ).toBe('mcp-x: it lists more than 1000 tools, or has no end');
  });

  it('are limited in the number of patterns in schemas', async () => {
    const { running } = await started(`
      const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => ['p' + n, { pattern: 'a{' + n + '}' }]));
      serve({ tools: Array.from({ length: 8 }, (_, n) => tool('t' + n, { inputSchema: { type: 'object', properties } })) });
    `);
    expect(running.tools).toHaveLength(6);
    expect(running.left_out.map(({ why }) => why)).toEqual([
      'the schemas of the server have more than 300 patterns before it',
      'the schemas of the server have more than 300 patterns before it',
    ]);
  });

  it('are collected from all pages', async () => {
    const { names } = await started(
      `serve({ tools: (times, params) => params?.cursor === 'b' ? { tools: [tool('b')] } : { tools: [tool('a')], nextCursor: 'b' } });`,
    );
    expect(names).toEqual(['a', 'b']);
  });

  it('have a prefix on request, and keep their full names', async () => {
    const { tools } = await started(listing("tool('a.b')"), { server: { prefix: 'x_' } });
    expect(tools.map(({ name, offered_as }) => [name, offered_as])).toEqual([['a.b', 'x_a_b']]);
  });

  it('are described to the model in marked, visible text of limited length', async () => {
    const hidden = '\u202eevil\u2066\u{e0041}\u200b\u001b[2J';
    const list = `tool('a', { description: ${JSON.stringify(hidden)} + 'x'.repeat(9000),
      inputSchema: { type: 'object', title: ${JSON.stringify(hidden)}, properties: { p: { type: 'string', description: ${JSON.stringify(hidden)} } }, oneOf: [{}] } })`;
    const { tools } = await started(listing(list));
    const [tool] = tools;
    const shown = '\\u{202e}evil\\u{2066}\\u{e0041}\\u{200b}\\u{1b}[2J';
    expect(tool?.description.startsWith(`(In the words of the MCP server mcp-x:) ${shown}xxx`)).toBe(true);
    expect(tool?.description.length).toBeLessThan(4100);
    expect(tool?.input.json).toEqual({
      type: 'object',
      title: shown,
      properties: { p: { type: 'string', description: shown } },
    });
  });

  it('are described in whole characters where a description is cut', async () => {
    const { tools } = await started(
      listing("tool('a', { description: 'x'.repeat(3999) + '\\u{1f600}'.repeat(9) })"),
    );
    expect(tools[0]?.description.slice(-3)).toBe('xx…');
  });

  it('are fixed at the start, whatever changes the server announces', async () => {
    const server = await started(`
      serve({ tools: (times) => times === 1 ? [tool('a')] : [tool('a'), tool('later')],
        capabilities: { tools: { listChanged: true } },
        call: () => { for (let n = 0; n < 1000; n += 1) send({ method: 'notifications/tools/list_changed' }); return text('ok'); } });
    `);
    expect(await server.call('a')).toBe('ok');
    expect(await server.call('a')).toBe('ok');
    expect(server.names).toEqual(['a']);
  });
});
