import { resolve } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

/** `K=V`, with V as text. */
export function contextOf(pairs: readonly string[]): JsonObject {
  return pairsIn(pairs, { flag: '--context', takes: 'K=V', example: 'env=ci' });
}

/** `NAME=DIR`: an absolute path for each root. */
export function foldersOf(host: Host, pairs: readonly string[]): Readonly<Record<string, string>> {
  const named = pairsIn(pairs, { flag: '--folder', takes: 'NAME=DIR', example: 'input=./decks' });
  return Object.fromEntries(Object.entries(named).map(([name, path]) => [name, resolve(host.folder, path)]));
}

function pairsIn(
  pairs: readonly string[],
  { flag, takes, example }: { readonly flag: string; readonly takes: string; readonly example: string },
): Readonly<Record<string, string>> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at <= 0) throw new UnusableError(`${flag} takes ${takes}, not \`${pair}\``, `${flag} ${example}`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  const twice = entries.find(([key], index) => entries.findIndex(([other]) => other === key) !== index);
  if (twice !== undefined) throw new UnusableError(`${flag} gives \`${twice[0]}\` twice`);
  return Object.fromEntries(entries);
}
