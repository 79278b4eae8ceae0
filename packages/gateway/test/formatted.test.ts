import type { Json, JsonObject, Toolset } from '@ambit/core';
import type { RunningServer } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import { withFormatted } from '../src/upstream/formatted.js';
import { createWorld, policyOf, type World } from './world.js';

async function opened(rules: string, more: Parameters<World['open']>[2] = {}) {
  const at = createWorld(policyOf(rules));
  const each = await at.open('formats', undefined, more);
  const isPermitted = async (args: Record<string, unknown>) =>
    (await each.client.callTool({ name: 'fetch', arguments: args })).isError !== true;
  return { at, isPermitted };
}

const rules = `  mcp.call: pre_approved
  net.connect: { decision: pre_approved, match: { host: example.com } }
  fs.write: { decision: pre_approved, match: { path: ./out/** } }
  secret.read: blocked
`;

describe('an argument with a format', () => {
  it('is judged as the file or site of that format', async () => {
    const { at, isPermitted } = await opened(rules);
    const out = `${at.folder}/out`;
    for (const args of [
      { url: 'https://example.com/a' },
      { url: `file://${out}/a` },
      { url: `file://${out}/%61` },
      { host: 'Example.com' },
      { path: '/etc/passwd' },
      { files: [{ at: `${out}/a` }, { at: 'out/b' }] },
      { other: 7 },
      {},
    ])
      expect([args, await isPermitted(args)]).toEqual([args, true]);
    for (const args of [
      { host: 'evil.org' },
      { host: 'example.com.evil.org' },
      { address: '93.184.216.34' },
      { address: '::1' },
      { url: 'https://evil.org' },
      { url: ' HTTP:evil.org' },
      { url: 'file:///etc/passwd' },
      { url: `file://${out}/%252e%252e/a` },
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

  it('may be a secret if the file is unknown', async () => {
    const { at, isPermitted } = await opened(
      '  mcp.call: pre_approved\n  net: pre_approved\n  fs.write: pre_approved\n  secret.read: blocked\n',
    );
    const many = (last: string) => [...Array.from({ length: 250 }, (_, index) => `f${index}`), last];
    const files = (last: string) => ({ files: many(last).map((name) => ({ at: `${at.folder}/${name}` })) });
    expect(await isPermitted({ files: [{ at: `${at.folder}/a` }] })).toBe(true);
    expect(await isPermitted({ files: [{ at: `${at.folder}/.env` }] })).toBe(false);
    expect(await isPermitted(files('.env'))).toBe(false);
    expect(await isPermitted({ url: `file://${at.folder}/%252eenv` })).toBe(false);
    for (const url of ['file://.env', 'url:file:///a', 'jar:file:///a.jar!/b'])
      expect([url, await isPermitted({ url })]).toEqual([url, false]);
  });

  it('is judged only by the operator’s map if the map describes the tool', async () => {
    const map = { fetch: [{ name: 'fs.write', facts: { path: { arg: ['path'] } } }] };
    const { at, isPermitted } = await opened(rules, { carries: map });
    expect(await isPermitted({ path: `${at.folder}/out/a`, url: 'https://evil.org' })).toBe(true);
    expect(await isPermitted({ path: '/etc/passwd' })).toBe(false);
  });
});

/** What a call of a tool with this schema carries by the formats there. */
async function described(input: object, args: JsonObject) {
  const tool = { name: 'fetch', describe: async () => ({ capabilities: [] }) };
  const running = { tools: [{ name: 'fetch', input }], server: { carries: {} } };
  const [formatted] = withFormatted(
    { name: 'mcp-formats', tools: [tool] } as unknown as Toolset,
    running as unknown as RunningServer,
    { homes: ['/home'], folder: '/home', guarded: [] },
  ).tools;
  const { capabilities = [] } = (await formatted?.describe(args, {} as never)) ?? {};
  return capabilities.map(({ name, ...facts }) => [name, facts]);
}

describe('a format', () => {
  const place = { type: 'string', format: 'path' };
  it.each<[string, object, Json]>([
    ['of names of properties', { propertyNames: place }, { '/x': 1 }],
    ['behind a reference into a list', { $ref: '#/$defs/list/anyOf/1' }, '/x'],
    ['behind an encoded reference', { $ref: '#/$defs/a%20b' }, '/x'],
    ['below two negations', { not: { not: place } }, '/x'],
  ])('%s counts', async (_, schema, value) => {
    const $defs = { list: { anyOf: [{}, place] }, 'a b': place };
    const input = { properties: { at: schema }, $defs };
    expect(await described(input, { at: value })).toContainEqual(['fs.read', { path: '/x' }]);
  });
});

describe('a URI of an unknown scheme', () => {
  const input = { properties: { at: { type: 'string', format: 'uri' } } };
  it('without a host names an unknown file, as well as an unknown site', async () => {
    const [file, write, site, secret] = ['fs.read', 'fs.write', 'net.connect', 'secret.read'];
    const names = await described(input, { at: 'sqlite:///x' });
    for (const name of [file, write, site, secret]) expect(names).toContainEqual([name, {}]);
    for (const at of ['ftp://example.com/x', 'mailto:ada@example.com', 'urn:isbn:1', 'data:,x'])
      expect(await described(input, { at })).not.toContainEqual([file, {}]);
  });
});

describe('a schema that leads to one place in many ways', () => {
  it('does not hold up the gateway, and counts as one that names anything', async () => {
    // Going each way would take years.
    const levels = 40;
    const ways = (level: number) => Array.from({ length: 4 }, () => ({ $ref: `#/$defs/at${level + 1}` }));
    const defs = Array.from({ length: levels }, (_, level) => [`at${level}`, { anyOf: ways(level) }]);
    const input = {
      // The check of the arguments never gets to this.
      else: { $ref: '#/$defs/at0' },
      properties: { url: { type: 'string', format: 'uri' } },
      $defs: { ...Object.fromEntries(defs), [`at${levels}`]: {} },
    };
    const names = await described(input, { url: 'https://example.com' });
    expect(names).toContainEqual(['net.connect', {}]);
    expect(names).toContainEqual(['fs.write', {}]);
  });
});
