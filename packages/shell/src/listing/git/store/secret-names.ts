import { escapeRegExp, remembered } from '@ambit/core';
import { originalsOf, wellKnown, wellKnownAt } from '@ambit/toolsets';

/** The last name in each place of the table that is written out, with `*` for any text. */
const lastNames = wellKnown
  .filter(({ capability }) => capability === 'secret.read')
  .flatMap(({ places }) => places.map((place) => place.split('/').findLast((name) => name !== '**') ?? '*'));
const pattern = new RegExp(
  `^(?:${[...new Set(lastNames)].map((name) => name.split('*').map(escapeRegExp).join('.*')).join('|')})$`,
  'is',
);
const known = new Map<string, boolean>();

/** Whether a file can be a well-known secret because of this name, its own or a folder's. A quick test. */
export function mayNameSecret(name: string): boolean {
  if (known.size > 100_000) known.clear();
  return remembered(known, name, () => originalsOf(`/${name}`).some((each) => pattern.test(each.slice(1))));
}

export function isSecret(path: string, homes: readonly string[]): boolean {
  return path.split('/').some(mayNameSecret) && wellKnownAt(path, 'secret.read', homes).length > 0;
}
