import { describe, expect, it } from 'vitest';
import { toldBy } from '../from-code/told-by.js';
import type { LoggedEvent } from '../read-log.js';

const events = (of: { readonly id: string; readonly reason: string; readonly root: string }) =>
  [
    { run: of.id, event: 'run', time: of.id, mode: 'strict', at: Number(of.id) },
    {
      run: of.id,
      event: 'decision',
      call: of.id,
      args: { path: `${of.root}/a` },
      decision: 'needs_approval',
    },
    { run: of.id, event: 'outcome', call: of.id, outcome: 'refused', code: 'strict', reason: of.reason },
  ] as readonly LoggedEvent[];

describe('toldBy', () => {
  it('is equal for two runs that differ only in ids, times and folders', () => {
    const one = toldBy(events({ id: '101', reason: 'nobody is asked', root: '/one' }), '/one');
    expect(toldBy(events({ id: '202', reason: 'nobody is asked', root: '/two' }), '/two')).toEqual(one);
    expect(one).toEqual({
      run: [{ event: 'run', mode: 'strict' }],
      calls: [
        {
          decisions: [{ event: 'decision', args: { path: 'ROOT/a' }, decision: 'needs_approval' }],
          answers: [],
          outcome: { event: 'outcome', outcome: 'refused', code: 'strict', reason: 'nobody is asked' },
        },
      ],
    });
  });

  it('differs for runs that differ in a word', () => {
    const one = toldBy(events({ id: '101', reason: 'nobody is asked', root: '/one' }), '/one');
    expect(toldBy(events({ id: '101', reason: 'nobody was asked', root: '/one' }), '/one')).not.toEqual(one);
  });
});
