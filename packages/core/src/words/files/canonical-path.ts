import type { Json } from '../json.js';

/** Absolute, without `.`, `..`, empty segments, NUL or a slash at its end. */
export function isCanonicalPath(fact: Json): boolean {
  if (typeof fact !== 'string' || !fact.startsWith('/') || fact.includes('\0')) return false;
  return fact === '/' || !/\/\.{0,2}(?:\/|$)/.test(fact);
}
