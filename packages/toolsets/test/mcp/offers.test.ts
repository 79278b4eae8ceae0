import { describe, expect, it } from 'vitest';
import { started, whyOf } from './server.js';

describe('a server', () => {
  it('offers its tools, and calls them', async () => {
    const server = await started(`
      serve({ tools: [tool('hello', { inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } })],
        call: ({ name, arguments: args }) => text(name + ' ' + JSON.stringify(args)) });
    `);
    expect(server.names).toEqual(['hello']);
    expect(await server.capabilities('hello', { to: 'ada' })).toEqual([
      {
        name: 'mcp.call',
        server: 'mcp-x',
        tool: 'hello',
        read_only: false,
        destructive: true,
        open_world: true,
      },
      { name: 'content.untrusted', source: 'mcp-x' },
    ]);
    expect(await server.call('hello', { to: 'ada' })).toBe('hello {"to":"ada"}');
    expect(await whyOf(server.call('hello', {}))).toBe('lacks `to`');
  });
});
