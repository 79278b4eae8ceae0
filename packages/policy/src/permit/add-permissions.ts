import type { Json, JsonObject } from '@ambit/core';
import { type Document, isSeq, type ParsedNode, parseDocument } from 'yaml';
import { insertion } from './insertion.js';
import { type NewPermission, type WrittenPermission, writtenPermission } from './new-permission.js';

export type EditedPolicy =
  | { readonly ok: true; readonly text: string }
  /** `which` is the index of the permission that cannot be added. */
  | { readonly ok: false; readonly which: number; readonly why: string };

/**
 * The text of a policy file with these permissions added at the ends of their sections, everything else as it was: comments,
 * order and style. The text has to be one that loads.
 */
export function addPermissions(source: string, permissions: readonly NewPermission[]): EditedPolicy {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : '';
  let text = source.slice(mark.length);
  for (const [which, permission] of permissions.entries()) {
    const written = writtenPermission(permission);
    if (written === null) return { ok: false, which, why: 'its facts cannot be said in a rule' };
    const next = added(text, written);
    if (next === null)
      return {
        ok: false,
        which,
        why: 'the place where it belongs is shared by an alias, or written in a way that cannot be added to',
      };
    text = next;
  }
  return { ok: true, text: `${mark}${text}` };
}

/** Null where the text cannot be had so that nothing but the rule is new. */
function added(text: string, written: WrittenPermission): string | null {
  const document = parsed(text);
  const path = pathOf(written);
  const wanted = expected(document.toJS() as Json, path, Object.fromEntries(written.keys) as JsonObject);
  const edit = insertion(document, path, { text, keys: written.keys });
  if (edit !== null) {
    const byHand = `${text.slice(0, edit.start)}${edit.text}${text.slice(edit.end)}`;
    if (isWanted(byHand, wanted)) return byHand;
  }
  const byLibrary = withNode(document, path, written);
  return byLibrary !== null && isWanted(byLibrary, wanted) ? byLibrary : null;
}

function pathOf({ worker, name }: WrittenPermission): readonly string[] {
  return worker === null ? ['capabilities', name] : ['workers', worker, 'capabilities', name];
}

function parsed(text: string) {
  return parseDocument<ParsedNode, true>(text, { keepSourceTokens: true, merge: false });
}

/** What the file has to come to: a list of rules that ends in the new one. */
function expected(file: Json, path: readonly string[], rule: JsonObject): string {
  const put = (value: Json | undefined, rest: readonly string[]): Json => {
    const [key, ...deeper] = rest;
    if (key === undefined)
      return value === undefined ? [rule] : [...(Array.isArray(value) ? value : [value]), rule];
    const map = (value ?? {}) as JsonObject;
    return Object.fromEntries([
      ...Object.entries(map).filter(([name]) => name !== key),
      [key, put(Object.hasOwn(map, key) ? map[key] : undefined, deeper)],
    ]);
  };
  return sorted(put(file, path));
}

function isWanted(text: string, wanted: string): boolean {
  const document = parsed(text);
  return document.errors.length === 0 && sorted(document.toJS() as Json) === wanted;
}

/** One text for equal values, whatever the order of their keys. */
function sorted(value: Json): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** By the library, which keeps comments and may change how lines are laid out. */
function withNode(
  document: Document.Parsed<ParsedNode, true>,
  path: readonly string[],
  { keys }: WrittenPermission,
): string | null {
  const rule = document.createNode(Object.fromEntries(keys));
  const found: unknown = document.getIn(path, true);
  if (isSeq(found)) found.items.push(rule);
  else document.setIn(path, found === undefined ? [rule] : document.createNode([found, rule]));
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}
