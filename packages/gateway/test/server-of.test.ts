import { describe, expect, it } from 'vitest';
import { serverOf } from '../src/upstream/server-of.js';
import { readServersFile } from '../src/upstream/servers-file.js';

const keyOf = (...command: [string, ...string[]]) =>
  serverOf({ command, folder: '/', environment: {}, trusted: false }).key;

describe('the name of a server', () => {
  it.each([
    ['server-memory', ['npx', '-y', '@modelcontextprotocol/server-memory']],
    ['server-memory', ['npx', '-y', '@modelcontextprotocol/server-memory@1.2.3']],
    ['server-memory', ['/usr/bin/node', '/opt/server-memory/dist/index.js', '--port', '1']],
    ['notes', ['uvx', 'Notes.py']],
    ['index', ['node', 'index.js']],
    ['server', ['node']],
  ] as const)('is %s for %j', (name, command) => {
    expect(keyOf(...(command as unknown as [string, ...string[]]))).toBe(name);
  });

  it.each(['A', '__proto__', 'a__b', '1a', ''])('is never %j', (name) => {
    expect(() => serverOf({ name, command: ['x'], folder: '/', environment: {}, trusted: false })).toThrow();
  });
});

describe('the longest call of a server', () => {
  it('is an hour, regardless of the client’s limit, unless the file sets another', () => {
    const named = { command: ['x'] as const, folder: '/', environment: {}, trusted: false };
    expect(serverOf(named).limits.call).toBe(3_600_000);
    const text = 'servers:\n  a: { command: x }\n  b: { command: x, timeout: 5 }\n';
    const { servers } = readServersFile('/servers.yaml', Buffer.from(text), { HOME: '/' });
    expect(servers.map(({ limits }) => limits?.call)).toEqual([3_600_000, 5_000]);
  });

  it('suggests a server in an empty file', () => {
    const { diagnostics } = readServersFile('/servers.yaml', Buffer.from('# later\n'), { HOME: '/' });
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ['EMPTY_FILE', 'write at least `servers: { NAME: { command: PROGRAM } }`'],
    ]);
  });
});
