import { type Capability, isObject, listedSetOf } from '@ambit/core';
import type { LogEntry } from '../line/line.js';
import type { ReadMembers } from './read-manifest.js';

export function withMembers(entry: LogEntry, read: ReadMembers): LogEntry {
  if (!Array.isArray(entry.capabilities)) return entry;
  const capabilities = entry.capabilities as readonly Capability[];
  const restored = restoredSets(capabilities, read);
  return restored === capabilities ? entry : { ...entry, capabilities: restored };
}

/** The list itself if nothing in it is a listed set. */
export function restoredSets<List extends readonly Capability[]>(list: List, read: ReadMembers): List {
  if (!list.some(isListed)) return list;
  return list.map((capability) => restored(capability, read)) as unknown as List;
}

function restored(capability: Capability, read: ReadMembers): Capability {
  const set = listedIn(capability);
  const paths = set === null ? null : read(set);
  if (set === null || paths === null || typeof paths === 'string') return capability;
  const { open, under } = set;
  return {
    ...capability,
    path: { paths, ...(open !== undefined && { open }), ...(under !== undefined && { under }) },
  };
}

/** The distinct reasons why sets have no members. */
export function unreadSets(list: readonly Capability[], read: ReadMembers | null): readonly string[] {
  if (!list.some(isListed)) return [];
  const reasons = list.map((capability) => {
    const set = listedIn(capability);
    const found = set === null ? [] : (read?.(set) ?? 'its manifest was not read');
    return typeof found === 'string' ? found : null;
  });
  return [...new Set(reasons.filter((reason) => reason !== null))];
}

/** Whether the members of a capability's set are in a manifest. */
export function isListed(capability: Capability): boolean {
  return listedIn(capability) !== null;
}

function listedIn(capability: Capability) {
  return isObject(capability) && Object.hasOwn(capability, 'path') ? listedSetOf(capability.path) : null;
}
