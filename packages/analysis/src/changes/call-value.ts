import { type Capability, isObject, type Json, type JsonObject, type Request } from '@ambit/core';

/** Sets or removes (undefined) a value that conditions read. Null if the call has no such place. */
export function withValue(
  request: Request,
  {
    key,
    value,
    capability,
  }: { readonly key: string; readonly value: Json | undefined; readonly capability: number },
): Request | null {
  const [root, ...path] = key.split('.');
  if (path.length === 0) return null;
  if (root === 'args') return { ...request, args: put(request.args, path, value) };
  if (root === 'context') return { ...request, context: put(request.context, path, value) };
  const subject = request.capabilities[capability];
  if (root !== 'capability' || subject === undefined || path[0] === 'name') return null;
  const { name, ...facts } = subject;
  const changed = { ...put(facts as JsonObject, path, value), name } as Capability;
  const [first, ...others] = request.capabilities.map((each, index) =>
    index === capability ? changed : each,
  );
  return first === undefined ? null : { ...request, capabilities: [first, ...others] };
}

/** Undefined if it is missing. */
export function valueAt(request: Request, key: string, capability: number): Json | undefined {
  const [root, ...path] = key.split('.');
  const start: Json | undefined =
    root === 'args'
      ? request.args
      : root === 'context'
        ? request.context
        : root === 'capability'
          ? (request.capabilities[capability] as JsonObject | undefined)
          : undefined;
  return path.reduce<Json | undefined>(
    (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    start,
  );
}

function put(
  object: JsonObject,
  [first = '', ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const others = Object.entries(object).filter(([key]) => key !== first);
  const inner = Object.hasOwn(object, first) ? object[first] : undefined;
  const next = rest.length === 0 ? value : put(isObject(inner) ? inner : {}, rest, value);
  // fromEntries defines own properties, whatever the keys are called.
  return Object.fromEntries(next === undefined ? others : [...others, [first, next]]);
}
