import type { RunResult, Session, SessionEvent, Step } from '@ambit/runtime';
import type { OutputStream } from '../../host.js';

/** One that follows what a session does. */
export interface Progress {
  /** Before the first event. */
  begin(session: Pick<Session, 'id' | 'log'>): void;
  /** Before the first event, of a run that goes on: what it had come to. */
  recall(past: readonly Step[]): void;
  take(event: SessionEvent): void;
  /** Where something else writes while it has the screen: a stream that says to this one what is written. */
  through(output: OutputStream): OutputStream;
  /** While something else has the screen, nothing is shown that would be in its way; what was missed comes afterwards. */
  hold(isTaken: boolean): void;
  /** Shows the last of it; a second time, nothing. */
  close(result?: Pick<RunResult, 'status' | 'why'>): void;
}

export const noProgress: Progress = {
  begin: () => undefined,
  through: (output) => output,
  recall: () => undefined,
  take: () => undefined,
  hold: () => undefined,
  close: () => undefined,
};

/** Several that follow one session. */
export function together(all: readonly Progress[]): Progress {
  const toAll = (tell: (each: Progress) => void) => {
    for (const each of all) tell(each);
  };
  return {
    through: (output) => all.reduce((stream, each) => each.through(stream), output),
    begin: (session) => toAll((each) => each.begin(session)),
    recall: (past) => toAll((each) => each.recall(past)),
    take: (event) => toAll((each) => each.take(event)),
    hold: (isTaken) => toAll((each) => each.hold(isTaken)),
    close: (result) => toAll((each) => each.close(result)),
  };
}
