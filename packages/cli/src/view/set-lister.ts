import { fileSetOf, isJsonObject } from '@ambit/core';
import type { Host } from '../host.js';

/** Lists large file sets as folder, count and digest. */
export type ListSets = <Document extends object>(document: Document) => Promise<Document>;

export function setLister(host: Host): ListSets {
  let listing: Promise<(document: object) => Promise<object>> | null = null;
  return async (document) => {
    if (!mayHaveSet(document)) return document;
    // Few documents have one, and `ambit decide` starts sooner without.
    listing ??= import('./document-lister.js').then(({ documentLister }) => documentLister(host));
    const listed = await listing;
    return (await listed(document)) as typeof document;
  };
}

function mayHaveSet(document: object): boolean {
  const { capabilities, question } = document as { capabilities?: unknown; question?: unknown };
  if (question !== undefined) return true;
  return (
    Array.isArray(capabilities) &&
    capabilities.some((one) => isJsonObject(one) && fileSetOf(one.path) !== null)
  );
}
