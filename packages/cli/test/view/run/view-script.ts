import type { SessionEvent } from '@ambit/runtime';
import { LiveView } from '../../../src/view/run/live-view.js';
import { at, came, decided, ended, finished, started, turn } from './events.js';

/** Shows a run that goes one step further with each key: run in a real terminal by a test. */
const view = new LiveView(
  process.stderr,
  () => ({ width: 80, colour: false }),
  () => at,
);
const output = view.through(process.stderr);
const chain = ['main'] as const;
const take = (...events: readonly SessionEvent[]) => {
  for (const event of events) view.take(event);
};
const call = (id: number) => `call-${id}`;
const write = (id: number, decision: 'pre_approved' | 'needs_approval') =>
  decided(call(id), {
    chain,
    tool: 'filesystem.write_file',
    args: { path: `out/${'long/'.repeat(12)}${id}.md` },
    decision,
  });

const steps: readonly (() => void)[] = [
  () => take(started(chain), turn(chain, { input: 10, output: 2 }), write(1, 'pre_approved')),
  () => take(came(call(1), 'completed'), write(2, 'pre_approved'), write(3, 'needs_approval')),
  () => {
    view.hold(true);
    output.write('QUESTION\nanswer it?\n> ');
  },
  () => take(came(call(2), { failed: 'the disk is full' })),
  () => {
    output.write('o\n');
    view.hold(false);
  },
  () => take(came(call(3), 'completed')),
  () => Array.from({ length: 60 }, (_, index) => take(write(index + 4, 'pre_approved'))),
  () => Array.from({ length: 60 }, (_, index) => take(came(call(index + 4), 'completed'))),
  () => take(finished(chain), ended('finished')),
  () => {
    view.close();
    // It ends with its terminal, which would lose the last lines of a program that is gone.
    console.log('END');
  },
];

/** What a question may come to while it is open. */
const others: Readonly<Record<string, () => void>> = {
  h: () => void output.write(`${'line\n'.repeat(20)}MORE`),
  e: () => void output.write('\u001b[?2004l\r\u001b[KMORE'),
  c: () => console.warn('the model\u001b[2J %s', 'is old\nand a new one is there'),
  s: () => view.say('the run is parked'),
  w: () => void setTimeout(() => output.write('WAITED'), 300),
};

let next = 0;
process.stdin.setRawMode(true);
process.stdin.on('data', (keys: Buffer) => {
  for (const key of keys.toString()) {
    if (key !== 'n') others[key]?.();
    else {
      steps[next]?.();
      next += 1;
    }
  }
});
console.log('READY');
