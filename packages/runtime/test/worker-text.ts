import { tmpdir } from 'node:os';
import type { WorkerDefinition } from '../src/worker-file/worker-definition.js';
import { readWorker } from '../src/worker-file/worker-file.js';
import type { WorkerNeighbours } from '../src/worker-file/worker-reading.js';

interface Around extends Partial<WorkerNeighbours> {
  /** What the file is called, without `.worker`. */
  readonly name?: string;
}

/** A header, which begins in the first line, and instructions below it. */
export const header = (text: string) => `${text}\n---\nDo it.\n`;

/** A worker file that has every key. */
export const everything = `---
name: main
description: Evaluates
model: anthropic:claude-sonnet-4-5
input: { type: object, properties: { deck: { type: string } }, required: [deck], additionalProperties: false }
output: { type: object, properties: { score: { type: integer } } }
sandbox:
  paths:
    input: { root: ./in, mode: ro, suffixes: [.pdf, .tar.gz], max_file_bytes: 15, read_approval: true, untrusted: false }
    output: { root: ~/out, mode: rw, write_approval: true }
attachments: { max_count: 0, max_total_bytes: 20, allow: [.pdf], deny: [.exe] }
toolsets:
  filesystem: {}
  delegation: { allow_workers: [reader, main] }
  reader: { approvals: { reader: needs_approval } }
max_depth: 7
locked: true
---
Do it.
---
Really.
`;

/** A worker file's text as it is read in a folder with these neighbours, by default a worker `reader`. */
export function read(
  content: string | Uint8Array,
  { name = 'main', ...around }: Around = {},
): ReturnType<typeof readWorker> {
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
