import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { FileLog } from '@ambit/audit';
import { entryAuthority, isJsonObject, type JsonObject, type LogEvent } from '@ambit/core';
import { layersOf, type RunWorld } from './run-world.js';
import type { EntryCall, RunResult, Session, Totals } from './session.js';
import type { WorkerDefinition } from './worker-definition.js';
import { inputText } from './worker-input.js';

export interface SessionParts {
  readonly id: string;
  readonly log: FileLog;
  readonly root: string;
  /** The worker of the file that was opened. */
  readonly entry: string | null;
  readonly totals: () => Totals;
  readonly now: () => number;
}

/** A run that was opened, as its host drives it. */
export function createSession(world: RunWorld, parts: SessionParts): Session {
  const { run, models } = world;
  const { id, log, totals, now } = parts;
  let running: Promise<RunResult> | null = null;
  let closing: Promise<void> | null = null;

  async function perform(entry: EntryCall): Promise<RunResult> {
    const end = world.budget.begin();
    const outcome = await finished(entry);
    end();
    // Before the end is recorded: nothing of the run outlives it.
    await world.servers.close();
    return ended(outcome);
  }

  async function ended(outcome: Pick<RunResult, 'status' | 'output' | 'why'>): Promise<RunResult> {
    const why = run.stopped ?? outcome.why;
    const status = run.stopped !== null ? 'stopped' : outcome.status;
    const end: LogEvent = {
      now: now(),
      event: 'end',
      status,
      why,
      totals: { ...totals() } as unknown as JsonObject,
    };
    const isRecorded = await log.append([end]).then(
      () => true,
      () => false,
    );
    if (isRecorded) return { status, output: outcome.output, why, totals: totals() };
    return {
      status: 'stopped',
      output: outcome.output,
      why: why ?? 'the end of the run could not be recorded',
      totals: totals(),
    };
  }

  async function close(): Promise<void> {
    run.stop('the session was closed');
    // What is under way is recorded to its end, a tool that takes no notice of its signal too.
    await (running ?? ended({ status: 'stopped', output: '', why: null }));
    await world.servers.close();
    await models.close();
    await log.close();
  }

  async function finished(entry: EntryCall): Promise<Pick<RunResult, 'status' | 'output' | 'why'>> {
    try {
      // Nothing is started any more that nobody would end.
      run.signal.throwIfAborted();
      const worker = entryWorker(world, entry.worker ?? parts.entry);
      const args = entryInput(worker, entry.input ?? '');
      const attachments = await Promise.all(
        (entry.attachments ?? []).map((file) => readAttachment(resolve(parts.root, file))),
      );
      const output = await world.perform({
        worker,
        authority: entryAuthority(run, worker.name, layersOf(world, worker.name)),
        model: null,
        input: inputText(worker, args),
        attachments,
        signal: run.signal,
      });
      return {
        status: 'finished',
        output: typeof output === 'string' ? output : JSON.stringify(output),
        why: null,
      };
    } catch (error) {
      return { status: 'failed', output: '', why: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    id,
    log: log.path,
    run(entry) {
      if (running !== null) throw new Error('a session runs once: open another');
      running = perform(entry);
      return running;
    },
    stop: (why) => run.stop(why),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function entryWorker({ workers }: RunWorld, name: string | null): WorkerDefinition {
  const worker = name === null ? undefined : workers.get(name);
  if (worker !== undefined) return worker;
  const known = [...workers.keys()].join(', ');
  throw new Error(
    name === null ? `which worker is to run: ${known}` : `there is no worker \`${name}\`: ${known}`,
  );
}

/** What the user gave, as the worker's schema asks for it. */
function entryInput(worker: WorkerDefinition, input: string | JsonObject): JsonObject {
  const parsed = worker.input.parse(typeof input === 'string' ? (asObject(input) ?? { input }) : input);
  if (!parsed.ok) throw new Error(`the input does not fit ${worker.name}: ${parsed.problem}`);
  return parsed.value;

  function asObject(text: string): JsonObject | null {
    // Text that is a JSON object is one for a worker that asks for more than text.
    if (worker.input.parse({ input: text }).ok) return null;
    try {
      const value: unknown = JSON.parse(text);
      return isJsonObject(value) ? value : null;
    } catch {
      return null;
    }
  }
}

async function readAttachment(path: string) {
  return { name: basename(path), content: new Uint8Array(await readFile(path)) };
}
