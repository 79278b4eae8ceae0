import { isJsonObject, type Json } from '@ambit/core';
import { shown } from '../columns.js';

/** The arguments that distinguish calls, most useful first. Others may be secrets, and are not shown. */
const telling = ['path', 'command', 'url', 'worker', 'name', 'input', 'query', 'pattern', 'to'];

/** The rest of a longer text is not processed: it would not be visible. */
const longest = 300;

/** The subject of a call in a few words, escaped; nothing if its arguments have none. */
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
