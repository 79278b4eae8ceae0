// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines
import { readFileSync } from 'node:fs';
import type { Random } from '../random.js';
import { expansion, pathWord, single, values, variables } from './words.js';

let forms: readonly string[] | null = null;

/** Rare constructs: each form with words inserted for NAME, VALUE, WORD and CMD. */
export function exotic(random: Random): string {
  const command = random.pick([
    'touch pwned',
    'rm a.txt',
    'cat ../secret.txt',
    'ls',
    'echo x >pwned',
    './run.sh',
    'id',
  ]);
  forms ??= readFileSync(new URL('../../shell/test/deep/generate/exotic.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return random
    .pick(forms)
    .replaceAll('⏎', '\n')
    .replaceAll(/\bNAME\b/g, () => random.pick(random.chance(0.4) ? ['x', 'y', 'q'] : variables))
    .replaceAll(/\bQVALUE\b/g, () => single(random.pick(values)))
    .replaceAll(/\bVALUE\b/g, () => random.pick(values))
    .replaceAll(/\bWORD\b/g, () => (random.chance(0.5) ? pathWord(random) : expansion(random)))
    .replaceAll(/\bCMD\b/g, () => command);
}
