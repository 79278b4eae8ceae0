import { fileSetOf, isObject, type Json, type JsonObject, listedSet, mostWritten } from '@ambit/core';

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
  return mapCapabilities(event, (capability) => withManifest(capability, keep));
}

function withManifest(capability: JsonObject, keep: KeepMembers): JsonObject {
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

type Map = (capability: JsonObject) => JsonObject;

/** Maps every capability of an event. Returns the same event if nothing changes. */
function mapCapabilities<Event extends object>(event: Event, map: Map): Event {
  const inList = (list: Json) => mapList(list, (item) => capabilityIn(item, map));
  const inside = (inner: Json) => mapObject(inner, 'capabilities', inList);
  let mapped = mapMember(event as JsonObject, 'capabilities', inList);
  for (const key of ['observed', 'question']) mapped = mapMember(mapped, key, inside);
  mapped = mapMember(mapped, 'grants', (grants) =>
    mapList(grants, (grant) => mapObject(grant, 'shown', inList)),
  );
  return mapped as Event;
}

/** A capability, or one that a question shows beside its words. */
function capabilityIn(item: Json, map: Map): Json {
  if (!isObject(item)) return item;
  if (Object.hasOwn(item, 'name')) return map(item);
  return mapObject(item, 'capability', (capability) => (isObject(capability) ? map(capability) : capability));
}

function mapObject(value: Json, key: string, map: (value: Json) => Json): Json {
  return isObject(value) ? mapMember(value, key, map) : value;
}

function mapMember(record: JsonObject, key: string, map: (value: Json) => Json): JsonObject {
  if (!Object.hasOwn(record, key)) return record;
  const before = record[key] as Json;
  const after = map(before);
  return after === before ? record : { ...record, [key]: after };
}

function mapList(value: Json, map: (item: Json) => Json): Json {
  if (!Array.isArray(value)) return value;
  const list = value as readonly Json[];
  const mapped = list.map(map);
  return mapped.every((item, index) => item === list[index]) ? value : mapped;
}
