import { groupedBy, remembered } from './collect.js';
import { equalJson, isJsonObject, isList, type Json, type JsonObject, jsonCopy } from './json.js';

/** A fact about a tool call: `{name: 'fs.write', path: '/work/out/a.md'}`. Unknown facts are left out. */
export interface Capability {
  readonly name: string;
  readonly [fact: string]: Json;
}

/** `fs.write.outside`: lower-case words of letters, digits and `_`, with dots between. */
export function isCapabilityName(text: string): boolean {
  return /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/.test(text) && text.length <= 200;
}

/** Whether a value is plain JSON with a capability name of its own. */
export function isCapability(value: unknown): value is Capability {
  return capabilityOf(value) !== null;
}

/** Frozen; null for anything else. */
export function capabilityOf(value: unknown): Capability | null {
  const copy = jsonCopy(value);
  if (typeof copy !== 'object' || copy === null || !Object.hasOwn(copy, 'name')) return null;
  const { name } = copy as { readonly name: Json };
  return typeof name === 'string' && isCapabilityName(name) ? (copy as Capability) : null;
}

/** The files that opaque programs run, each with its content. */
export function filesRunBy(capabilities: readonly Capability[]): readonly (JsonObject & { path: string })[] {
  return capabilities
    .flatMap(({ files }) => (files !== undefined && isList(files) ? files : []))
    .filter(
      (file): file is JsonObject & { path: string } => isJsonObject(file) && typeof file.path === 'string',
    );
}

/** The files whose change ends a kept answer: those, and loaded code of known content. */
export function filesOfAnswer(
  capabilities: readonly Capability[],
): readonly (JsonObject & { path: string })[] {
  const loaded = capabilities.flatMap(({ name, path, sha256 }) =>
    name === 'code.load' && typeof path === 'string' && sha256 !== undefined ? [{ path, sha256 }] : [],
  );
  return [...filesRunBy(capabilities), ...loaded];
}

/** `fs.write.outside` is within `fs.write` and `fs`, `fs.writeback` is not. */
export function isWithin(name: string, ancestor: string): boolean {
  return name.startsWith(ancestor) && (name.length === ancestor.length || name[ancestor.length] === '.');
}

function isCarriedBy(capability: Capability, list: readonly Capability[]): boolean {
  return list.includes(capability) || list.some((other) => equalJson(capability, other));
}

/** Linear for many capabilities. */
export function carriedBy(list: readonly Capability[]): (capability: Capability) => boolean {
  if (list.length < 8) return (capability) => isCarriedBy(capability, list);
  const byText = groupedBy(list, sortedText);
  return (capability) => isCarriedBy(capability, byText.get(sortedText(capability)) ?? []);
}

/** In linear time. Returns the list itself if nothing repeats. */
export function withoutRepetition(list: readonly Capability[]): readonly Capability[] {
  if (
    list.length <= few ? !repeatsAmongFew(list) : new Set(list.map(({ name }) => name)).size === list.length
  )
    return list;
  const seen = new Map<string, Capability[]>();
  const distinct = list.filter((capability) => {
    const alike = remembered(seen, sortedText(capability), () => []);
    const isNew = !isCarriedBy(capability, alike);
    if (isNew) alike.push(capability);
    return isNew;
  });
  return distinct.length === list.length ? list : distinct;
}

const few = 12;

function repeatsAmongFew(list: readonly Capability[]): boolean {
  for (let at = 1; at < list.length; at += 1)
    for (let before = 0; before < at; before += 1) {
      const [one, other] = [list[at], list[before]] as [Capability, Capability];
      if (one.name === other.name && mayEqual(one, other) && equalJson(one, other)) return true;
    }
  return false;
}

/** False if a fact differs at first sight. */
function mayEqual(one: Capability, other: Capability): boolean {
  for (const fact in one) if (typeof one[fact] !== 'object' && one[fact] !== other[fact]) return false;
  return true;
}

/** JSON with sorted keys: the same text for equal values. */
export function sortedText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(sortedText).join()}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedText(value[key] as Json)}`).join()}}`;
}
