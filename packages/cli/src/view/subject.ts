import { isJsonObject, type Json } from '@ambit/runtime';
import { shown } from './columns.js';

/** What of its arguments tells one call from another at a glance, the most telling first. */
const telling = ['path', 'command', 'url', 'worker', 'name', 'input', 'query', 'pattern', 'to'];

/** Longer texts are looked at no further: nobody sees their end. */
const longest = 300;

/** In a few words what a call is about, escaped; nothing where its arguments do not say. */
export function subjectOf(args: Json): string {
  if (!isJsonObject(args)) return '';
  const handed = texts(args.attachments ?? null);
  const own = telling.find((key) => texts(args[key] ?? null).length > 0) ?? Object.keys(args)[0];
  const about = own === undefined ? [] : texts(args[own] ?? null);
  return shown(
    [...(args.worker === undefined && handed.length > 0 ? [] : about), ...handed].join(' ').slice(0, longest),
  );
}

function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value.slice(0, longest)];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) =>
    typeof item === 'string' ? [item.slice(0, longest)] : [],
  );
}
