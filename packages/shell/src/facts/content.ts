import { lstatSync } from 'node:fs';
import { type JsonObject, orNull, remembered } from '@ambit/core';
import { digestOfPlain } from '@ambit/toolsets';
import type { World } from '../world.js';

/** The most bytes of a file that are read for its digest. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Identifies the content of a file when the line begins: the SHA-256 of its bytes, read once. A file that
 * cannot be read or is larger than 32 MiB has its metadata instead, which change with each write.
 */
export type Content = { readonly sha256: string } | { readonly state: string };

/** Results for one line, by its listing. */
const contents = new WeakMap<World['listing'], Map<string, Content | null>>();

/** The content of a real path, read once for a line. Null unless it is a regular file. */
export function contentOf(real: string, { listing }: World): Content | null {
  return remembered(
    remembered(contents, listing, () => new Map()),
    real,
    () => readContent(real),
  );
}

/** These files with their contents, as the fact `files` of an opaque program; absent for an empty list. */
export function filesFact(paths: readonly string[], world: World): JsonObject {
  const files = [...new Set(paths)].flatMap((path) => {
    const content = contentOf(path, world);
    return content === null ? [] : [{ path, ...content }];
  });
  return files.length === 0 ? {} : { files };
}

function readContent(real: string): Content | null {
  if (orNull(() => lstatSync(real).isFile()) !== true) return null;
  const sha256 = digestOfPlain(real, { most: mostBytes, follow: false });
  if (sha256 !== null) return { sha256 };
  return orNull(() => {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(real, { bigint: true });
    return { state: [dev, ino, size, mtimeNs, ctimeNs].join(' ') };
  });
}
