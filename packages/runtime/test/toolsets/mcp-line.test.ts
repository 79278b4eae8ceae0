import { describe, expect, it } from 'vitest';
import { describeLine, lineToolsets } from '../../src/index.js';
import { mcpPlace, starts } from './mcp-place.js';

describe('a line about a tool of an MCP server', () => {
  it('starts nothing, and reports an unknown MCP call', async () => {
    const place = mcpPlace();
    const environment = { HOME: place.root, AMBIT_HOME: place.state };
    const toolsets = await lineToolsets(place.root, { environment, policyFiles: [] });
    const line = { id: 1, tool: 'mcp-x.hello', args: { to: 'ada' } };
    expect(await describeLine(JSON.stringify(line), { toolsets })).toEqual({
      id: 1,
      capabilities: [{ name: 'tool.call', tool: 'mcp-x.hello' }],
    });
    expect(starts(place)).toBe(0);
  });
});
