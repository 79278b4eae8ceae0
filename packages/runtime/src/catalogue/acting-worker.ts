import type { Authority, Json } from '@ambit/core';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import type { Catalogue } from './catalogue.js';

export interface ActingWorker {
  readonly worker: WorkerDefinition;
  readonly authority: Authority;
  /** Empty for a worker without a model, which a program uses for calls. */
  readonly model: string;
  readonly endpoint: string;
  /** Its place: see `WorkerCall`. */
  readonly place: string;
}

/** One worker at work for its caller, or as the entry worker. */
export interface WorkerCall {
  readonly worker: WorkerDefinition;
  /** Its chain ends with the worker. */
  readonly authority: Authority;
  /** The caller's effective model. */
  readonly model: string | null;
  /** The worker's task, as text. */
  readonly input: string;
  readonly attachments: readonly { readonly name: string; readonly content: Uint8Array }[];
  readonly signal: AbortSignal;
  /** The id of the call that starts it; that of the run for the entry worker. */
  readonly place: string;
  /** In a conversation: takes the model's last words, and returns the user's next ones; null ends it. */
  readonly next?: (said: string, signal: AbortSignal) => Promise<string | null>;
}

export type Perform = (call: WorkerCall) => Promise<Json>;

export function rootsFor({ roots }: Pick<Catalogue, 'roots'>, worker: WorkerDefinition) {
  const opened = roots.get(worker.name) ?? [];
  return worker.roots.flatMap(({ name, mode, suffixes, maxFileBytes, untrusted }) => {
    const found = opened.find((root) => root.name === name);
    if (found === undefined) return [];
    return [
      {
        name,
        folder: found.folder,
        mode,
        ...(found.outside ? { outside: true } : {}),
        ...(suffixes === null ? {} : { suffixes }),
        ...(maxFileBytes === null ? {} : { max_file_bytes: maxFileBytes }),
        ...(untrusted === null ? {} : { untrusted }),
      },
    ];
  });
}
