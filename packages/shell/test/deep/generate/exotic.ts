// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines
import { readFileSync } from 'node:fs';
import type { Random } from '../random.js';
import { expansion, glob, paths, pathWord, single, values, variables } from './words.js';

let forms: readonly string[] | null = null;

/** The rows of a file in this folder. */
export function rowsOf(name: string): readonly string[] {
  const path = new URL(`../../shell/test/deep/generate/${name}`, import.meta.url);
  return readFileSync(path, 'utf8').trim().split('\n');
}

/** Rare constructs. */
export function exotic(random: Random): string {
  forms ??= rowsOf('exotic.txt');
  return filled(random.pick(forms), random);
}

/** A form with what its slots stand for: NAME, VALUE, WORD, PLACE, GLOB and CMD. */
export function filled(form: string, random: Random): string {
  const command = random.pick([
    'touch pwned',
    'rm a.txt',
    'cat ../secret.txt',
    'ls',
    'echo x >pwned',
    './run.sh',
    'id',
  ]);
  return form
    .replaceAll('⏎', '\n')
    .replaceAll(/\bNAME\b/g, () => random.pick(random.chance(0.4) ? ['x', 'y', 'q'] : variables))
    .replaceAll(/\bQVALUE\b/g, () => single(random.pick(values)))
    .replaceAll(/\bVALUE\b/g, () => random.pick(values))
    .replaceAll(/\bWORD\b/g, () => (random.chance(0.5) ? pathWord(random) : expansion(random)))
    .replaceAll(/\bPLACE\b/g, () => random.pick(paths))
    .replaceAll(/\bGLOB\b/g, () => glob(random))
    .replaceAll(/\bCMD\b/g, () => command);
}
