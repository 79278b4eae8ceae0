import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifyLog } from '@ambit/audit';
import type { Answer, Json, JsonObject } from '@ambit/core';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import {
  type Approver,
  type EntryCall,
  type Opened,
  type OpenOptions,
  open,
  type Question,
  type RunResult,
  type Session,
} from '../src/index.js';

/** Files by their paths in the working folder; a value that is not text is written as JSON, which YAML can read. */
export type Files = Readonly<Record<string, string | Json>>;

/** A working folder with the state folder beside it, gone after the test. */
export interface Workplace {
  /** The working folder, real. */
  readonly root: string;
  /** What `AMBIT_HOME` says: beside the working folder. */
  readonly state: string;
  readonly path: (name: string) => string;
  /** The text of a file, or null. */
  readonly text: (name: string) => string | null;
}

export function workplace(files: Files): Workplace {
  const folder = temporaryFolder('ambit-session-');
  const root = join(folder, 'work');
  mkdirSync(root);
  const place: Workplace = {
    root,
    state: join(folder, 'state'),
    path: (name) => join(root, name),
    text: (name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : null),
  };
  writeFiles(place, files);
  return place;
}

export function writeFiles({ path }: Workplace, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** What a test says beside the usual: `policy.yaml`, `main.worker`, `script.yaml`, the mode `strict`. */
export type Options = Partial<Omit<OpenOptions, 'root' | 'environment'>> & {
  readonly environment?: Readonly<Record<string, string>>;
  /** For a run without `model`. */
  readonly modelless?: boolean;
};

export function openAt(
  place: Workplace,
  { environment, modelless, ...options }: Options = {},
): Promise<Opened> {
  return open({
    root: place.root,
    policies: [place.path('policy.yaml')],
    workers: place.path('main.worker'),
    mode: 'strict',
    ...(modelless === true ? {} : { model: 'script:script.yaml' }),
    ...options,
    environment: { HOME: join(place.state, '..'), AMBIT_HOME: place.state, ...environment },
  });
}

export async function sessionAt(place: Workplace, options: Options = {}): Promise<Session> {
  const opened = await openAt(place, options);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems, null, 1));
  onTestFinished(() => opened.session.close());
  return opened.session;
}

export interface Ran extends RunResult {
  readonly events: readonly Entry[];
  readonly log: string;
}

/** Runs to the end, closes, and holds the log to its own rules. */
export async function runAt(place: Workplace, options: Options = {}, entry: EntryCall = {}): Promise<Ran> {
  const session = await sessionAt(place, options);
  const result = await session.run(entry);
  await session.close();
  return { ...result, log: session.log, events: await entriesOf(session.log) };
}

/** A line of a log, as JSON gives it. */
export type Entry = JsonObject & {
  readonly event: string;
  readonly seq: number;
  readonly call: string;
  readonly tool: string;
};

/** The whole log of a run that has ended, verified. */
export async function entriesOf(log: string): Promise<readonly Entry[]> {
  expect(await verifyLog(log)).toMatchObject({ ok: true, ended: true, torn: null });
  return linesOf(log);
}

export function linesOf(log: string): readonly Entry[] {
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** One call in the log: chain, tool, decision and outcome. */
export function callsIn(events: readonly Entry[]) {
  const first = new Map<string, Entry>();
  for (const event of events) {
    if (event.event === 'decision' && !first.has(event.call)) first.set(event.call, event);
  }
  return [...first.values()].map(({ call, chain, tool, decision }) => {
    const outcome = events.find((event) => event.event === 'outcome' && event.call === call);
    const came = (outcome?.outcome === 'refused' ? outcome.code : outcome?.outcome) as string | undefined;
    return [(chain as readonly string[]).join(' > '), tool, decision as string | null, came ?? null] as const;
  });
}

/** The capabilities of the first decision about a tool. */
export function carriedBy(events: readonly Entry[], tool: string): readonly JsonObject[] {
  return (decisionOn(events, tool).capabilities ?? []) as readonly JsonObject[];
}

export function decisionOn(events: readonly Entry[], tool: string): Entry {
  const found = events.find((event) => event.event === 'decision' && event.tool === tool);
  if (found === undefined) throw new Error(`no decision on ${tool}`);
  return found;
}

/** The reasons of a log's refusals and failures, in order. */
export function reasonsIn(events: readonly Entry[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.event !== 'outcome' || event.outcome === 'completed') return [];
    return [(event.outcome === 'failed' ? event.error : event.reason) as string];
  });
}

/** An approver that follows the test, and keeps its questions. */
export function asking(answer: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>): {
  readonly approver: Approver;
  readonly questions: readonly Question[];
} {
  const questions: Question[] = [];
  return {
    questions,
    approver: {
      ask: async (question, signal) => {
        questions.push(question);
        return answer(question, signal);
      },
    },
  };
}

/** A promise that the test keeps when it likes. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export const yes: Answer = { answer: 'approve', person: 'ada' };
export const no: Answer = { answer: 'refuse', person: 'ada' };

/** A `.worker` file from its header. */
export function worker(header: Json = {}, instructions = 'Work.'): string {
  return `${JSON.stringify(header)}\n---\n${instructions}\n`;
}

/** One root, `out`, to write in. */
export const out = { paths: { out: { root: './out', mode: 'rw' } } } as const;

/** A turn of a script: these calls at once. */
export function calls(...list: readonly (readonly [tool: string, args?: Json])[]): Json {
  return { call: list.map(([tool, args = {}]) => ({ tool, args })) };
}

export const write = (path: string, content = 'text') => ['write_file', { path, content }] as const;
