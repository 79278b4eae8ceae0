import type { Random } from '../random.js';
import { filled, rowsOf } from './exotic.js';
import { pathWord, single } from './words.js';

let rows: readonly (readonly string[])[] | null = null;

/** Steps of which the first make what the last use: arrays, variables, functions, folders, links, commits. */
export function stepsLine(random: Random): string {
  rows ??= rowsOf('steps.txt')
    .join('\n')
    .split('\n\n')
    .map((part) => part.split('\n'));
  const [makes = [], uses = []] = rows;
  const line = [
    ...random.several(1, 3, () => random.pick(makes)),
    ...random.several(1, 2, () => random.pick(uses)),
  ]
    .map((form) => form.replaceAll(/\bWORD\b/g, (word) => (random.chance(0.85) ? pathWord(random) : word)))
    .map((form) => filled(form, random))
    .reduce((all, each) => all + random.pick(['; ', '; ', '\n', ' && ', ' || ']) + each);
  return random.weighted<string>([
    [20, line],
    [1, `(${line}); cat "$x" *`],
    [1, `{ ${line}\n} | xargs cat`],
    [1, `g() { ${line}\n}; g a.txt b.txt; cat "$x"`],
    [1, `bash -c ${single(line)} _ a.txt`],
    [1, `if ${line}; then cat "$x"; fi`],
    [1, `for x in a.txt src; do ${line}\ndone`],
  ]);
}
