import { type LogEvent, printable, printableLines, type SessionEvent } from '@ambit/runtime';
import type { OutputStream } from '../host.js';
import { noticeOf, startedText } from './notice.js';
import { noProgress, type Progress } from './progress.js';

/** A line for each event, without colours and without going back: for logs and pipes. Arguments are not in them. */
export function plainLines(stream: OutputStream): Progress {
  return {
    ...noProgress,
    take: (event) => {
      const notice = noticeOf(event);
      const line = notice === null ? lineOf(event) : null;
      if (notice !== null) stream.write(`${printableLines(notice)}\n`);
      if (line !== null) stream.write(`${printable(line.replace(/\s*\n\s*/g, '; '))}\n`);
    },
  };
}

/** What an event is to somebody who watches; null for those that say nothing new. */
function lineOf(event: SessionEvent): string | null {
  switch (event.type) {
    case 'worker_started':
      return `${event.chain.join(' › ')}: ${event.model} works`;
    case 'model_turn':
      return `${event.chain.join(' › ')}: the model has answered`;
    case 'worker_finished':
      return `${event.chain.join(' › ')}: finished`;
    case 'recorded':
      return recordedLine(event.event);
    case 'toolset_started':
      return startedText(event);
    case 'worker_created':
      return `${event.chain.join(' › ')}: ${event.worker} can be called now`;
    case 'answer_void':
    case 'model_text':
    case 'call_made':
      return null;
  }
}

function recordedLine(event: LogEvent): string | null {
  if (event.event === 'decision')
    return `${event.chain.join(' › ')}: ${event.tool}: ${event.decision ?? `refused (${event.code})`}`;
  if (event.event === 'approval')
    return event.how === 'person' ? `a person ${event.approved ? 'approved' : 'refused'} it` : null;
  if (event.event === 'outcome' && event.outcome !== 'completed')
    return event.outcome === 'refused'
      ? `refused (${event.code}): ${event.reason}`
      : `failed: ${event.error}`;
  return null;
}
