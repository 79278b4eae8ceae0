import { text, textOf, unknown, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { file, readsVariable } from './make-effect.js';

/** A program for `jq`: the environment that it reads. */
export function readJq(written: Word): Effects {
  const known = textOf(written);
  if (known === null) return 'its program is unknown';
  const code = withoutStrings(known);
  if (/(?<![.$\w])(?:import|include|modulemeta|get_search_list)\b/.test(code)) return 'it loads a module';
  const names = [...code.matchAll(/(?:\$ENV|(?<![.$\w])env)\b(?:\.(\w+))?/g)].map(([, name]) => name);
  return [...new Set(names)].map(readsVariable);
}

/** Only without interpolation, so a string holds no code. */
function withoutStrings(program: string): string {
  return program.includes('\\(') ? program : program.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** The first operand of `yq`: a command, a program, or else a file. */
export function readYqFirst(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known !== null && /^(?:e|ea|eval|eval-all)$/.test(known)) return [];
  const effects = readYq(written, around);
  const mayBeFile = known === null || /^(?:\.{0,2}\/)?\w[\w./-]*$|^\.\.?\//.test(known);
  return mayBeFile && typeof effects !== 'string' ? [...effects, file('read', written, around)] : effects;
}

/** A file, or the program that follows a command. */
export function readYqMore(written: Word, around: Around): Effects {
  return readYq(written, around);
}

/** A program for `yq`: the files that it loads, and the environment that it reads. */
function readYq(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return 'its program is unknown';
  if (/\b(?:eval|system|import|include|modulemeta)\b/.test(known)) return 'its program is put together';
  const loads = [...known.matchAll(/\bload(?:_\w+)?\b\s*(?:\(\s*"([^"]*)"\s*\))?/g)];
  const files = loads.map(([, name]) =>
    file('read', name === undefined ? unknown('load') : text(name), around),
  );
  const names = [...known.matchAll(/\b(?:str)?env\s*\(\s*(\w+)?/g)].map(([, name]) => readsVariable(name));
  const all = /\benvsubst\b|\$ENV\b/.test(known) ? [readsVariable()] : [];
  return [...files, ...names, ...all];
}
