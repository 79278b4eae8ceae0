import { readFile } from 'node:fs/promises';

/** The members of an event that the examples use; the README of `@ambit/audit` has all. */
export interface LoggedEvent {
  readonly run: string;
  readonly event: string;
  readonly call?: string;
  readonly tool?: string;
  readonly chain?: readonly string[];
  readonly args?: { readonly [argument: string]: unknown };
  readonly capabilities?: readonly { readonly name: string; readonly [fact: string]: unknown }[];
  readonly decision?: string | null;
  readonly judgements?: readonly {
    readonly decision: string;
    readonly rules: readonly { readonly id: string; readonly decision: string }[];
    readonly answered_by: { readonly by: string; readonly worker?: string } | null;
  }[];
  readonly outcome?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly error?: string;
  readonly how?: string;
  readonly approved?: boolean;
  readonly edited?: boolean;
}

/** The events of the last run in a log, in order. */
export async function readLog(file: string): Promise<readonly LoggedEvent[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line) as LoggedEvent);
  return events.filter(({ run }) => run === events[events.length - 1]?.run);
}
