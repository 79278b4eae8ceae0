import type { Effect } from '../../effect.js';
import { textOf, type Word } from '../../word.js';
import { isUnknownStart } from '../words.js';
import { file, load } from './effect-of.js';

/** A program for `jq`: the environment that it reads, and the modules that it takes in. */
export function readJq(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  const read = known === null ? null : withoutStrings(known);
  const effects: Effect[] = [];
  const names = [...(read ?? '').matchAll(/\$ENV\.(\w+)|\benv\.(\w+)/g)].map(
    ([, first, second]) => first ?? second,
  );
  for (const variable of new Set(names)) effects.push(environment(variable));
  if (read === null || /\$ENV(?!\.\w)|(?<![.$\w])env\b(?!\.\w)/.test(read)) effects.push(environment());
  const modules = /(?:^|;)\s*(?:import|include)\s+"([^"]*)"/g;
  for (const [, name = ''] of (known ?? '').matchAll(modules)) effects.push(load(`${name}.jq`, folder));
  return effects;
}

/** The first operand of `yq`: a command, a program, or, where it is no program, a file. */
export function readYqFirst(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text) ?? '';
  if (/^(?:e|ea|eval|eval-all)$/.test(known)) return [];
  const mayBeFile = /^(?:\.{0,2}\/)?\w[\w./-]*$|^\.\.?\//.test(known);
  return [...readYq(text, folder), ...(mayBeFile ? [file('read', text, folder)] : [])];
}

/** A file, or the program that follows a command. */
export function readYqMore(text: Word, folder: Word | null): readonly Effect[] {
  return textOf(text) === null && !isUnknownStart(text) ? [] : readYq(text, folder);
}

/** A program for `yq`: the files that it loads, and the environment that it reads. */
function readYq(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [file('read', null, folder), environment()];
  const loads = [...known.matchAll(/\bload(?:_\w+)?\s*\(\s*(?:"([^"]*)")?/g)];
  const files = loads.map(([, name]) => file('read', name ?? null, folder));
  const names = [...known.matchAll(/\b(?:str)?env\s*\(\s*(\w+)?/g)];
  const all = /\benvsubst\b|\$ENV\b/.test(known) ? [environment()] : [];
  return [...files, ...names.map(([, name]) => environment(name)), ...all];
}

function environment(variable?: string): Effect {
  return {
    kind: 'capability',
    capability: { name: 'env.read', ...(variable !== undefined && { variable }) },
  };
}

/** What is interpolated in a string stays, with the strings around it gone. */
function withoutStrings(program: string): string {
  return program.includes('\\(') ? program : program.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}
