import { tmpdir } from 'node:os';
import type { WorkerDefinition } from '../src/worker-definition.js';
import { type ReadWorker, readWorker, type WorkerNeighbours } from '../src/worker-file.js';

interface Around extends Partial<WorkerNeighbours> {
  /** What the file is called, without `.worker`. */
  readonly name?: string;
}

/** A worker file's text as it is read in a folder with these neighbours, by default a worker `reader`. */
export function read(content: string | Uint8Array, { name = 'main', ...around }: Around = {}): ReadWorker {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const file = { name, file: `${name}.worker`, path: `/w/${name}.worker`, sha256: 'ab' };
  return readWorker(file, bytes, { folder: tmpdir(), workers: [name, 'reader'], shared: [], ...around });
}

/** `line:column CODE`, one for each diagnostic; empty where the worker loads. */
export function mistakes(content: string | Uint8Array, around: Around = {}): readonly string[] {
  return read(content, around).diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

/** `CODE message; help`, one for each diagnostic. */
export function words(content: string, around: Around = {}): readonly string[] {
  return read(content, around).diagnostics.map(({ code, message, help }) => `${code} ${message}; ${help}`);
}

/** Throws where the worker does not load. */
export function defined(content: string, around: Around = {}): WorkerDefinition {
  const { definition, diagnostics } = read(content, around);
  if (definition === null) throw new Error(JSON.stringify(diagnostics));
  return definition;
}
