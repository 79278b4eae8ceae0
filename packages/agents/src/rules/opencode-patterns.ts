import { posix } from 'node:path';
import { fromHome } from '@ambit/core';
import type { Kind, StaticRule, Subject } from './static-rule.js';

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
  return rules.flatMap(({ subject }) => {
    if (subject.about !== 'read' && subject.about !== 'write') return denialsOf(subject, root) ?? [];
    const globs = globsIn(subject)
      .flatMap((glob) => [...new Set([glob, fromHome(glob, home)])])
      .filter((glob) => /^[/~][^*?]*(?:\/\*\*)?$/.test(glob));
    return denialsOf({ ...subject, globs }, root) ?? [];
  });
}

export function globsIn(subject: Subject): readonly string[] {
  return subject.about === 'read' || subject.about === 'write' ? (subject.globs ?? []) : [];
}

/** Whether the pattern of a glob holds wherever the work tree begins. A path outside it begins with `../`. */
export function isCompared(glob: string, root: string): boolean {
  return /^(?:\*\*|\.)\//.test(glob) || glob.startsWith(`${root}/`) || /^\/[^*?]*(?:\/\*\*)?$/.test(glob);
}

export function denialsOf(subject: Subject, root: string): readonly (readonly [string, string])[] | null {
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
