import type { Answer } from '@ambit/core';
import { expect, it } from 'vitest';
import { openStore } from '../../src/store/file-store.js';
import { openStateFolder } from '../../src/trust/state-folder.js';
import {
  asking,
  calls,
  gate,
  no,
  out,
  runAt,
  worker,
  workplace,
  write,
  writeFiles,
  yes,
} from '../session.js';

const policy = (reason: string) => ({
  version: 1,
  default: 'needs_approval',
  grants: { remember: 'always', reach: 'capability' },
  capabilities: { 'fs.write': { decision: 'needs_approval', reason } },
});

it('an answer is kept for the run, and does not answer a policy that arrived after its question', async () => {
  const place = workplace({
    'policy.yaml': policy('first'),
    'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
    'script.yaml': { main: [calls(write('out/a'), write('out/b')), calls(write('out/a')), { say: 'done' }] },
    'out/.keep': '',
  });
  const reloaded = gate();
  const always: Answer = { ...yes, keep: { remember: 'always', reach: 'file' } } as Answer;
  const { approver, questions } = asking(async ({ args }) => {
    if (args.path === 'out/b') {
      writeFiles(place, { 'policy.yaml': policy('second') });
      return questions.filter((each) => each.args.path === 'out/b').length === 1 ? yes : no;
    }
    if (questions.filter((each) => each.args.path === 'out/a').length > 1) return yes;
    await reloaded.opened;
    return always;
  });
  await runAt(place, {
    mode: 'interactive',
    approver,
    onEvent: (event) => {
      if (event.type === 'recorded' && event.event.event === 'policy') reloaded.open();
    },
  });
  // As the first policy asked, as both did, and in the next turn, which may not draw on the answer to the first alone.
  expect(questions.filter(({ args }) => args.path === 'out/a')).toHaveLength(3);
  const store = await openStore(await openStateFolder({ AMBIT_HOME: place.state }, place.root));
  expect(await store.kept()).toEqual([]);
  await store.close();
});
