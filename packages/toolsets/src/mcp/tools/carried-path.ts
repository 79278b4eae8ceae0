import { fileURLToPath } from 'node:url';
import type { Json } from '@ambit/core';
import { follow } from '../../places/follow.js';
import { plainPath } from '../../places/paths.js';

/**
 * The paths of an argument: as named, made absolute from the folder, and as real; null if unknown. Without a
 * folder the files are remote, and only absolute paths are known.
 */
export async function placesOf(value: Json, folder: string | null): Promise<readonly (string | null)[]> {
  const named = typeof value === 'string' ? absolute(value, folder) : null;
  if (named === null) return [null];
  if (folder === null) return [named];
  const way = await follow(named);
  // The target is unknown: a rule about paths is then undecided.
  return way.real === null ? [named, null] : [...new Set([named, way.real])];
}

function absolute(text: string, folder: string | null): string | null {
  // Longer than the system takes, or no text that a file could be called by.
  if (text === '' || text.length > 4000 || /\0|\p{Surrogate}/u.test(text)) return null;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fromUrl(text);
  if (text.startsWith('/')) return plainPath(text);
  // Whether `~` is a home or a name is the server's own affair.
  return folder === null || text.startsWith('~') ? null : plainPath(`${folder}/${text}`);
}

function fromUrl(text: string): string | null {
  try {
    return plainPath(fileURLToPath(text));
  } catch {
    return null;
  }
}
