import { createHash } from 'node:crypto';
import type { Json, Question } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  type Files,
  no,
  reasonsIn,
  runAt,
  worker,
  workplace,
  yes,
} from '../session.js';

const policy = {
  version: 1,
  default: 'needs_approval',
  capabilities: {
    'worker.call': 'pre_approved',
    'data.share': 'pre_approved',
    'fs.read': 'pre_approved',
    'content.untrusted': 'pre_approved',
  },
};
const sandbox = {
  paths: {
    input: { root: './in', mode: 'ro', read_approval: true },
    free: { root: './free', mode: 'ro' },
  },
};

/** `main` hands these files to `helper`, and says more than the usual in its file. */
const files = (attachments: readonly string[], more: Files = {}): Files => ({
  'policy.yaml': policy,
  'main.worker': worker({ sandbox, toolsets: { helper: {} } }),
  'helper.worker': worker({ attachments: { max_count: 3, max_total_bytes: 100, deny: ['.exe'] } }),
  'in/a.txt': 'alpha',
  'in/b.txt': 'beta',
  'in/c.exe': 'gamma',
  'free/d.txt': 'delta',
  'script.yaml': {
    main: [calls(['helper', { input: 'score', attachments }]), { say: 'done' }],
    helper: [{ say: 'scored' }],
  },
  ...more,
});

const shownIn = ({ capabilities }: Question): Json => capabilities.map(({ words }) => words);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an attachment from a root with `read_approval`', () => {
  it('is a question of its own with path, size and recipient; others are not asked about', async () => {
    const place = workplace(files(['input/a.txt', 'free/d.txt', 'input/b.txt']));
    const { approver, questions } = asking(() => yes);
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(callsIn(events)).toEqual([['main', 'worker.helper', 'needs_approval', 'completed']]);
    expect(questions.map(({ summary, part }) => [part?.number, summary])).toEqual([
      [1, `hand ${place.path('in/a.txt')} (5 bytes) to the worker helper`],
      [2, `hand ${place.path('in/b.txt')} (4 bytes) to the worker helper`],
    ]);
    expect(questions.slice(1).map(shownIn)).toEqual([
      [`hand ${place.path('in/b.txt')} (4 bytes) to the worker helper`],
    ]);
    expect(questions.map(({ capabilities }) => capabilities.at(-1)?.capability)[1]).toMatchObject({
      sha256: sha256('beta'),
    });
  });

  it('ends the call at the first refusal, without further questions', async () => {
    const { approver, questions } = asking(() => no);
    const started: string[] = [];
    const { events } = await runAt(workplace(files(['input/a.txt', 'input/b.txt'])), {
      mode: 'interactive',
      approver,
      onEvent: (event) => event.type === 'worker_started' && started.push(event.chain.join(' > ')),
    });
    expect(callsIn(events)[0]?.[3]).toBe('denied');
    expect([questions.length, started]).toEqual([1, ['main']]);
  });

  it.each([
    ['too many', ['input/a.txt', 'input/b.txt', 'free/d.txt', 'input/a.txt'], 'at most 3 attachments'],
    ['one that the callee denies', ['input/a.txt', 'input/c.exe'], 'no attachment like `input/c.exe`'],
    ['a missing one', ['input/a.txt', 'input/gone.txt'], 'does not exist'],
  ])('is not asked about if there is %s', async (_, attachments, reason) => {
    const { approver, questions } = asking(() => yes);
    const { events } = await runAt(workplace(files(attachments)), { mode: 'interactive', approver });
    expect(callsIn(events)[0]?.[3]).toBe('cannot');
    expect(reasonsIn(events)[0]).toContain(reason);
    expect(questions).toEqual([]);
  });

  it('is not asked about if the caller’s own policy denies it', async () => {
    const main = worker({
      sandbox,
      toolsets: { helper: {} },
      attachments: { allow: ['.pdf', '.TXT'], max_total_bytes: 6 },
    });
    const { approver, questions } = asking(() => yes);
    const place = workplace(files(['input/a.txt', 'input/b.txt'], { 'main.worker': main }));
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(reasonsIn(events)[0]).toContain('main takes at most 6 bytes of attachments at once, not 9');
    expect(questions).toEqual([]);
  });

  it('is asked about once for simultaneous equal calls, and answered for all', async () => {
    const share = ['helper', { input: 'score', attachments: ['input/a.txt', 'input/b.txt'] }] as const;
    const place = workplace(
      files([], {
        'script.yaml': {
          main: [calls(share, share), { say: 'done' }],
          helper: [{ say: 'scored' }, { say: 'scored' }],
        },
      }),
    );
    const { approver, questions } = asking(() => yes);
    const { events, status } = await runAt(place, { mode: 'interactive', approver });
    expect(status).toBe('finished');
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['completed', 'completed']);
    expect(new Set(questions.map(({ part }) => part?.number))).toEqual(new Set([1, 2]));
  });

  it('is asked about by the root, even if the policy’s own question is answered', async () => {
    const { approver, questions } = asking(() => yes);
    const place = workplace(
      files(['input/a.txt'], {
        'policy.yaml': { ...policy, tools: { 'worker.helper': 'pre_approved' }, grants: { workers: true } },
        'main.worker': worker({ sandbox, toolsets: { helper: { approvals: { helper: 'pre_approved' } } } }),
      }),
    );
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['needs_approval', 'completed']);
    expect(questions.map(({ asked_by }) => asked_by.map(({ policy: by }) => by))).toEqual([['main.worker']]);
  });
});
