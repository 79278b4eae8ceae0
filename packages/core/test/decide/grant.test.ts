import { describe, expect, it } from 'vitest';
import { grantsOf } from '../../src/guard/authority.js';
import {
  answer,
  createRequest,
  decide,
  defaultAdmission,
  entryAuthority,
  isOpenQuestion,
  type KeptAnswer,
  settle,
} from '../../src/index.js';
import { policy, stage, write } from '../guard/stage.js';

const request = createRequest({
  tool: 'box.put',
  chain: ['main'],
  args: {},
  capabilities: [write('/w/a')],
  context: {},
  history: [],
  now: 0,
});

const kept: KeptAnswer = {
  source: 'kept',
  approval: 'approval-1',
  person: 'ann',
  chain: ['main'],
  tool: 'box.put',
  args: {},
  shown: [write('/w/a')],
  policies: ['policy.yaml'],
  remember: 'run',
  reach: 'file',
};

describe('answer', () => {
  it('uses no grant if two policies have the same name', () => {
    const [narrow, wide] = [policy({ admits: { ...defaultAdmission, reach: 'call' } }), policy()];
    const open = ([narrow, wide] as const).map((first) => {
      const policies = [first, first === narrow ? wide : narrow] as const;
      const given = { request, policies, grants: [kept] };
      return answer(decide(request, policies), given).judgements.filter(isOpenQuestion).length;
    });
    expect(open).toEqual([2, 2]);
  });
});

describe('settle', () => {
  it('blocks a capability that no policy judged', () => {
    expect(settle([])).toBe('blocked');
  });
});

describe('grantsOf', () => {
  it('lists only grants for the tool', () => {
    const { run } = stage();
    run.asker.memory.keep(kept);
    run.asker.memory.keep({ ...kept, tool: 'box.take' });
    expect(grantsOf(entryAuthority(run, 'main'), 'box.put')).toEqual([kept]);
  });
});
