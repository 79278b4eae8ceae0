import { type LogEvent, printable, printableLines } from '@ambit/core';
import type { SessionEvent } from '@ambit/runtime';
import type { OutputStream } from '../../host.js';
import { takeConsole } from './console-lines.js';
import { noticeOf, startedText } from './notice.js';
import { noProgress, type Progress } from './progress.js';

/** A line for each event, for logs and pipes. Without colours and arguments. */
export function plainLines(stream: OutputStream): Progress {
  /** Whose call it is, and of which tool: calls of one turn end in any order. */
  const calls = new Map<string, string>();
  const know = (event: LogEvent) => {
    if (event.event === 'decision') calls.set(event.call, `${event.chain.join(' › ')}: ${event.tool}`);
  };
  return {
    ...noProgress,
    close: takeConsole((text) => stream.write(`${printableLines(text)}\n`)),
    say: (line) => stream.write(`${printableLines(line)}\n`),
    recall: (past) => {
      for (const step of past) if (step.step === 'events') step.events.forEach(know);
    },
    take: (event) => {
      if (event.type === 'recorded') know(event.event);
      const notice = noticeOf(event);
      const line = notice === null ? lineOf(event, calls) : null;
      if (notice !== null) stream.write(`${printableLines(notice)}\n`);
      if (line !== null) stream.write(`${printable(line.replace(/\s*\n\s*/g, '; '))}\n`);
    },
  };
}

/** Null for an event without news. */
function lineOf(event: SessionEvent, calls: ReadonlyMap<string, string>): string | null {
  switch (event.type) {
    case 'worker_started':
      return `${event.chain.join(' › ')}: ${event.model} works`;
    case 'model_turn':
      return `${event.chain.join(' › ')}: the model has answered`;
    case 'worker_finished':
      return `${event.chain.join(' › ')}: finished`;
    case 'recorded':
      return recordedLine(event.event, calls);
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

function recordedLine(event: LogEvent, calls: ReadonlyMap<string, string>): string | null {
  const call = 'call' in event ? (calls.get(event.call) ?? event.call) : '';
  if (event.event === 'decision') return `${call}: ${event.decision ?? 'not judged'}`;
  if (event.event === 'approval' && event.how === 'person')
    return `${call}: ${event.approved ? 'approved' : 'refused'} by a person`;
  if (event.event !== 'outcome' || event.outcome === 'completed') return null;
  return event.outcome === 'refused'
    ? `${call}: refused (${event.code}): ${event.reason}`
    : `${call}: failed: ${event.error}`;
}
