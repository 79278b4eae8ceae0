import { beforeEach, describe, expect, it } from 'vitest';
import { asked, keptAnswer, StoredPlace, storedRun } from './stored.js';

let place: StoredPlace;
const day = 86_400_000;

beforeEach(async () => {
  place = new StoredPlace();
  await place.filled(async (store) => {
    for (const [id, status, days] of [
      ['m1-finished', 'finished', 40],
      ['m2-stopped', 'stopped', 20],
      ['m3-failed', 'failed', 40],
      ['m4-parked', 'parked', 40],
      ['m5-interrupted', 'running', 40],
      ['m6-finished', 'finished', 1],
    ] as const) {
      await store.begin(storedRun(id));
      await store.append(id, [{ step: 'executing', call: `${id}.c` }]);
      await store.ask({ ...asked(`${id}.q`), run: id });
      await store.setStatus(id, status, Date.now() - days * day);
    }
    await store.begin(storedRun('m7-running', { pid: process.pid, begun: Date.now() }));
    await store.keep({ ...keptAnswer('k1'), run: 'm1-finished' });
  });
});

const left = () =>
  place.read(async (store) => ({
    runs: (await store.runs()).map(({ id }) => id.slice(0, 2)).sort(),
    questions: (await store.questions()).map(({ question }) => question.id.slice(0, 2)),
    kept: (await store.kept()).map(({ answer }) => answer.approval),
  }));
const all = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];

describe('ambit runs forget', () => {
  it('removes named runs with their questions, and no kept answers', async () => {
    expect(await place.ambit('runs', 'forget', 'm1', 'm2-stopped', 'm3', 'm4', 'm5')).toEqual({
      exit: 0,
      out: ['m1-finished', 'm2-stopped', 'm3-failed', 'm4-parked', 'm5-interrupted']
        .map((id) => `${id} is deleted\n`)
        .join(''),
      err: '',
    });
    expect(await left()).toEqual({ runs: ['m6', 'm7'], questions: ['m6'], kept: ['k1'] });
    expect(await place.ambit('runs', 'show', 'm1')).toMatchObject({ exit: 2 });
    expect(await place.ambit('approvals', 'show', 'm4')).toMatchObject({ exit: 2 });
  });

  it('removes nothing if one of the runs is active', async () => {
    expect(await place.ambit('runs', 'forget', 'm1', 'm7')).toEqual({
      exit: 2,
      out: '',
      err: `ambit: the run \`m7-running\` is running; nothing was deleted\nhint: end it first: it is process ${process.pid}\n`,
    });
    expect(await left()).toMatchObject({ runs: [...all, 'm7'], questions: all });
  });

  it('removes nothing if one of the runs is unknown or ambiguous', async () => {
    expect(await place.ambit('runs', 'forget', 'm1', 'm4-parkd')).toEqual({
      exit: 2,
      out: '',
      err: 'ambit: there is no run `m4-parkd` here\nhint: did you mean m4-parked?\n',
    });
    for (const id of ['m', '', '*', '%'])
      expect(await place.ambit('runs', 'forget', id)).toMatchObject({ exit: 2 });
    expect((await left()).runs).toEqual([...all, 'm7']);
  });

  it('removes runs that ended before --older, and none that can be resumed', async () => {
    expect(await place.ambit('runs', 'forget', '--older', '30')).toEqual({
      exit: 0,
      out: 'm1-finished is deleted\n',
      err: '',
    });
    expect(await place.ambit('runs', 'forget', '--older', '30')).toEqual({
      exit: 0,
      out: '',
      err: 'no run is old enough\n',
    });
    expect(await place.ambit('runs', 'forget', 'm5', '--older', '0', '--json')).toEqual({
      exit: 0,
      out: '{"forgotten":["m5-interrupted","m6-finished","m2-stopped"],"kept":[]}\n',
      err: '',
    });
    expect(await left()).toEqual({ runs: ['m3', 'm4', 'm7'], questions: ['m3', 'm4'], kept: ['k1'] });
  });

  it('requires runs or --older', async () => {
    expect(await place.ambit('runs', 'forget')).toEqual({
      exit: 2,
      out: '',
      err: 'ambit: no run given\nhint: ambit runs forget RUN, or --older DAYS\n',
    });
    for (const days of ['-1', '1.5', 'x', ''])
      expect(await place.ambit('runs', 'forget', '--older', days)).toMatchObject({ exit: 2, out: '' });
    expect((await left()).runs).toEqual([...all, 'm7']);
  });
});
