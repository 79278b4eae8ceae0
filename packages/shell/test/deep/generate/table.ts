import { readFileSync } from 'node:fs';
import type { Random } from '../random.js';
import { pathWord } from './words.js';

let lines: readonly string[] | null = null;

/** A line that an earlier analyser described wrongly, unchanged or with other files. */
export function tableLine(random: Random): string {
  lines ??= readFileSync(new URL('../../shell/test/deep/found.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => (JSON.parse(row) as { readonly line: string }).line);
  const line = random.pick(lines);
  if (random.chance(0.5)) return line;
  return line.replaceAll(/\S+/g, (word) => (random.chance(0.15) ? pathWord(random) : word));
}
