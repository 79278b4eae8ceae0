import type { Reach } from '../../decide/reach.js';
import { exampleFile, folderOf } from '../../decide/reach.js';
import { isCanonicalPath } from '../../words/files/canonical-path.js';
import { isList, type Json } from '../../words/json.js';
import type { ShownCall } from './shown-call.js';

/** The likeliest first; never the shown one. */
export function otherValues(
  fact: string,
  value: Json,
  { reach, call }: { readonly reach: Reach; readonly call: ShownCall },
): readonly Json[] {
  const shown = call.capabilities.flatMap((capability) =>
    fact in capability ? [capability[fact] as Json] : [],
  );
  const isShown = (other: Json) => shown.some((one) => JSON.stringify(one) === JSON.stringify(other));
  return candidates(fact, value, reach).filter((other) => !isShown(other));
}

export function relative(found: Json, value: Json, other: Json): Json {
  if (typeof value !== 'string' || typeof other !== 'string') return found;
  if (isList(found)) return found.map((item) => relative(item, value, other));
  if (typeof found !== 'string') return found;
  if (found === value) return other;
  if (found.includes(`://${value}`)) return found.replace(`://${value}`, () => `://${other}`);
  // As a command line names it: `rm out/a.md`.
  if (!isCanonicalPath(value) || !value.endsWith(`/${found}`)) return found;
  const folder = value.slice(0, -found.length);
  return other.startsWith(folder) ? other.slice(folder.length) : other;
}

function candidates(fact: string, value: Json, reach: Reach): readonly Json[] {
  const file = fact === 'path' && typeof value === 'object' ? exampleFile(value) : null;
  if (file !== null) return otherPaths(file, reach);
  if (typeof value === 'number') return [value * 10, 1, 0, value + 1];
  if (typeof value === 'boolean') return [!value];
  if (fact === 'argv' && isList(value)) return otherWords(value);
  if (isList(value)) return [[], ['another']];
  if (typeof value !== 'string') return [`another ${fact}`];
  if (fact === 'path' && isCanonicalPath(value)) return otherPaths(value, reach);
  if (fact === 'cwd' && isCanonicalPath(value)) return [`${value === '/' ? '' : value}/deeper`, '/elsewhere'];
  return texts[fact] ?? [`another ${fact}`, `a third ${fact}`, `yet another ${fact}`];
}

const texts: Readonly<Record<string, readonly Json[]>> = {
  host: ['another.example', 'www.another.example', '203.0.113.7'],
  program: ['curl', 'rm', 'python3'],
  method: ['POST', 'DELETE', 'GET'],
  scheme: ['http', 'https'],
  worker: ['another-worker', 'a-third-worker', 'one-more-worker'],
  // Follows the host.
  url: [],
};

function otherWords(words: readonly Json[]): readonly Json[] {
  return [[...words, '--another-option'], [...words.slice(0, 1), 'another-argument'], words.slice(0, 1)];
}

/** Within reach of `folder`, or beyond it. */
function otherPaths(path: string, reach: Reach): readonly string[] {
  const name = lastOf(path);
  const suffix = name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.')) : '';
  const names = [`another${suffix}`, `deeper/down${suffix}`, `a-third${suffix}`];
  const folder = folderOf(path) ?? '';
  if (reach !== 'capability') return names.map((other) => `${folder}/${other}`);
  return [`${folderOf(folder) ?? ''}/elsewhere/${name}`, `/etc/${name}`, `/home/${name}`];
}

export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
