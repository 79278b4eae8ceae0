import { isJsonObject, type Json } from '@ambit/core';
import { shown } from '../columns.js';

/** What of its arguments tells one call from another at a glance, the most telling first. Others may be secrets, and are not shown. */
const telling = ['path', 'command', 'url', 'worker', 'name', 'input', 'query', 'pattern', 'to'];

/** Longer texts are looked at no further: nobody sees their end. */
const longest = 300;

/** In a few words what a call is about, escaped; nothing where its arguments do not say. */
export function subjectOf(args: Json): string {
  if (!isJsonObject(args)) return '';
  const handed = texts(args.attachments ?? null);
  const own = telling.find((key) => texts(args[key] ?? null).length > 0);
  // A worker that is handed files is about these; one that is named is named, too.
  const isHanded = handed.length > 0 && args.worker === undefined;
  const about = own === undefined || isHanded ? [] : texts(args[own] ?? null);
  const goes = own === 'path' && typeof args.to === 'string' ? ['›', ...texts(args.to)] : [];
  return shown([...about, ...goes, ...handed].join(' ').slice(0, longest));
}

function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value.slice(0, longest)];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) =>
    typeof item === 'string' ? [item.slice(0, longest)] : [],
  );
}
