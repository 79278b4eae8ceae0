import { isObject, type Json, type JsonObject } from '@ambit/core';

type Map = (capability: JsonObject) => JsonObject;

/** Maps every capability of an event. Returns the same event if nothing changes. */
export function mapCapabilities<Event extends object>(event: Event, map: Map): Event {
  let mapped = event as JsonObject;
  mapped = mapMember(mapped, 'capabilities', (list) => mapList(list, (item) => capabilityIn(item, map)));
  mapped = mapMember(mapped, 'observed', (inner) =>
    mapObject(inner, 'capabilities', (list) => mapList(list, (item) => capabilityIn(item, map))),
  );
  mapped = mapMember(mapped, 'question', (inner) =>
    mapObject(inner, 'capabilities', (list) => mapList(list, (item) => capabilityIn(item, map))),
  );
  mapped = mapMember(mapped, 'grants', (grants) =>
    mapList(grants, (grant) =>
      mapObject(grant, 'shown', (list) => mapList(list, (item) => capabilityIn(item, map))),
    ),
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
