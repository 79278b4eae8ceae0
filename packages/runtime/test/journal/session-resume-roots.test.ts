import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resume } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { StoredRun } from '../../src/store/store.js';
import { environmentOf, interrupted } from '../resuming.js';
import { calls, type Files, out, type Workplace, worker, workplace, write, yes } from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'needs_approval', capabilities: { 'worker.call': 'pre_approved' } },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {}, helper: {} } }),
  'helper.worker': worker({
    sandbox: { paths: { in: { root: './in', mode: 'ro' } } },
    toolsets: { filesystem: {} },
  }),
  'script.yaml': {
    main: [calls(write('out/a', 'mine')), calls(['helper', { input: 'go' }]), { say: 'done' }],
    helper: [{ say: 'helped' }],
  },
  'real/keep': '',
  'in/keep': '',
  'elsewhere/keep': '',
};

describe('a root of a resumed run', () => {
  const parked = async (begin: (place: Workplace) => void = () => {}) => {
    const place = workplace(files);
    begin(place);
    const store = memoryStore();
    const run = await interrupted(place, { mode: 'interactive', park: true, store });
    const goOn = async () => {
      const opened = await resume(run, {
        root: place.root,
        environment: environmentOf(place),
        store,
        approver: () => yes,
      });
      if (!opened.ok) return opened.problems;
      const { status } = await opened.session.run({});
      await opened.session.close();
      return status;
    };
    return { ...place, store, run, goOn };
  };
  const moved = (root: string, before: string, now: string) => [
    {
      code: 'CHANGED_SINCE',
      message: `the root ${root} was ${before} when the run began, and leads to ${now} now`,
      help: 'put it back, or start another run',
      diagnostic: null,
    },
  ];

  it('is rejected before any work if a link replaced it, until it is restored', async () => {
    const { path, text, goOn } = await parked();
    renameSync(path('out'), path('aside'));
    symlinkSync(path('elsewhere'), path('out'));
    expect(await goOn()).toEqual(moved('`out` of main', path('out'), path('elsewhere')));
    rmSync(path('out'));
    renameSync(path('aside'), path('out'));
    expect(await goOn()).toBe('finished');
    expect([text('out/a'), text('elsewhere/a')]).toEqual(['mine', null]);
  });

  it('is rejected if it was a link from the start and now has another target', async () => {
    const { path, goOn } = await parked(({ path: of }) => symlinkSync(of('real'), of('out')));
    rmSync(path('out'));
    symlinkSync(path('elsewhere'), path('out'));
    expect(await goOn()).toEqual(moved('`out` of main', path('real'), path('elsewhere')));
  });

  it('is also checked for a worker that was not called yet', async () => {
    const { path, goOn } = await parked();
    rmSync(path('in'), { recursive: true });
    symlinkSync(path('elsewhere'), path('in'));
    expect(await goOn()).toEqual(moved('`in` of helper', path('in'), path('elsewhere')));
  });

  it('is rejected if its parent folder was replaced', async () => {
    const { path, goOn } = await parked(({ path: of }) => {
      mkdirSync(of('above/out'), { recursive: true });
      symlinkSync(of('above/out'), of('out'));
    });
    renameSync(path('above'), path('aside'));
    mkdirSync(path('elsewhere/out'));
    symlinkSync(path('elsewhere'), path('above'));
    expect(await goOn()).toEqual(moved('`out` of main', path('above/out'), path('elsewhere/out')));
  });

  it('is accepted if restored as a new folder at the same path', async () => {
    const { path, text, goOn } = await parked();
    rmSync(path('out'), { recursive: true });
    expect(await goOn()).toBe('finished');
    expect(text('out/a')).toBe('mine');
  });

  it('is recorded by its real path, for every worker', async () => {
    const { path, store, run } = await parked(({ path: of }) => symlinkSync(of('real'), of('out')));
    const { roots } = (await store.run(run)) as StoredRun;
    expect(roots).toEqual({
      main: { out: realpathSync(path('real')) },
      helper: { in: path('in') },
    });
  });
});
