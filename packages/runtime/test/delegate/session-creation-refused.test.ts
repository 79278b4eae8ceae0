import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { asking, calls, callsIn, out, reasonsIn, runAt, worker, workplace, write, yes } from '../session.js';
import { callIt, create, created, files, runOf } from './creating.js';

describe('a worker cannot create', () => {
  it.each<readonly [string, JsonObject, string]>([
    ['a way out of the folder', { name: '../evil' }, 'a name is a lower-case letter'],
    ['a name with a slash', { name: 'a/b' }, 'a name is a lower-case letter'],
    ['a name with a look-alike letter', { name: 'sсorer' }, 'a name is a lower-case letter'],
    ['a name in capitals', { name: 'Main' }, 'a name is a lower-case letter'],
    ['a name that ends in a line break', { name: 'scorer\n' }, 'a name is a lower-case letter'],
    ['the name `__proto__`', { name: '__proto__' }, 'a name is a lower-case letter'],
    ['a name with the prefix', { name: 'created:x' }, 'a name is a lower-case letter'],
    ['a reserved name', { name: 'filesystem' }, 'is reserved'],
    ['the name of a server', { name: 'mcp-x' }, 'is reserved'],
    ['an existing worker', { name: 'helper' }, 'there is a worker'],
    ['itself', { name: 'main' }, 'there is a worker'],
    ['a locked worker that this run does not load', { name: 'locked' }, 'there is a worker `locked` already'],
    ['a toolset that it does not have', { toolsets: ['shell'] }, 'main has no toolset `shell`'],
    ['a module', { toolsets: { './evil.js': {} } }, 'main has no toolset `./evil.js`'],
    ['a server', { toolsets: { 'mcp-x': { command: ['sh'] } } }, 'main has no toolset `mcp-x`'],
    ['a prototype for a toolset', { toolsets: ['constructor'] }, 'main has no toolset `constructor`'],
    [
      'another configuration',
      { toolsets: { http: { timeout: 60 } } },
      '`timeout` of http differs from that of main',
    ],
    [
      'more of a configuration',
      { toolsets: { http: { proxy: 'http://a:1' } } },
      '`proxy` of http differs from that of main',
    ],
    [
      'a call of another worker',
      { toolsets: { delegation: { allow_workers: ['locked'] } } },
      'main may not call "locked"',
    ],
    [
      'a call of all workers',
      { toolsets: { delegation: { allow_workers: ['*'] } } },
      'main may not call "*"',
    ],
    [
      'a value that is not a list of workers',
      { toolsets: { delegation: { allow_workers: 'helper' } } },
      '`allow_workers` is a list',
    ],
    ['an unknown model', { model: 'gpt' }, 'is not a model'],
    ['a model with a line break', { model: 'anthropic:claude\nlocked: false' }, 'is not a model'],
    ['a model with a line break at its end', { model: 'script:script.yaml\n' }, 'is not a model'],
    ['a model with a bidirectional control', { model: 'script:script.yaml\u202e' }, 'is not a model'],
    ['a model with a zero-width blank', { model: 'script:\u200bscript.yaml' }, 'is not a model'],
    ['no instructions', { instructions: '' }, '`instructions` are empty'],
    ['instructions of blanks', { instructions: ' \n\t ' }, '`instructions` are empty'],
    ['invisible instructions', { instructions: '\u200b\u2060\u2800' }, '`instructions` are empty'],
    ['a model at an address', { model: 'anthropic:m@https://model.example' }, 'address of a model'],
    ['a script that was not loaded', { model: 'script:other.yaml' }, 'was not loaded'],
    ['an invalid schema', { output_schema: { type: 'nonsense' } }, 'this is not a worker'],
    ['an oversized text', { instructions: 'x'.repeat(100_001) }, 'at most 100000 characters'],
  ])('%s', async (_, args, reason) => {
    const more = {
      'main.worker': worker({
        sandbox: out,
        toolsets: { delegation: { allow_workers: ['helper'] }, filesystem: {}, http: { timeout: 5 } },
      }),
      'locked.worker': worker({ locked: true }),
      'other.yaml': { scorer: [] },
    };
    const { calls: made, events, place } = await runOf([calls(create(args))], { more });
    expect(made.map(([, , , came]) => came)).toEqual(['cannot']);
    expect(reasonsIn(events)[0]).toContain(reason);
    expect([readdirSync(place.root).includes('generated'), place.text('locked.worker')]).toEqual([
      false,
      more['locked.worker'],
    ]);
  });

  it.each([
    ['header', 'x\n---\ntoolsets: { filesystem: {} }\n---\n'],
    ['description', '"\ntoolsets: { filesystem: {} }\n#\u2028\u0085'],
  ])('a file with hidden content in its %s', async (_, text) => {
    const { place, calls: made } = await runOf(
      [calls(create({ instructions: text, description: text })), calls(callIt())],
      {
        does: [calls(write('out/a'))],
      },
    );
    expect(made.at(-1)?.[3]).not.toBe('failed');
    expect(place.text('out/a')).toBe(null);
    expect(created(place)?.split('\n---\n')[0]).not.toMatch(/^toolsets/m);
  });

  it('two workers of one name at the same time', async () => {
    const { calls: made, place } = await runOf([
      calls(create({ instructions: 'One.' }), create({ instructions: 'Two.' })),
    ]);
    expect(new Set(made.map(([, , , came]) => came))).toEqual(new Set(['completed', 'failed']));
    expect(readdirSync(place.path('generated'))).toEqual(['scorer.worker']);
  });

  it('a worker through a linked folder, or over a new file', async () => {
    const linked = workplace({ ...files, 'script.yaml': { main: [calls(create()), { say: 'done' }] } });
    mkdirSync(linked.path('elsewhere'));
    symlinkSync(linked.path('elsewhere'), linked.path('generated'));
    const ran = await runAt(linked, { mode: 'approve_all' });
    expect(callsIn(ran.events).map(([, , , came]) => came)).toEqual(['failed']);
    expect(readdirSync(linked.path('elsewhere'))).toEqual([]);
    const { approver } = asking(() => {
      mkdirSync(raced.path('generated'));
      writeFileSync(raced.path('generated/scorer.worker'), 'mine');
      return yes;
    });
    const raced = workplace({ ...files, 'script.yaml': { main: [calls(create()), { say: 'done' }] } });
    const other = await runAt(raced, { mode: 'interactive', approver });
    expect(callsIn(other.events).map(([, , , came]) => came)).toEqual(['cannot']);
    expect(created(raced)).toBe('mine');
  });

  it('a worker file with a file tool: the folder is guarded', async () => {
    const root = { paths: { here: { root: '.', mode: 'rw' } } };
    const main = worker({ sandbox: root, toolsets: { delegation: {}, filesystem: {} } });
    const { calls: made } = await runOf(
      [
        calls(create()),
        calls(write('here/generated/scorer.worker')),
        calls(write('here/generated/b.worker')),
      ],
      { more: { 'main.worker': main } },
    );
    expect(made.slice(1).map(([, , decision]) => decision)).toEqual(['blocked', 'blocked']);
  });

  it('a file in part: a failed write leaves no trace', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(create()), calls(callIt()), { say: 'done' }] },
    });
    writeFileSync(join(place.root, 'generated'), 'a file');
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['cannot', 'cannot']);
    expect(place.text('generated')).toBe('a file');
  });
});
