import { readFileSync } from 'node:fs';
import { generatorOf } from '../../../shell/test/deep/generate/line.js';
import { Random } from '../../../shell/test/deep/random.js';
import type { Ids } from './secrets.js';

/** The words of each slot, and the forms with slots of each kind. */
const kinds = new Map<string, string[]>();
for (const row of readFileSync(new URL('../test/deep/git-lines.txt', import.meta.url), 'utf8').split('\n')) {
  const [, kind, text] = /^([A-Z]+): (.*)$/.exec(row) ?? [];
  if (kind === undefined || text === undefined) continue;
  const words = /^(?:REV|PATH|PLAIN|NAME|OPT)$/.test(kind)
    ? (text.match(/"?\$\([^)]*\)"?|\S+/g) ?? [])
    : text.split(' ‖ ');
  kinds.set(kind, [...(kinds.get(kind) ?? []), ...words]);
}

function filled(kind: string, random: Random): string {
  const form = random.pick(kinds.get(kind) ?? []);
  return form.replaceAll(/\b(?:REV|PATH|PLAIN|NAME|FORMAT|OPT)\b/g, (slot) => {
    const least = slot === 'OPT' ? 0 : 1;
    return random.several(least, 2 - least, () => random.pick(kinds.get(slot) ?? [])).join(' ');
  });
}

function statement(random: Random): string {
  const one = (kind = 'COMMAND') => filled(kind, random);
  const line = one();
  return random.weighted<() => string>([
    [30, () => line],
    [4, () => `${line} | ${one('FILTER')}`],
    [2, () => `x=$(${line}); ${one('USE')}`],
    [2, () => `for x in ${one('LIST')}; do ${one('USE')}; done`],
    [1, () => `${line} >${one('NAME')}`],
    [1, () => `diff <(${line}) <(${one()})`],
    [1, () => `if ${line}; then ${one()}; else ${one()}; fi`],
    [1, () => `(${line})`],
    [1, () => `sh -c '${line.replaceAll("'", '"')}'`],
    [1, () => `git ${one('BEFORE')} ${line.replace(/^git /, '')}`],
  ])();
}

/** Lines above all about git; the others are like those that are compared with bash. */
export function gitLines(ids: Ids): (seed: number) => (index: number) => string {
  return (seed) => {
    const others = generatorOf(seed);
    return (index) => {
      const random = new Random(seed + 77, index);
      if (random.chance(0.2)) return others(index);
      const joins = [' && ', '; ', '\n', ' || ', '; '];
      const line = random
        .several(1, random.pick([1, 1, 2, 3]), () => statement(random))
        .reduce((all, each) => all + random.pick(joins) + each);
      const id = (name: string) => (ids[name] ?? name).slice(0, random.chance(0.5) ? 40 : 9);
      return line.replaceAll(/@[A-Z]+@/g, id);
    };
  };
}
