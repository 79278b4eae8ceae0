import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type Opened, policyOf, type World } from './world.js';

const open: Opened[] = [];
const worlds: World[] = [];

async function opened(rules: string, more: Parameters<World['open']>[2] = {}) {
  const at = createWorld(policyOf(rules));
  worlds.push(at);
  const each = await at.open('formats', undefined, more);
  open.push(each);
  const isPermitted = async (args: Record<string, unknown>) =>
    (await each.client.callTool({ name: 'fetch', arguments: args })).isError !== true;
  return { at, isPermitted };
}

afterEach(async () => {
  for (const each of open.splice(0)) await each.close().catch(() => undefined);
  for (const each of worlds.splice(0)) each.remove();
});

const rules = `  mcp.call: pre_approved
  net.connect: { decision: pre_approved, match: { host: example.com } }
  fs.write: { decision: pre_approved, match: { path: ./out/** } }
  secret.read: blocked
`;

describe('an argument with a format', { timeout: 240_000 }, () => {
  it('is judged as the file or site of that format', async () => {
    const { at, isPermitted } = await opened(rules);
    const out = `${at.folder}/out`;
    for (const args of [
      { url: 'https://example.com/a' },
      { url: `file://${out}/a` },
      { path: '/etc/passwd' },
      { files: [{ at: `${out}/a` }, { at: 'out/b' }] },
      { other: 7 },
      {},
    ])
      expect([args, await isPermitted(args)]).toEqual([args, true]);
    for (const args of [
      { url: 'https://evil.org' },
      { url: ' HTTP:evil.org' },
      { url: 'file:///etc/passwd' },
      { url: '../x' },
      { url: 'data:,x' },
      { files: [{ at: `${out}/a` }, { at: '/etc/passwd' }] },
      { files: [{ at: '' }] },
      { files: [{ at: `${out}/../.env` }] },
      { other: '/etc/passwd' },
      { constructor: '/etc/passwd' },
    ])
      expect([args, await isPermitted(args)]).toEqual([args, false]);
  });

  it('is judged only by the operator’s map if the map describes the tool', async () => {
    const map = { fetch: [{ name: 'fs.write', facts: { path: { arg: ['path'] } } }] };
    const { at, isPermitted } = await opened(rules, { carries: map });
    expect(await isPermitted({ path: `${at.folder}/out/a`, url: 'https://evil.org' })).toBe(true);
    expect(await isPermitted({ path: '/etc/passwd' })).toBe(false);
  });
});
