import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import type { CarriedCapability, Fingerprint, FingerprintStore } from '../../src/index.js';
import { started, whyOf } from './server.js';

const worst = {
  name: 'mcp.call',
  server: 'mcp-x',
  tool: 'a',
  read_only: false,
  destructive: true,
  open_world: true,
};
const untrusted = { name: 'content.untrusted', source: 'mcp-x' };

describe('a call to a server', () => {
  const annotated = (annotations: JsonObject) =>
    `serve({ tools: [tool('a', { annotations: ${JSON.stringify(annotations)} })] });`;

  it('is judged at its worst, whatever an untrusted server says', async () => {
    const server = await started(
      annotated({ readOnlyHint: true, destructiveHint: false, openWorldHint: false }),
    );
    expect(await server.capabilities('a')).toEqual([worst, untrusted]);
  });

  it.each<readonly [JsonObject, JsonObject, boolean]>([
    [{}, {}, true],
    [{ readOnlyHint: true }, { read_only: true, destructive: false }, true],
    [{ readOnlyHint: true, destructiveHint: true }, { read_only: true, destructive: true }, true],
    [{ destructiveHint: false }, { destructive: false }, true],
    [{ openWorldHint: false }, { open_world: false }, false],
    [{ readOnlyHint: 'true', destructiveHint: 0, openWorldHint: null }, {}, true],
  ])('of a trusted server with %j is %j', async (annotations, facts, isUntrusted) => {
    const server = await started(annotated(annotations), { server: { trusted: true } });
    expect(await server.capabilities('a')).toEqual([
      { ...worst, ...facts },
      ...(isUntrusted ? [untrusted] : []),
    ]);
  });
});

describe('a changed definition', () => {
  function memory(): FingerprintStore & { readonly kept: Map<string, Fingerprint> } {
    const kept = new Map<string, Fingerprint>();
    return {
      kept,
      read: async () => new Map(kept),
      add: async (_, more) => {
        for (const [name, print] of more) kept.set(name, print);
      },
    };
  }
  const server = (list: string) => `serve({ tools: [${list}] });`;
  const changed = { ...worst, name: 'mcp.call.changed' };

  it.each([
    ['its description', "tool('a', { description: 'Now it is b.' })"],
    ['its title', "tool('a', { title: 'A' })"],
    ['its schema', "tool('a', { inputSchema: { type: 'object', properties: { key: { type: 'string' } } } })"],
    ['the schema of its results', "tool('a', { outputSchema: { type: 'object' } })"],
    ['its annotations', "tool('a', { annotations: { readOnlyHint: true } })"],
  ])('(in %s) has another name and its worst effect, even for a trusted server', async (_, now) => {
    const fingerprints = memory();
    await started(server("tool('a')"), { fingerprints });
    const trusted = { fingerprints, server: { trusted: true } };
    const later = await started(server(now), trusted);
    expect(later.running.changed).toEqual(['a']);
    expect(await later.capabilities('a')).toEqual([changed, untrusted]);
    // It stays so until a person permits it: being seen again is not permission.
    expect((await started(server(now), trusted)).running.changed).toEqual(['a']);
    expect((await started(server("tool('a')"), trusted)).running.changed).toEqual([]);
  });

  it('is detected when it is listed, before a call', async () => {
    const later = await started(
      "serve({ tools: (time) => [tool('a', time === 1 ? {} : { description: 'Now it is b.' })] });",
    );
    expect(await later.capabilities('a')).toEqual([worst, untrusted]);
    await later.running.listAgain(new AbortController().signal);
    expect(await later.capabilities('a')).toEqual([changed, untrusted]);
  });

  it('is listed for the other calls of a turn if one of them is cancelled', async () => {
    const { running } = await started(server("tool('a')"));
    const giving = new AbortController();
    const cancelled = running.listAgain(giving.signal);
    const other = running.listAgain(new AbortController().signal);
    giving.abort(new Error('given up'));
    await expect(cancelled).rejects.toThrow('given up');
    await expect(running.listAgain(giving.signal)).rejects.toThrow('given up');
    await expect(other).resolves.toBeUndefined();
  });

  it('is detected if only its name changed; a new tool is not a change', async () => {
    const fingerprints = memory();
    await started(server("tool('a', { description: 'Same.' })"), { fingerprints });
    const renamed = await started(server("tool('b', { description: 'Same.' }), tool('c')"), { fingerprints });
    expect(renamed.running.changed).toEqual(['b']);
    expect([...fingerprints.kept.keys()]).toEqual(['a', 'c']);
  });

  it('is not one if only the order of keys differs', async () => {
    const fingerprints = memory();
    await started(server("{ name: 'a', description: 'd', inputSchema: { type: 'object', title: 't' } }"), {
      fingerprints,
    });
    const later = await started(
      server("{ inputSchema: { title: 't', type: 'object' }, name: 'a', description: 'd' }"),
      { fingerprints },
    );
    expect(later.running.changed).toEqual([]);
  });

  it('restarts the call if it changed after the list, and is marked as changed', async () => {
    const { call, capabilities, running } = await startedChanging(
      "[tool('a', { description: 'v' + Math.min(times, 2) })]",
    );
    expect(await call()).toBe('the call starts over');
    expect((await capabilities())[0]).toEqual(changed);
    expect(await call()).toBe('done');
    expect(running.ended).toBe(null);
  });

  it('is not called if it changes each time', async () => {
    const server = await startedChanging("[tool('a', { description: 'v' + times })]");
    expect(await server.call()).toBe('the call starts over');
    expect(await server.call()).toBe('the call starts over');
    expect(await server.cannot()).toBe('mcp-x no longer lists a as it did');
  });

  it('is not called if it disappears', async () => {
    const server = await startedChanging("times === 1 ? [tool('a')] : []");
    expect(await server.call()).toBe('the call starts over');
    expect(await server.cannot()).toBe('mcp-x no longer lists a as it did');
  });

  async function startedChanging(list: string) {
    const server = await started(`serve({ tools: (times) => ${list} });`);
    return {
      running: server.running,
      call: async () => {
        const described = await server.capabilities('a');
        return server.execute('a', { args: {}, described }).catch((error: Error) => error.message);
      },
      capabilities: () => server.capabilities('a'),
      cannot: async () => (await server.describe('a')).cannot,
    };
  }
});

describe('the capabilities from a map', () => {
  async function carrying(carries: readonly CarriedCapability[], args: JsonObject) {
    const server = await started("serve({ tools: [tool('a')] });", { server: { carries: { a: carries } } });
    const at = (path: string) => join(server.base, path);
    mkdirSync(at('real'));
    symlinkSync('real', at('link'));
    mkdirSync(at('deep/a'), { recursive: true });
    symlinkSync('deep/a', at('far'));
    writeFileSync(at('.env'), '');
    execFileSync('tar', ['cf', 'packed', '.env'], { cwd: server.base });
    const capabilities = (await server.capabilities('a', args)).slice(2);
    return JSON.parse(JSON.stringify(capabilities).replaceAll(server.base, '/BASE')) as unknown;
  }

  const read = { name: 'fs.read', facts: { path: { arg: ['path'] } } } as const;
  const by = 'toolset:mcp-x';
  const plain = { name: 'fs.read', by };

  it.each<readonly [string, JsonObject, unknown]>([
    ['a path, made absolute', { path: 'x/../y' }, [{ ...plain, path: '/BASE/y' }]],
    ['an absolute one', { path: '/a//b/./c/' }, [{ ...plain, path: '/a/b/c' }]],
    ['the folder itself', { path: '.' }, [{ ...plain, path: '/BASE' }]],
    [
      'as named and as real',
      { path: 'link/f' },
      [
        { ...plain, path: '/BASE/link/f' },
        { ...plain, path: '/BASE/real/f' },
      ],
    ],
    [
      'both that `..` behind a link may mean',
      { path: 'far/../f' },
      [
        { ...plain, path: '/BASE/f' },
        { ...plain, path: '/BASE/deep/f' },
      ],
    ],
    ['one from a URL', { path: 'file:///a%20b' }, [{ ...plain, path: '/a b' }]],
    ['none from another URL', { path: 'https://a.example/x' }, [plain]],
    ['none from an unknown home', { path: '~/x' }, [plain]],
    ['none without arguments', {}, [plain]],
    ['none from an empty text', { path: '' }, [plain]],
    ['none from a value that is not text', { path: { path: 'x' } }, [plain]],
    ['none from one that a server may trim', { path: ' /etc/passwd\n' }, [plain]],
    ['none with a NUL', { path: 'a\0b' }, [plain]],
    [
      'one for each entry of a list',
      { path: ['a', 'b'] },
      [
        { ...plain, path: '/BASE/a' },
        { ...plain, path: '/BASE/b' },
      ],
    ],
    [
      'one for each entry of a list, and one without a path for an invalid entry',
      { path: ['a', 1] },
      [{ ...plain, path: '/BASE/a' }, plain],
    ],
    ['none from an empty list', { path: [] }, [plain]],
    ['none from a very long list', { path: Array.from({ length: 1000 }, () => 'a') }, [plain]],
    [
      'with a secret',
      { path: '/home/ada/.ssh/id_rsa' },
      [
        { ...plain, path: '/home/ada/.ssh/id_rsa' },
        { name: 'secret.read', path: '/home/ada/.ssh/id_rsa', by },
      ],
    ],
    [
      'with a secret in an archive',
      { path: 'packed' },
      [
        { ...plain, path: '/BASE/packed' },
        { name: 'secret.read', path: '/BASE/packed', by },
      ],
    ],
  ])('contain paths: %s', async (_, args, expected) => {
    expect(await carrying([read], args)).toEqual(expected);
  });

  it('report a written file that guards the run', async () => {
    const write = { name: 'fs.write', facts: { path: { arg: ['to'] } } };
    expect(await carrying([write], { to: 'guarded' })).toEqual([
      { name: 'fs.write', path: '/BASE/guarded', by },
      { name: 'sys.guard', what: 'log', path: '/BASE/guarded' },
    ]);
  });

  const connect = { name: 'net.connect', facts: { host: { arg: ['url'] } } } as const;
  it.each<readonly [string, unknown]>([
    [
      'https://A.example:8443/x',
      [{ name: 'net.connect', scheme: 'https', port: 8443, host: 'a.example', by }],
    ],
    ['a.example.', [{ name: 'net.connect', host: 'a.example', by }]],
    ['http://127.0.0.1/', [{ name: 'net.connect.private', scheme: 'http', port: 80, host: '127.0.0.1', by }]],
    ['http://[::1]:81', [{ name: 'net.connect.private', scheme: 'http', port: 81, host: '::1', by }]],
    ['::ffff:169.254.169.254', [{ name: 'net.connect.private', host: '169.254.169.254', by }]],
    [
      'not a host',
      [
        { name: 'net.connect', by },
        { name: 'net.connect.private', by },
      ],
    ],
    [
      'http://',
      [
        { name: 'net.connect', by },
        { name: 'net.connect.private', by },
      ],
    ],
  ])('have %s in canonical form, or omit it', async (url, expected) => {
    expect(await carrying([connect], { url })).toEqual(expected);
  });

  it.each([
    'http://a.example\\@b.example/',
    'http://a.example#@b.example/',
    'http://a.example?@b.example/',
    'http://a.example:80@b.example/',
    'http://a.ex\nample/',
    ' http://a.example/',
    'http://fa\u00df.example/',
    'http://%61.example/',
    'http://010.0.0.1/',
    'http://2130706433/',
  ])('omit a host that programs read differently: %j', async (url) => {
    expect(await carrying([connect], { url })).toEqual([
      { name: 'net.connect', by },
      { name: 'net.connect.private', by },
    ]);
  });

  it.each(['https://a.example/@scope/b?c=d@e', 'https://git@A.example', 'https://a.example:443/#x'])(
    'have the host of %s',
    async (url) => {
      expect(await carrying([connect], { url })).toEqual([
        { name: 'net.connect', scheme: 'https', port: 443, host: 'a.example', by },
      ]);
    },
  );

  it('follow names through lists, own properties only, and keep fixed values', async () => {
    const carried = [
      { name: 'fs.write', facts: { path: { arg: ['files', 'path'] }, mode: { is: 'append' } } },
      { name: 'crm.export', facts: { of: { arg: ['constructor'] }, count: { arg: ['n'] } } },
    ];
    expect(await carrying(carried, { files: [{ path: 'a' }, {}], n: 3 })).toEqual([
      { name: 'fs.write', path: '/BASE/a', mode: 'append', by },
      { name: 'fs.write', mode: 'append', by },
      { name: 'crm.export', count: 3 },
    ]);
  });

  it('start nothing for an unknown tool', async () => {
    const carries = { b: [read] };
    expect(await whyOf(started("serve({ tools: [tool('a')] });", { server: { carries } }))).toBe(
      '`carries` names `b`, which mcp-x does not have: a',
    );
  });
});
