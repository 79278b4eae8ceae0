import { fileSetOf, type JsonObject, listedSet, mostWritten } from '@ambit/core';
import { mapCapabilities } from './map-capabilities.js';

/** Keeps sorted, distinct members and returns their digest. Throws if it cannot. */
export type KeepMembers = (members: readonly string[]) => string;

/** Whether a capability of the event has a set that is too large to be written out. */
export function hasLargeSet(event: object): boolean {
  let found = false;
  mapCapabilities(event, (capability) => {
    found ||= isLarge(capability);
    return capability;
  });
  return found;
}

export function withListedSets<Event extends object>(event: Event, keep: KeepMembers): Event {
  return mapCapabilities(event, (capability) => listed(capability, keep));
}

function listed(capability: JsonObject, keep: KeepMembers): JsonObject {
  const set = isLarge(capability) ? fileSetOf(capability.path) : null;
  if (set === null) return capability;
  // A mask may have changed their order.
  const members = [...new Set(set.paths)].sort();
  if (members.length <= mostWritten) return capability;
  return { ...capability, path: listedSet({ ...set, paths: members }, keep(members)) };
}

function isLarge({ path }: JsonObject): boolean {
  const paths = typeof path === 'object' && path !== null ? (path as JsonObject).paths : null;
  return Array.isArray(paths) && paths.length > mostWritten;
}
