import { changesInWords, counted, type LogEvent, printable, printableLines } from '@ambit/core';
import type { SessionEvent } from '@ambit/runtime';
import type { OutputStream } from '../../host.js';
import { noProgress, type Progress, takeConsole } from './progress.js';

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

type Started = Extract<SessionEvent, { type: 'toolset_started' }>;

/** Lines that a watcher must see; null for other events. Not escaped. */
export function noticeOf(event: SessionEvent): string | null {
  if (event.type === 'toolset_started')
    return event.left_out.length + event.changed.length === 0 ? null : startedText(event);
  if (event.type === 'worker_created')
    return event.warnings.length === 0 ? null : `${event.worker} was created: ${event.warnings.join('; ')}`;
  if (event.type === 'answer_void')
    return `what ${event.person} answered about ${event.tool} (${event.approval}) no longer counts: ${event.why}`;
  if (event.type !== 'recorded') return null;
  if (event.event.event === 'guard_changed')
    return `a guarded file changed, so the run stops: ${changesInWords(event.event.changes)}`;
  if (event.event.event !== 'policy') return null;
  const { files, problems } = event.event;
  const names = files.map(({ name }) => name).join(', ');
  return problems === undefined
    ? `changed on disk; it now judges beside the policies that the run began with: ${names}`
    : `a changed policy does not load, so the run continues under the policies that it has: ${problems.join('\n')}`;
}

/** Not escaped. */
function startedText({ toolset, tools, left_out, changed, first_seen }: Started): string {
  const odd = [
    ...left_out.map(({ tool, why }) => `not offered: \`${tool}\`, because ${why}`),
    ...changed.map((tool) => `\`${tool}\` changed since it was first seen (${first_seen})`),
  ];
  return [`${toolset} has started, with ${counted(tools.length, 'tool')}`, ...odd].join('\n');
}
