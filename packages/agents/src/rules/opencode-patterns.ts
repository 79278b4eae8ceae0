import { posix } from 'node:path';
import { fromHome } from '@ambit/core';
import { clientOf } from '../clients/clients.js';
import { toolsNamed } from '../describe/describe-client-call.js';
import { type Kind, refusedTools, type StaticRule, type Subject } from './static-rule.js';

/** The permissions of opencode by their names. */
export const kindOf: ReadonlyMap<string, Kind> = new Map([
  ['bash', 'shell'],
  ['read', 'read'],
  ['list', 'read'],
  ['glob', 'read'],
  ['grep', 'read'],
  ['edit', 'write'],
  ['webfetch', 'web'],
  ['task', 'agent'],
]);

/** The refused tools and patterns, in the form of `permission`; without those that opencode would read more widely. */
export function opencodeDenials(
  rules: readonly StaticRule[],
  { root, home }: { readonly root: string; readonly home: string },
): readonly (readonly [tool: string, pattern: string])[] {
  const refused = refusedTools('opencode', rules);
  return rules.flatMap(({ subject }) => {
    if ((subject.about !== 'read' && subject.about !== 'write') || subject.globs === null)
      return denialsOf(subject, { root, refused }) ?? [];
    const globs = globsIn(subject)
      .flatMap((glob) => [...new Set([glob, fromHome(glob, home)])])
      .filter((glob) => /^[/~][^*?]*(?:\/\*\*)?$/.test(glob));
    return denialsOf({ ...subject, globs }, { root, refused }) ?? [];
  });
}

export function globsIn(subject: Subject): readonly string[] {
  return subject.about === 'read' || subject.about === 'write' ? (subject.globs ?? []) : [];
}

/** Whether the pattern of a glob holds wherever the work tree begins. A path outside it begins with `../`. */
export function isCompared(glob: string, root: string): boolean {
  return /^(?:\*\*|\.)\//.test(glob) || glob.startsWith(`${root}/`) || /^\/[^*?]*(?:\/\*\*)?$/.test(glob);
}

/** The permission that a tool asks for. */
const permissionOf = (tool: string) => (/^(?:write|edit|apply_patch)$/.test(tool) ? 'edit' : tool);

/** `refused`: all tools that are refused whatever the call does. Those that share a permission are refused together. */
export function denialsOf(
  subject: Subject,
  { root, refused }: { readonly root: string; readonly refused: readonly string[] },
): readonly (readonly [string, string])[] | null {
  const whole = (permissions: readonly string[]) => permissions.map((tool) => [tool, '*'] as const);
  if (subject.about === 'web' && subject.host === null) return whole(['webfetch', 'websearch']);
  if (subject.about === 'agent' && subject.name === null) return whole(['task']);
  if (subject.about === 'other' && subject.tool !== undefined) {
    const kept = [...clientOf('opencode').tools.keys()].filter((tool) => !refused.includes(tool));
    const own = new Set(toolsNamed('opencode', subject.tool).map(permissionOf));
    for (const tool of kept) own.delete(permissionOf(tool));
    return own.size === 0 ? null : whole([...own]);
  }
  const patterns = patternsOf(subject, root);
  if (patterns === null) return null;
  const tools = [...kindOf].flatMap(([tool, kind]) => (kind === subject.about ? [tool] : []));
  return tools.flatMap((tool) => patterns.map((pattern) => [tool, pattern] as const));
}

/**
 * In opencode `*` is any text, also with slashes. A path, also one outside, is relative to the work tree: the project, a folder above
 * it, or `/` outside git.
 */
function patternsOf(subject: Subject, root: string): readonly string[] | null {
  if (subject.about === 'shell') return [subject.words.join(' '), `${subject.words.join(' ')} *`];
  if (subject.about !== 'read' && subject.about !== 'write') return null;
  return (subject.globs ?? ['**']).flatMap((glob) => {
    const wide = (path: string) => path.replaceAll('**/', '*').replaceAll('**', '*');
    const segments = glob.startsWith('/') ? glob.slice(1).split('/') : [];
    const depth = glob.startsWith(`${root}/`) ? root.split('/').length : 1;
    const within = segments.slice(0, depth).map((_, at) => wide(segments.slice(at).join('/')));
    const trees = root.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));
    const from = depth === 1 && segments.length > 0 ? trees.filter((tree) => tree !== '') : [];
    return [...within, ...from.map((tree) => wide(posix.relative(tree, glob))), wide(glob)];
  });
}
