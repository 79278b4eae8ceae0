import type { Random } from '../random.js';
import { filled, rowsOf } from './exotic.js';
import { pathWord, single } from './words.js';

let topics: readonly Topic[] | null = null;

/** Forms that make something, and forms that use it. */
interface Topic {
  readonly makes: readonly string[];
  readonly uses: readonly string[];
}

function topicsOf(rows: readonly string[]): readonly Topic[] {
  const parts = rows.join('\n').split('\n\n');
  return parts.flatMap((part, at) =>
    at % 2 === 1 ? [] : [{ makes: part.split('\n'), uses: (parts[at + 1] ?? '').split('\n') }],
  );
}

/** Steps of which the last use what the first make: variables, arrays, functions, links, commits. */
export function stepsLine(random: Random): string {
  topics ??= topicsOf(rowsOf('steps.txt'));
  const all = topics;
  const topic = random.pick(all);
  const other = () => (random.chance(0.7) ? topic : random.pick(all));
  const line = [
    random.pick(topic.makes),
    ...random.several(0, 1, () => random.pick(other().makes)),
    random.pick(topic.uses),
    ...random.several(0, 1, () => random.pick(other().uses)),
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
