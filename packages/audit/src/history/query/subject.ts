import { fileSetOf, isJsonObject, type Json } from '@ambit/core';

/** The arguments that distinguish calls, most useful first. Others may be secrets, and are not shown. */
const subjectArguments = ['path', 'command', 'url', 'worker', 'name', 'input', 'query', 'pattern', 'to'];

/** The facts that distinguish calls, for a tool whose arguments have other names. */
const subjectFacts = ['path', 'host', 'program', 'worker', 'to', 'tool'];

/** The rest of a longer text is not processed: it would not be visible. */
const longest = 300;

/** What a call is about: a path, a command, a host. Not escaped; empty if it is unknown. */
export function subjectOf(args: Json, capabilities: readonly Json[] = []): string {
  const own = isJsonObject(args) ? ofArguments(args) : '';
  return (own === '' ? ofFacts(capabilities) : own).slice(0, longest);
}

function ofArguments(args: Readonly<Record<string, Json | undefined>>): string {
  const handed = texts(args.attachments);
  const own = subjectArguments.find((key) => texts(args[key]).length > 0);
  // A worker that gets files is about these; a named one is about its name too.
  const isHanded = handed.length > 0 && args.worker === undefined;
  const about = own === undefined || isHanded ? [] : texts(args[own]);
  const goes = own === 'path' && typeof args.to === 'string' ? ['›', ...texts(args.to)] : [];
  return [...about, ...goes, ...handed].join(' ');
}

/** Of the first capability that says something besides the name of the tool. */
function ofFacts(capabilities: readonly Json[]): string {
  for (const capability of capabilities) {
    if (!isJsonObject(capability) || capability.name === 'tool.call') continue;
    const key = subjectFacts.find((fact) => factTexts(capability[fact]).length > 0);
    if (key !== undefined) return factTexts(capability[key]).join(' ');
  }
  return '';
}

function factTexts(value: Json | undefined): readonly string[] {
  const set = value === undefined ? null : fileSetOf(value);
  return set === null ? texts(value) : texts(set.paths);
}

function texts(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value.slice(0, longest)];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) =>
    typeof item === 'string' ? [item.slice(0, longest)] : [],
  );
}
