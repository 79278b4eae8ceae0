import type { Place } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { type Contained, readContained } from './read-contained.js';
import { textOf } from './text.js';

const mostPreviewBytes = 1_000_000;

/** The current content of a file for a person; null if it is missing, or is not a text of moderate size. */
export async function currentText(place: Place, roots: Roots): Promise<string | null> {
  const read = await shownContent(place, roots);
  return read === null ? null : textOf(read.bytes);
}

/** The digest of the result of `currentText`. */
export async function currentDigest(place: Place, roots: Roots): Promise<string | null> {
  const read = await shownContent(place, roots);
  return read === null || textOf(read.bytes) === null ? null : read.sha256;
}

async function shownContent(place: Place, roots: Roots): Promise<Contained | null> {
  if (place.stat === null || place.real === null) return null;
  return readContained(place, { roots, limit: mostPreviewBytes }).catch(() => null);
}
