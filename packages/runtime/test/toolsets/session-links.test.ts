import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  type Files,
  out,
  reasonsIn,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
  writeFiles,
  yes,
} from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'needs_approval', grants: { reach: 'capability' } },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'out/deep/a.txt': 'before',
  'out/link-me/keep': '',
};

/** What lies outside of every root: nothing of it may change. */
function outside(): Workplace & { readonly untouched: () => boolean } {
  const place = workplace({ ...files, 'outside/a.txt': 'outside', 'outside/deep/a.txt': 'outside' });
  const look = () =>
    JSON.stringify([
      readdirSync(place.path('outside'), { recursive: true, encoding: 'utf8' }).sort(),
      place.text('outside/a.txt'),
      place.text('outside/deep/a.txt'),
    ]);
  const before = look();
  return { ...place, untouched: () => look() === before };
}

const swaps: readonly (readonly [string, (place: Workplace) => void])[] = [
  [
    'the file for a link out',
    ({ path }) => {
      rmSync(path('out/deep/a.txt'), { force: true });
      symlinkSync(path('outside/a.txt'), path('out/deep/a.txt'));
    },
  ],
  [
    'the file for a link out to nothing',
    ({ path }) => {
      rmSync(path('out/deep/a.txt'), { force: true });
      symlinkSync(path('outside/new.txt'), path('out/deep/a.txt'));
    },
  ],
  [
    'its folder for a link out',
    ({ path }) => {
      renameSync(path('out/deep'), path('out/moved'));
      symlinkSync(path('outside'), path('out/deep'));
    },
  ],
  [
    'the folder above for a link out',
    ({ path }) => {
      renameSync(path('out'), path('moved'));
      symlinkSync(path('outside'), path('out'));
    },
  ],
];

const things: readonly (readonly [string, readonly [string, Json]])[] = [
  ['a write', write('out/deep/a.txt', 'mine')],
  ['a write of a new file', write('out/deep/new.txt', 'mine')],
  ['a write into a new folder', write('out/deep/er/new.txt', 'mine')],
  ['an edit', ['edit_file', { path: 'out/deep/a.txt', old_text: 'bef', new_text: 'x' }]],
  ['a deletion', ['delete_file', { path: 'out/deep/a.txt' }]],
  ['a move', ['move_file', { path: 'out/deep/a.txt', to: 'out/deep/b.txt' }]],
];

const attacks = things.flatMap(([thing, call]) =>
  swaps.map(([swap, act]) => [thing, swap, call, act] as const),
);

describe('a link swapped in during a question', () => {
  it.each(attacks)('does not let %s leave its root: %s', async (_thing, _swap, call, act) => {
    const place = outside();
    writeFileSync(place.path('script.yaml'), JSON.stringify({ main: [calls(call), { say: 'done' }] }));
    const { approver, questions } = asking(() => {
      if (questions.length === 1) act(place);
      return { ...yes, keep: { remember: 'run', reach: 'capability' } };
    });
    const { status } = await runAt(place, { mode: 'interactive', approver });
    expect([status, questions.length > 0, place.untouched()]).toEqual(['finished', true, true]);
  });

  it.each(attacks)(
    'does not let %s leave its root just before it begins: %s',
    async (_thing, _swap, call, act) => {
      const place = outside();
      writeFileSync(place.path('script.yaml'), JSON.stringify({ main: [calls(call), { say: 'done' }] }));
      let swapped = false;
      await runAt(place, {
        mode: 'approve_all',
        onEvent: (event) => {
          // The approval is durable: what follows is the execution.
          if (event.type !== 'recorded' || event.event.event !== 'approval' || swapped) return;
          swapped = true;
          act(place);
        },
      });
      expect([swapped, place.untouched()]).toEqual([true, true]);
    },
  );
});

describe('a link that stays in the root', () => {
  it('is written through after a swap only if that was shown and approved', async () => {
    const place = workplace({
      ...files,
      'out/other.txt': 'other',
      'script.yaml': { main: [calls(write('out/deep/a.txt', 'mine')), { say: 'done' }] },
    });
    const { approver, questions } = asking(() => {
      if (questions.length > 1) return { answer: 'refuse', person: 'ada' };
      unlinkSync(place.path('out/deep/a.txt'));
      symlinkSync('../other.txt', place.path('out/deep/a.txt'));
      return yes;
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(questions[1]?.again).toBe('the call changed while it waited');
    expect(questions[1]?.capabilities.map(({ capability }) => capability.path)).toEqual([
      place.path('out/deep/a.txt'),
      place.path('out/other.txt'),
    ]);
    expect([callsIn(events)[0]?.[3], place.text('out/other.txt')]).toEqual(['denied', 'other']);
  });

  it('is not a way out if it existed from the start', async () => {
    const place = outside();
    mkdirSync(place.path('out/ways'));
    symlinkSync(place.path('outside'), place.path('out/ways/abs'));
    symlinkSync('../../outside', place.path('out/ways/rel'));
    symlinkSync('rel', place.path('out/ways/twice'));
    symlinkSync(join(place.path('outside'), 'a.txt'), place.path('out/ways/file'));
    const paths = ['abs/a.txt', 'rel/a.txt', 'twice/new.txt', 'file', 'abs/new/deep.txt'];
    const turns = paths.map((path) => calls(write(`out/ways/${path}`, 'mine')));
    writeFileSync(place.path('script.yaml'), JSON.stringify({ main: [...turns, { say: 'done' }] }));
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(paths.map(() => 'cannot'));
    expect(place.untouched()).toBe(true);
  });
});

describe('the folder of a root that becomes a link during a question', () => {
  const swapped = (main: readonly Json[], helper: readonly Json[]) => {
    const place = outside();
    const more = {
      'main.worker': worker({ sandbox: out, toolsets: { filesystem: {}, helper: {}, reader: {} } }),
      'helper.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
      'reader.worker': worker(),
      'script.yaml': {
        main: [...main, { say: 'done' }],
        helper: [...helper, { say: 'done' }],
        reader: [{ say: 'read' }],
      },
    };
    writeFiles(place, more);
    return place;
  };
  const swap = ({ path }: Workplace) => {
    renameSync(path('out'), path('moved'));
    symlinkSync(path('outside'), path('out'));
  };

  it('does not lead a worker that starts later out of its root', async () => {
    const place = swapped([calls(['helper', { input: 'x' }])], [calls(write('out/new.txt', 'mine'))]);
    const { approver, questions } = asking(() => {
      if (questions.length === 1) swap(place);
      return yes;
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(reasonsIn(events)).toEqual([
      'the folder of the root `out` is not the one that the run began with',
    ]);
    expect(place.untouched()).toBe(true);
  });

  it('does not hand over files from elsewhere', async () => {
    const place = swapped([calls(['reader', { input: 'x', attachments: ['out/deep/a.txt'] }])], []);
    const { approver, questions } = asking(() => {
      if (questions.length === 1) swap(place);
      return yes;
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(callsIn(events)).toEqual([['main', 'worker.reader', 'needs_approval', 'cannot']]);
  });

  it('is accepted if it was a link from the start', async () => {
    const place = swapped([calls(write('out/new.txt', 'mine'))], []);
    swap(place);
    await runAt(place, { mode: 'approve_all' });
    expect(place.text('outside/new.txt')).toBe('mine');
  });
});
