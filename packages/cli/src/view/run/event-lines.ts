import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { createMask } from '@ambit/audit';
import { eventVersion, type SessionEvent } from '@ambit/runtime';
import { jsonText } from '../json-text.js';
import { noProgress, type Progress } from './progress.js';

/** Each event as one line of JSON. What is recorded is masked as in the log; its digests are of this run alone. */
export function eventLines(stream: Writable): Progress {
  const mask = createMask(randomBytes(32));
  let [isHeld, waiting] = [false, ''];
  const flush = () => {
    if (isHeld || waiting === '') return;
    stream.write(waiting);
    waiting = '';
  };
  const tell = (event: unknown) => {
    waiting += `${jsonText(event)}\n`;
    flush();
  };
  return {
    ...noProgress,
    begin: ({ id, log }) => tell({ v: eventVersion, type: 'opened', run: id, log }),
    take: (event) => tell(masked(event, mask)),
    hold: (isTaken) => {
      isHeld = isTaken;
      flush();
    },
    close: () => {
      isHeld = false;
      flush();
    },
  };
}

function masked(event: SessionEvent, mask: ReturnType<typeof createMask>): unknown {
  if (event.type !== 'recorded') return event;
  // A digest that can be compared with nothing says nothing.
  const { args_digest: _, ...recorded } = mask(event.event);
  return { ...event, event: recorded };
}
