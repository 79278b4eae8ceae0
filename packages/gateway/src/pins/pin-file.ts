import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { awaitLock, ifThere, makeFolder, readNamed, writeWhole } from '@ambit/audit';
import { isJsonObject, type JsonObject, jsonOr, printable } from '@ambit/core';
import { type Environment, openStateFolder } from '@ambit/runtime';
import type { McpServer } from '@ambit/toolsets';
import * as z from 'zod';
import { identityOf } from '../upstream/server-of.js';

/**
 * The definition of a tool, as a server listed it. For prompts, resources and templates, what a model reads of one; their names here
 * begin with a word and a space: `prompt NAME`.
 */
export interface Pin {
  readonly tool: string;
  readonly definition: JsonObject;
  /** Whether a person has seen it as a waiting one. */
  readonly isSeen?: boolean;
}

/** The pins of one server: the accepted definitions, and the waiting ones. */
export interface Pins {
  /** The command line, for people. */
  readonly server: string;
  readonly accepted: readonly Pin[];
  /** A changed definition of an accepted one; it is not offered until a person accepts it. */
  readonly changed: readonly Pin[];
}

const pinSchema = z.strictObject({
  tool: z.string(),
  sha256: z.string(),
  // As it is: a reader of members would lose `__proto__`, and the digest would differ.
  definition: z.custom<JsonObject>(isJsonObject),
  isSeen: z.boolean().optional(),
});
const fileSchema = z.strictObject({
  version: z.literal(1),
  server: z.string(),
  accepted: z.array(pinSchema),
  changed: z.array(pinSchema),
});

/** The folder of all pins of a project: one file for each server, mode 0600. */
export async function pinFolder(environment: Environment, root: string): Promise<string> {
  return join(await openStateFolder(environment, root), 'gateway');
}

export function pinFileOf(folder: string, server: McpServer): string {
  return join(folder, `${server.key}-${identityOf(server)}.json`);
}

/** Null if there is no file yet. Throws if the file is damaged, or behind a dead link: an empty result would accept every change. */
export async function readPins(file: string): Promise<Pins | null> {
  const bytes = await ifThere(readNamed(file));
  // Its disk may be gone for a while.
  if (bytes === null && (await ifThere(lstat(file)))?.isSymbolicLink() === true)
    throw new Error(`${file} is a link to a file that is not there`);
  if (bytes === null) return null;
  const parsed = fileSchema.safeParse(jsonOr(bytes.toString(), null));
  const all = parsed.success ? [...parsed.data.accepted, ...parsed.data.changed] : [];
  const isWhole = all.every(({ definition, sha256 }) => digestOf(definition) === sha256);
  if (!parsed.success || !isWhole)
    throw new Error(`${file} is damaged: remove it, and all tools of this server count as new`);
  const { server, accepted, changed } = parsed.data;
  return { server, accepted: accepted.map(pinOf), changed: changed.map(pinOf) };
}

function pinOf({ tool, definition, isSeen = false }: z.infer<typeof pinSchema>): Pin {
  return { tool, definition, ...(isSeen && { isSeen }) };
}

/**
 * Changes the pins in the file, and returns the result of `change`. Other sessions and processes wait meanwhile, so
 * that none loses another's changes. Throws after `patience` milliseconds (half a minute), or after `signal`; then nothing new of the
 * server is offered.
 */
export async function changePins<T extends { readonly pins: Pins }>(
  file: string,
  change: (known: Pins | null) => T,
  waiting: { readonly patience?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  await makeFolder(join(file, '..'), 0o700);
  const lock = await awaitLock(`${file}.lock`, printable(file), waiting);
  try {
    const known = await readPins(file);
    const changed = change(known);
    if (JSON.stringify(known) !== JSON.stringify(changed.pins)) await writePins(file, changed.pins);
    return changed;
  } finally {
    lock.release();
  }
}

async function writePins(file: string, { server, accepted, changed }: Pins): Promise<void> {
  const kept = { version: 1, server, accepted: accepted.map(signed), changed: changed.map(signed) };
  await writeWhole(file, `${JSON.stringify(kept, null, 1)}\n`);
}

function signed({ definition, ...pin }: Pin) {
  return { ...pin, sha256: digestOf(definition), definition };
}

function digestOf(definition: JsonObject): string {
  return hash('sha256', JSON.stringify(definition));
}
