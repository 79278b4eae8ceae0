import { join } from 'node:path';
import { awaitLock, ifThere, makeFolder, readNamed, writeWhole } from '@ambit/audit';
import { jsonOr, printable } from '@ambit/core';
import type { Fingerprint, FingerprintStore } from '@ambit/toolsets';
import * as z from 'zod';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const fileSchema = z.strictObject({
  version: z.literal(1),
  // A list: a server may name a tool `__proto__`.
  tools: z.array(z.strictObject({ tool: z.string(), whole: digest, body: digest })),
});

/** The file with the first definitions of a server's tools. Without it, definitions count as new. */
export function fingerprintFile(folder: string, server: string): string {
  return join(folder, 'mcp', `${server}.json`);
}

/** One file for each server, mode 0600. */
export function fingerprintStore(folder: string): FingerprintStore {
  return {
    read: (server) => readFingerprints(fingerprintFile(folder, server)),
    add: async (server, fingerprints) => {
      const file = fingerprintFile(folder, server);
      await makeFolder(join(folder, 'mcp'), 0o700);
      const lock = await awaitLock(`${file}.lock`, printable(file));
      try {
        // Read again: another run may have added to it meanwhile.
        const kept = new Map([...fingerprints, ...(await readFingerprints(file))]);
        const tools = [...kept].map(([tool, print]) => ({ tool, ...print }));
        await writeWhole(file, `${JSON.stringify({ version: 1, tools }, null, 1)}\n`);
      } finally {
        lock.release();
      }
    },
  };
}

async function readFingerprints(file: string): Promise<ReadonlyMap<string, Fingerprint>> {
  const text = await ifThere(readNamed(file));
  if (text === null) return new Map();
  const parsed = fileSchema.safeParse(jsonOr(text.toString(), null));
  // An empty list would accept every change as first seen.
  if (!parsed.success)
    throw new Error(`${file} is not a list of fingerprints: remove it to record the tools again`);
  return new Map(parsed.data.tools.map(({ tool, whole, body }) => [tool, { whole, body }]));
}
