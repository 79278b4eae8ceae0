import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { world } from '../filesystem/world.js';
import { startedBy, whyOf } from './server.js';

const require = createRequire(import.meta.url);

/** The program of one of the official servers. */
function official(name: string): string {
  const file = require.resolve(`@modelcontextprotocol/${name}/package.json`);
  const { bin } = require(file) as { readonly bin: Readonly<Record<string, string>> };
  return join(dirname(file), Object.values(bin)[0] ?? '');
}

describe('the official filesystem server', () => {
  it('reads and writes, with files in the reported capabilities', async () => {
    const { base, at } = world({ 'data/a.txt': 'hello' });
    const path = { path: { arg: ['path'] } };
    const server = await startedBy(
      {
        program: {
          transport: 'stdio',
          command: process.execPath,
          args: [official('server-filesystem'), at('data')],
          folder: base,
          environment: {},
        },
        carries: {
          read_text_file: [{ name: 'fs.read', facts: path }],
          read_multiple_files: [{ name: 'fs.read', facts: { path: { arg: ['paths'] } } }],
          write_file: [{ name: 'fs.write', facts: path }],
        },
      },
      { base },
    );
    expect(server.running.left_out).toEqual([]);
    expect(server.names).toEqual(
      expect.arrayContaining(['read_text_file', 'write_file', 'edit_file', 'list_directory']),
    );
    expect((await server.capabilities('read_text_file', { path: 'data/a.txt' })).slice(2)).toEqual([
      { name: 'fs.read', path: at('data/a.txt'), by: 'toolset:mcp-x' },
    ]);
    expect(
      (await server.capabilities('read_multiple_files', { paths: ['data/a.txt', 'data/b.txt'] })).slice(2),
    ).toEqual([
      { name: 'fs.read', path: at('data/a.txt'), by: 'toolset:mcp-x' },
      { name: 'fs.read', path: at('data/b.txt'), by: 'toolset:mcp-x' },
    ]);
    expect(await server.call('read_text_file', { path: at('data/a.txt') })).toBe('hello');
    expect(await server.call('write_file', { path: at('data/b.txt'), content: 'x' })).toContain('b.txt');
    expect(await whyOf(server.call('read_text_file', { path: '/etc/hostname' }))).toContain(
      'the server mcp-x says: ',
    );
    expect(await whyOf(server.call('read_text_file', {}))).toBe('lacks `path`');
  });

  it('marks its read-only tools, for those who trust it', async () => {
    const { base, at } = world({ 'data/a.txt': 'hello' });
    const program = {
      transport: 'stdio',
      command: process.execPath,
      args: [official('server-filesystem'), at('data')],
      folder: base,
      environment: {},
    } as const;
    const server = await startedBy({ program, trusted: true }, { base });
    expect((await server.capabilities('read_text_file', { path: 'a' }))[0]).toMatchObject({
      read_only: true,
      destructive: false,
    });
    expect((await server.capabilities('write_file', { path: 'a', content: '' }))[0]).toMatchObject({
      read_only: false,
      destructive: true,
    });
  });
});

describe('the official memory server', () => {
  it('stores data in the file from its environment', async () => {
    const { base, at } = world();
    writeFileSync(at('memory.json'), '');
    const program = {
      transport: 'stdio',
      command: process.execPath,
      args: [official('server-memory')],
      folder: base,
      environment: { MEMORY_FILE_PATH: at('memory.json') },
    } as const;
    const server = await startedBy({ program }, { base });
    expect(server.running.left_out).toEqual([]);
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
    expect(await server.call('create_entities', { entities })).toContain('Ada');
    expect(await server.call('search_nodes', { query: 'Ada' })).toContain('writes programs');
    expect(await whyOf(server.call('create_entities', { entities: [{ name: 'Ada' }] }))).toBe(
      '`entities[0]` lacks `entityType`',
    );
  });
});

describe('the official everything server', () => {
  it('works with tools alone', async () => {
    const { base } = world();
    const program = {
      transport: 'stdio',
      command: process.execPath,
      args: [official('server-everything')],
      folder: base,
      environment: { OWN: 'yes' },
    } as const;
    const server = await startedBy({ program }, { base });
    expect(server.running.left_out.map(({ why }) => why)).toEqual(
      server.running.left_out.map(() => 'it can be called only as a task'),
    );
    expect(await server.call('echo', { message: 'hi' })).toBe('Echo: hi');
    expect(await server.call('get-sum', { a: 2, b: 3 })).toContain('5');
    expect(await server.call('get-tiny-image')).toContain('(image, image/png, ');
    expect(await server.call('get-structured-content', { location: 'New York' })).toContain('temperature');
    const seen = Object.keys(JSON.parse((await server.call('get-env')) as string) as object).sort();
    expect(seen).toEqual(['HOME', 'LANG', 'OWN', 'PATH', 'SHELL_CALL']);
    // It asks what can be sampled and who can be asked, and finds nobody.
    expect(server.names).not.toEqual(expect.arrayContaining(['trigger-sampling-request']));
    expect(await server.call('trigger-long-running-operation', { duration: 1, steps: 2 })).toContain(
      'completed',
    );
  });
});
