import { printable, printableLines, type SessionEvent } from '@ambit/runtime';
import type { OutputStream } from './host.js';
import { type Looks, pieces, styled } from './text.js';

export interface Progress {
  take(event: SessionEvent): void;
  /** While something else has the screen, nothing is shown; what was missed comes afterwards. */
  hold(isTaken: boolean): void;
  close(): void;
}

export const noProgress: Progress = { take: () => undefined, hold: () => undefined, close: () => undefined };

/** Says on a stream what a session does: one line that changes on a terminal, plain lines elsewhere. */
export function createProgress(stream: OutputStream, looks: () => Looks): Progress {
  return stream.isTTY === true ? statusLine(stream, looks) : plainLines(stream);
}

function plainLines(stream: OutputStream): Progress {
  return {
    ...noProgress,
    take: (event) => {
      const line = lineOf(event);
      if (line !== null)
        stream.write(
          `${isWarning(event) ? printableLines(line) : printable(line.replace(/\s*\n\s*/g, '; '))}\n`,
        );
    },
  };
}

function statusLine(stream: OutputStream, looks: () => Looks): Progress {
  let [isHeld, status, since] = [false, '', Date.now()];
  // By id: a call whose arguments were edited is decided more than once.
  const calls = new Set<string>();
  const clear = '\r\u001b[2K';
  const warnings: string[] = [];
  const draw = () => {
    if (isHeld || status === '') return;
    const seconds = Math.floor((Date.now() - since) / 1000);
    const text = `${status} (${calls.size} ${calls.size === 1 ? 'call' : 'calls'}${seconds < 2 ? '' : `, ${seconds} s`})`;
    const now = looks();
    const [line = ''] = pieces(printable(text), now.width - 1);
    stream.write(clear + styled(line, 'dim', now));
  };
  const warn = () => {
    if (isHeld) return;
    for (const line of warnings.splice(0)) stream.write(`${clear}${printableLines(line)}\n`);
    draw();
  };
  const timer = setInterval(draw, 1000);
  timer.unref();
  return {
    take: (event) => {
      if (event.type === 'recorded' && event.event.event === 'decision') calls.add(event.event.call);
      const line = lineOf(event);
      if (line === null) return;
      // Nothing that comes later may take this off the screen.
      if (isWarning(event)) {
        warnings.push(line);
        return warn();
      }
      [status, since] = [line, Date.now()];
      draw();
    },
    hold: (isTaken) => {
      if (isTaken && status !== '') stream.write(clear);
      isHeld = isTaken;
      warn();
    },
    close: () => {
      clearInterval(timer);
      if (status !== '') stream.write(clear);
      status = '';
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
      return startedLine(event);
    case 'worker_created':
      return `${event.chain.join(' › ')}: ${event.worker} can be called now`;
    case 'model_text':
      return null;
  }
}

function startedLine({ toolset, tools, left_out, changed, first_seen }: Started): string {
  const odd = [
    ...left_out.map(({ tool, why }) => `not offered: \`${tool}\`, because ${why}`),
    ...changed.map((tool) => `\`${tool}\` is not what it was when it was first seen (${first_seen})`),
  ];
  return [
    `${toolset} has started, with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
    ...odd,
  ].join('\n');
}

type Started = Extract<SessionEvent, { type: 'toolset_started' }>;

function isWarning(event: SessionEvent): boolean {
  if (event.type === 'toolset_started') return event.left_out.length + event.changed.length > 0;
  return event.type === 'recorded' && event.event.event === 'policy';
}

function recordedLine(event: Extract<SessionEvent, { type: 'recorded' }>['event']): string | null {
  if (event.event === 'decision')
    return `${event.chain.join(' › ')}: ${event.tool}: ${event.decision ?? `refused (${event.code})`}`;
  if (event.event === 'policy') {
    const names = event.files.map(({ name }) => name).join(', ');
    return event.problems === undefined
      ? `changed on disk, and judging from now on beside what the run began with: ${names}`
      : `a changed policy does not load, so the run goes on under those that it has: ${event.problems.join('\n')}`;
  }
  if (event.event === 'approval')
    return event.how === 'person' ? `a person ${event.approved ? 'approved' : 'refused'} it` : null;
  if (event.event === 'outcome' && event.outcome !== 'completed')
    return event.outcome === 'refused'
      ? `refused (${event.code}): ${event.reason}`
      : `failed: ${event.error}`;
  return null;
}
