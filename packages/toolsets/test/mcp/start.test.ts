import { chmodSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeStart } from '../../src/index.js';
import type { McpProgram } from '../../src/mcp/connection/server-definition.js';
import { world } from '../filesystem/world.js';

function start(program: Partial<McpProgram> & { readonly folder: string }, { trusted = false } = {}) {
  return describeStart(
    {
      key: 'x',
      trusted,
      prefix: '',
      carries: {},
      limits: { start: 1, call: 1 },
      program: { transport: 'stdio', command: 'sh', args: [], environment: {}, ...program },
    },
    {
      searchPath: ['/usr/bin', '/bin'],
      describeLine: (text, cwd) => [
        { name: text.startsWith("'sh'") ? 'line.known' : 'proc.exec.opaque', text, cwd },
      ],
    },
  );
}

describe('starting a server', () => {
  it('reports its program, arguments and folder, and untrusted content', async () => {
    const { base } = world();
    expect(await start({ folder: base, args: ['-x'] })).toEqual({
      capabilities: expect.arrayContaining([
        { name: 'proc.exec', program: 'sh', argv: ['sh', '-x'], cwd: base },
        { name: 'content.untrusted', source: 'mcp-x' },
      ]) as unknown,
    });
    expect(
      (await start({ folder: base }, { trusted: true })).capabilities.map(({ name }) => name),
    ).not.toContain('content.untrusted');
  });

  it('sets exactly the given variables', async () => {
    const { base } = world();
    const { capabilities } = await start({ folder: base, environment: { LD_PRELOAD: '/x.so', A: 'b' } });
    expect(capabilities.filter(({ name }) => name === 'env.set')).toEqual([
      { name: 'env.set', variable: 'LD_PRELOAD', value: '/x.so' },
      { name: 'env.set', variable: 'A', value: 'b' },
    ]);
  });

  it('reports the effects of its command line, quoted, with its variables first', async () => {
    const { base } = world();
    const { capabilities } = await start({
      folder: base,
      args: ['-c', "rm -rf ~ # '", '$(id)'],
      environment: { LD_PRELOAD: '/x.so', A: "b'; id" },
    });
    const words = "'sh' '-c' 'rm -rf ~ # '\\''' '$(id)'";
    expect(capabilities).toContainEqual({ name: 'line.known', text: words, cwd: base });
    expect(capabilities).toContainEqual({
      name: 'proc.exec.opaque',
      text: `LD_PRELOAD='/x.so' A='b'\\''; id' ${words}`,
      cwd: base,
    });
  });

  it('is opaque once if its line is opaque without its variables', async () => {
    const { base } = world();
    const { capabilities } = await start({ folder: base, command: 'bash', environment: { A: 'b' } });
    expect(capabilities.filter(({ name }) => name === 'proc.exec.opaque')).toEqual([
      { name: 'proc.exec.opaque', text: "'bash'", cwd: base },
    ]);
  });

  it('reports a program path as given and as real', async () => {
    const { base, at } = world({ 'bin/real': '#!/bin/sh\n' });
    chmodSync(at('bin/real'), 0o755);
    symlinkSync('bin', at('link'));
    expect(
      (await start({ folder: base, command: './link/real' })).capabilities
        .filter(({ name }) => name === 'proc.exec')
        .map(({ program }) => program),
    ).toEqual([at('link/real'), at('bin/real')]);
  });

  it.each(['nothing-of-this-name', '/nowhere/x', './gone', ''])(
    'is impossible without a program %j',
    async (command) => {
      const { base } = world();
      expect((await start({ folder: base, command })).cannot).toContain(`there is no program \`${command}\``);
    },
  );

  it('runs no program from host folders outside the fixed search path', async () => {
    const { base, at } = world({ 'bin/own': '#!/bin/sh\n' });
    chmodSync(at('bin/own'), 0o755);
    expect(
      (await start({ folder: at('bin'), command: 'own', environment: { PATH: at('bin') } })).cannot,
    ).toContain('there is no program `own`');
    expect((await start({ folder: base, command: './bin/own' })).cannot).toBe(undefined);
  });
});
