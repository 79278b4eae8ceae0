import {
  type Json,
  type JsonObject,
  type NonEmpty,
  orNull,
  ownMember,
  remembered,
  sortedText,
} from '@ambit/core';
import { type Document, isSeq, type ParsedNode, parseDocument } from 'yaml';
import { insertion } from './insertion.js';
import { type NewPermission, type WrittenPermission, writtenPermission } from './new-permission.js';

export type EditedPolicy =
  | { readonly ok: true; readonly text: string }
  /** `which` is the index of the permission that cannot be added. */
  | { readonly ok: false; readonly which: number; readonly why: string };

/**
 * Adds permissions at the ends of their sections, and keeps comments, order and style. Paths below `root` begin with
 * `./`.
 */
export function addPermissions(
  source: string,
  permissions: readonly NewPermission[],
  root: string | null = null,
): EditedPolicy {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : '';
  let text = source.slice(mark.length);
  // Grouped by place, so the text is read once for each place.
  const places = new Map<string, { readonly which: number; readonly written: WrittenPermission[] }>();
  for (const [which, permission] of permissions.entries()) {
    const written = writtenPermission(permission, root);
    if (written === null) return { ok: false, which, why: 'its facts cannot be written as a rule' };
    const key = pathOf(written).join('\n');
    remembered(places, key, () => ({ which, written: [] })).written.push(written);
  }
  for (const { which, written } of places.values()) {
    const [first, ...others] = written;
    const next = first === undefined ? text : textWith(text, [first, ...others]);
    if (next === null)
      return {
        ok: false,
        which,
        why: 'the place where it belongs is shared by an alias, or written in a form that cannot be extended',
      };
    text = next;
  }
  return { ok: true, text: `${mark}${text}` };
}

/** Rules for one place; null if they cannot be inserted without other changes. */
function textWith(text: string, written: NonEmpty<WrittenPermission>): string | null {
  const document = documentOf(text);
  const path = pathOf(written[0]);
  const rules = written.map(({ keys }) => Object.fromEntries(keys) as JsonObject);
  const wanted = expectedText(document.toJS() as Json, path, rules);
  const edit = insertion(document, path, { text, rules: written.map(({ keys }) => keys) });
  if (edit !== null) {
    const byHand = `${text.slice(0, edit.start)}${edit.text}${text.slice(edit.end)}`;
    if (isWanted(byHand, wanted)) return byHand;
  }
  const byLibrary = withNodes(document, path, rules);
  return byLibrary !== null && isWanted(byLibrary, wanted) ? byLibrary : null;
}

function pathOf({ worker, name }: WrittenPermission): readonly string[] {
  return worker === null ? ['capabilities', name] : ['workers', worker, 'capabilities', name];
}

function documentOf(text: string) {
  return parseDocument<ParsedNode, true>(text, { keepSourceTokens: true, merge: false });
}

function expectedText(file: Json, path: readonly string[], rules: readonly JsonObject[]): string {
  const put = (value: Json | undefined, rest: readonly string[]): Json => {
    const [key, ...deeper] = rest;
    if (key === undefined)
      return value === undefined ? rules : [...(Array.isArray(value) ? value : [value]), ...rules];
    const map = (value ?? {}) as JsonObject;
    return Object.fromEntries([
      ...Object.entries(map).filter(([name]) => name !== key),
      [key, put(ownMember(map, key), deeper)],
    ]);
  };
  return sortedText(put(file, path));
}

function isWanted(text: string, wanted: string): boolean {
  const document = documentOf(text);
  return document.errors.length === 0 && sortedText(document.toJS() as Json) === wanted;
}

/** Uses the library, which keeps comments but may change the layout of lines. */
function withNodes(
  document: Document.Parsed<ParsedNode, true>,
  path: readonly string[],
  rules: readonly JsonObject[],
): string | null {
  const nodes = rules.map((rule) => document.createNode(rule));
  const found: unknown = document.getIn(path, true);
  if (isSeq(found)) found.items.push(...nodes);
  else document.setIn(path, document.createNode(found === undefined ? nodes : [found, ...nodes]));
  return orNull(() => document.toString({ lineWidth: 0 }));
}
