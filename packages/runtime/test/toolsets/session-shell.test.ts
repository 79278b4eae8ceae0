import { realpathSync } from 'node:fs';
import type { Json } from '@ambit/core';
import { findIsolation } from '@ambit/shell';
import { describe, expect, it } from 'vitest';
import { lineToolsets } from '../../src/index.js';
import { describeLine } from '../../src/judge-line/judge-line.js';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  no,
  openAt,
  out,
  reasonsIn,
  runAt,
  worker,
  workplace,
} from '../session.js';

/** How commands are confined on this machine; null where nothing does. */
const kindHere = await findIsolation();

const run = (command: string, more: { [key: string]: Json } = {}) => ['run', { command, ...more }] as const;

/** Reading, listing and running are permitted; writing is in `out`. */
const policy = {
  version: 1,
  default: 'blocked',
  capabilities: {
    'fs.read': 'pre_approved',
    'fs.list': 'pre_approved',
    'fs.write': { decision: 'pre_approved', match: { path: './out/**' } },
    'proc.exec': 'pre_approved',
  },
};

function place(script: readonly Json[], shell: Json = {}, more: Readonly<Record<string, Json>> = {}) {
  return workplace({
    'policy.yaml': policy,
    'main.worker': worker({ sandbox: out, toolsets: { shell, filesystem: {} } }),
    'script.yaml': { main: [...script, { say: 'done' }] },
    'out/a.txt': 'text\n',
    ...more,
  });
}

describe('a worker that uses shell', () => {
  it('runs only permitted commands in its roots', async () => {
    const at = place([
      calls(run('cat a.txt > b.txt')),
      calls(run('rm -f a.txt')),
      calls(run('cat a.txt; cat ../policy.yaml')),
      calls(run('cat a.txt', { cwd: 'out/..' })),
    ]);
    const result = await runAt(at);
    expect(callsIn(result.events)).toEqual([
      ['main', 'shell.run', 'pre_approved', 'completed'],
      ['main', 'shell.run', 'blocked', 'blocked'],
      ['main', 'shell.run', 'blocked', 'blocked'],
      ['main', 'shell.run', 'blocked', 'blocked'],
    ]);
    expect([at.text('out/a.txt'), at.text('out/b.txt')]).toEqual(['text\n', 'text\n']);
  });

  it('reports `sys.guard` if a command changes a file that guards the run', async () => {
    const at = place([
      calls(run('echo x > ../policy.yaml')),
      calls(run('rm -r ../../state')),
      calls(run('echo x > ../main.worker')),
    ]);
    const result = await runAt(at);
    expect(callsIn(result.events).map(([, , decision]) => decision)).toEqual([
      'blocked',
      'blocked',
      'blocked',
    ]);
    expect(carriedBy(result.events, 'shell.run')).toContainEqual({
      name: 'sys.guard',
      what: 'policy file',
      path: at.path('policy.yaml'),
    });
  });

  it('passes no environment variable of the host on', async () => {
    const at = place([calls(run('env > env.txt'))]);
    const allowed = { ...policy, capabilities: { ...policy.capabilities, 'env.read': 'pre_approved' } };
    const again = place([calls(run('env > env.txt'))], {}, { 'policy.yaml': allowed });
    expect(callsIn((await runAt(at)).events)[0]?.[2]).toBe('blocked');
    await runAt(again, { environment: { ANTHROPIC_API_KEY: 'key', OTHER: 'x' } });
    const names = (again.text('out/env.txt') ?? '').split('\n').map((line) => line.split('=')[0]);
    expect(names.filter((name) => /AMBIT|ANTHROPIC|OTHER|VITEST/.test(name ?? ''))).toEqual([]);
    expect(names).toContain('PATH');
  });

  it('limits a command to the time of its reference', async () => {
    const at = place([calls(run('sleep 1000', { timeout: 2000 }))], { timeout: 1 });
    const { events } = await runAt(at);
    expect(callsIn(events)).toEqual([['main', 'shell.run', 'pre_approved', 'completed']]);
  });

  it('reports confinement in the context, regardless of the host, and confines commands', async () => {
    const found = await findIsolation();
    const kind = found?.kind ?? 'none';
    const rule = { decision: 'blocked', when: { '==': [{ var: 'context.isolation' }, 'none'] } };
    const confined = { ...policy, tools: { 'shell.run': rule } };
    const at = place([calls(run('cat a.txt'))], { isolation: 'if_possible' }, { 'policy.yaml': confined });
    const result = await runAt(at, { context: { isolation: 'mine', env: 'test' } });
    expect(result.events.find(({ event }) => event === 'run')?.context).toEqual({
      isolation: kind,
      env: 'test',
    });
    expect(callsIn(result.events)[0]?.[2]).toBe(kind === 'none' ? 'blocked' : 'pre_approved');
    const open = place([calls(run('cat a.txt'))], { isolation: 'off' }, { 'policy.yaml': confined });
    expect(callsIn((await runAt(open)).events)[0]?.[2]).toBe('blocked');
  });

  it('runs no command that must be confined and cannot be', async () => {
    const found = await findIsolation();
    const at = place([calls(run('cat a.txt'))], { isolation: 'required' });
    const { events } = await runAt(at);
    expect(callsIn(events)[0]?.[3]).toBe(found === null ? 'cannot' : 'completed');
    if (found === null) expect(reasonsIn(events)[0]).toMatch(/^commands have to be confined here/);
  });
});

describe('a reference to shell', () => {
  it('is rejected if two roots are one folder', async () => {
    const paths = { one: { root: './out', mode: 'rw' }, two: { root: 'out/', mode: 'ro' } } as const;
    const at = place(
      [calls(run('true'))],
      {},
      { 'main.worker': worker({ sandbox: { paths }, toolsets: { shell: {} } }) },
    );
    const opened = await openAt(at);
    expect(opened.ok ? [] : opened.problems.map(({ code, message }) => [code, message])).toEqual([
      ['ROOTS_OVERLAP', `the roots \`one\` and \`two\` of main are one folder: ${at.path('out')}`],
    ]);
  });
});

describe('a line about shell.run', () => {
  it('is described without running it', async () => {
    const at = workplace({ 'a.txt': 'x' });
    const toolsets = await lineToolsets(at.root, {
      environment: { HOME: '/nowhere' },
      policyFiles: [at.path('policy.yaml')],
    });
    const line = { id: 1, tool: 'shell.run', args: { command: 'cat a.txt > policy.yaml' } };
    const path = realpathSync(at.root);
    expect(await describeLine(JSON.stringify(line), { toolsets })).toMatchObject({
      id: 1,
      capabilities: expect.arrayContaining([
        { name: 'fs.read', path: `${path}/a.txt`, by: 'cat' },
        expect.objectContaining({ name: 'fs.write', path: `${path}/policy.yaml` }),
        { name: 'sys.guard', what: 'policy file', path: `${path}/policy.yaml` },
      ]),
    });
    expect(at.text('policy.yaml')).toBe(null);
  });

  it.each([
    ['off', true],
    ['if_possible', kindHere === null],
    [null, kindHere === null],
  ] as const)(
    'shows in a question about an opaque program whether it is confined: %s',
    async (isolation, told) => {
      const asks = {
        ...policy,
        capabilities: { ...policy.capabilities, 'proc.exec.opaque': 'needs_approval' },
      };
      const at = place([calls(run('./unknown'))], isolation === null ? {} : { isolation }, {
        'policy.yaml': asks,
      });
      const { approver, questions } = asking(() => no);
      await runAt(at, { mode: 'interactive', approver });
      const words = questions[0]?.capabilities.map((one) => one.words).join('; ') ?? '';
      expect(words).toContain('do something that cannot be known before');
      expect(words.includes('not confined: it can read secrets and use the network')).toBe(told);
    },
  );
});
