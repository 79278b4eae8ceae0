import { appendFileSync } from 'node:fs';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { calls, callsIn, type Files, runAt, type Workplace, worker, workplace } from '../session.js';

const permitting = {
  version: 1,
  default: 'needs_approval',
  capabilities: { proc: { decision: 'pre_approved', below: true }, 'fs.read': 'pre_approved' },
};
const main = worker({
  sandbox: { paths: { out: { root: './out', mode: 'rw' } } },
  toolsets: { shell: { isolation: 'off' }, '../tools/crm.mjs': {} },
});
const files: Files = {
  'policy.yaml': { ...permitting, extends: ['org.yaml'] },
  'org.yaml': { version: 1, default: 'pre_approved' },
  'workers/main.worker': main,
  'workers/other.worker': worker(),
  'tools/crm.mjs': 'export default { name: "crm", tools: [], capabilities: [] };',
  'out/keep': '',
};

const run = (command: string): Json => calls(['run', { command }]);

/** Runs a script that nothing is known about and nothing confines, and then one more command. */
async function attackedBy(script: string, more: Files = {}) {
  const place = workplace({
    ...files,
    'out/attack': `#!/bin/sh\nset -e\ncd ..\n${script}\n`,
    'script.yaml': { main: [run('bash ./attack'), run('cat keep'), { say: 'done' }] },
    ...more,
  });
  const ran = await runAt(place, { workers: place.path('workers/main.worker'), mode: 'approve_all' });
  const found = ran.events.filter(({ event }) => event === 'guard_changed');
  const shells = callsIn(ran.events).filter(([, tool]) => tool === 'shell.run');
  return { ...ran, place, found, shells: shells.map(([, , , came]) => came) };
}

/** Paths under the working folder as `./…`. */
function changesIn(place: Workplace, found: readonly Json[]): Json {
  return JSON.parse(JSON.stringify(found).replaceAll(place.root, '.'))[0]?.changes;
}

const worker_file = (how: string, path = './workers/main.worker') => ({ path, what: 'worker file', how });

describe('a guard file changed by an unknown program', () => {
  it.each<readonly [string, string, readonly Json[]]>([
    ['a changed worker file', 'echo >> workers/main.worker', [worker_file('changed')]],
    [
      'one changed with the same size, and its time set back',
      'cp -p workers/main.worker out/old; sed -i s/Work/Wurk/ workers/main.worker; touch -r out/old workers/main.worker',
      [worker_file('replaced')],
    ],
    [
      'the same without a new file',
      'cp -p workers/main.worker out/old; sed s/Work/Wurk/ out/old > workers/main.worker; touch -r out/old workers/main.worker',
      [worker_file('changed')],
    ],
    [
      'one restored with its time within the call',
      'cp -p workers/main.worker out/old; echo x > workers/main.worker; cat out/old > workers/main.worker; touch -r out/old workers/main.worker',
      [worker_file('written')],
    ],
    [
      'one replaced by a copy',
      'cp -p workers/main.worker out/new; mv out/new workers/main.worker',
      [worker_file('replaced')],
    ],
    [
      'one replaced by a link to itself',
      'mv workers/main.worker out/moved; ln -s ../out/moved workers/main.worker',
      [worker_file('replaced')],
    ],
    [
      'one replaced by a pipe',
      'rm workers/other.worker; mkfifo workers/other.worker',
      [worker_file('gone', './workers/other.worker')],
    ],
    [
      'the folder above, moved',
      'mv workers elsewhere',
      [worker_file('gone'), worker_file('gone', './workers/other.worker')],
    ],
    [
      'the folder above, replaced by a copy',
      'cp -a workers copy; mv workers elsewhere; mv copy workers',
      [worker_file('replaced'), worker_file('replaced', './workers/other.worker')],
    ],
    [
      'the folder above, replaced by a link to it',
      'mv workers elsewhere; ln -s elsewhere workers',
      [worker_file('replaced'), worker_file('replaced', './workers/other.worker')],
    ],
    [
      'a new worker file',
      'cp workers/other.worker workers/new.worker',
      [worker_file('appeared', './workers/new.worker')],
    ],
    [
      'a new configuration of the project',
      'echo "{}" > ambit.yaml',
      [{ path: './ambit.yaml', what: 'project configuration', how: 'appeared' }],
    ],
    [
      'a module in use',
      'echo >> tools/crm.mjs',
      [{ path: './tools/crm.mjs', what: 'toolset module', how: 'changed' }],
    ],
    ['a removed policy', 'rm policy.yaml', [{ path: './policy.yaml', what: 'policy file', how: 'gone' }]],
    [
      'a removed policy that another one extends',
      'rm org.yaml',
      [{ path: './org.yaml', what: 'policy file', how: 'gone' }],
    ],
  ])('is detected: %s', async (_, script, changes) => {
    const { place, status, why, found, shells, events } = await attackedBy(script);
    expect(changesIn(place, found)).toEqual(changes);
    const call = events.find(({ event, tool }) => event === 'decision' && tool === 'shell.run')?.call;
    expect([found.length, found[0]?.after]).toEqual([1, call]);
    expect([status, shells]).toEqual(['stopped', ['completed']]);
    expect(why).toMatch(/^a guarded file changed: /);
  });

  it('is detected if the program works on unknown files of a known kind', async () => {
    const { status, found } = await attackedBy('true', {
      'script.yaml': { main: [run('cat names | xargs rm -f'), run('cat keep'), { say: 'done' }] },
      'out/names': '../workers/other.worker\n',
    });
    expect([status, found.length]).toEqual(['stopped', 1]);
  });

  it('does not stop the run if a changed policy loads: both texts judge', async () => {
    const open = JSON.stringify({ version: 1, default: 'pre_approved' });
    const { status, found, shells, events } = await attackedBy(`echo '${open}' > policy.yaml`);
    expect([status, found, shells]).toEqual(['finished', [], ['completed', 'completed']]);
    expect(events.filter(({ event }) => event === 'policy')).toHaveLength(2);
  });

  it('does not stop the run if no file was touched', async () => {
    const { status, found } = await attackedBy('cat workers/main.worker policy.yaml > out/read');
    expect([status, found]).toEqual(['finished', []]);
  });

  it('is detected before the next permit', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [run('cat keep'), run('cat keep'), { say: 'done' }] },
    });
    let decided = 0;
    const ran = await runAt(place, {
      workers: place.path('workers/main.worker'),
      mode: 'approve_all',
      onEvent: (event) => {
        if (event.type !== 'recorded' || event.event.event !== 'outcome') return;
        decided += 1;
        if (decided === 2) appendFileSync(place.path('workers/other.worker'), '\n');
      },
    });
    const found = ran.events.filter(({ event }) => event === 'guard_changed');
    expect(changesIn(place, found)).toEqual([worker_file('changed', './workers/other.worker')]);
    expect([ran.status, found[0]?.after]).toEqual(['stopped', undefined]);
    expect(callsIn(ran.events).map(([, , , came]) => came)).toEqual(['completed', 'completed', 'stopped']);
  });
});
