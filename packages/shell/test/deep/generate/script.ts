// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines
import type { Random } from '../random.js';
import { exotic } from './exotic.js';
import { plainCommand } from './plain.js';
import { expansion, glob, paths, pathWord, single, values, variables } from './words.js';

/** A bash command line: usually a common one, sometimes one with a rare construct. */
export function script(random: Random): string {
  // Usually no construct is rare; sometimes one or two are.
  const odd = random.weighted([
    [16, 0],
    [2, 0.1],
    [0.7, 0.4],
  ]);
  return new Writer(random, odd).list(
    random.weighted([
      [3, 1],
      [3, 2],
      [1, 3],
    ]),
  );
}

class Writer {
  readonly #random: Random;
  readonly #odd: number;

  constructor(random: Random, odd: number) {
    this.#random = random;
    this.#odd = odd;
  }

  list(depth: number): string {
    const random = this.#random;
    const parts = random.several(
      1,
      depth > 1
        ? 3
        : random.weighted([
            [2, 1],
            [1, 2],
          ]),
      () => this.pipeline(depth),
    );
    return parts.reduce(
      (line, part) => line + random.pick(['; ', '; ', ' && ', ' || ', '\n', ' & ', '; ']) + part,
    );
  }

  pipeline(depth: number): string {
    const random = this.#random;
    const parts = random.several(1, random.chance(0.3) ? 3 : 1, () => this.command(depth));
    const line = parts.join(
      random.weighted([
        [9, ' | '],
        [1, ' |& '],
      ]),
    );
    return random.weighted([
      [30, line],
      [1, `! ${line}`],
      [0.1, `time ${line}`],
    ]);
  }

  command(depth: number): string {
    const random = this.#random;
    if (random.chance(this.#odd)) return exotic(random);
    const inner = () => this.list(depth - 1);
    const made = random.weighted<() => string>([
      [22, () => plainCommand(random, () => this.word(depth))],
      [7, () => `${this.name()}=${this.word(depth)}`],
      [0.3, () => `${this.name()}=${this.word(depth)} ${plainCommand(random, () => this.word(depth))}`],
      [4, () => `cd ${this.word(0)}`],
      [3, () => `echo ${this.words(depth)}`],
      [2, () => `printf '%s\\n' ${this.words(depth)}`],
      [0.6, () => this.builtin()],
      ...(depth <= 0
        ? []
        : ([
            [3, () => `for ${this.name()} in ${this.words(depth)}; do ${inner()}; done`],
            [
              2,
              () =>
                `for f in ${glob(random)}; do ${plainCommand(random, () => random.pick(['$f', '"$f"', '"$f.bak"']))}; done`,
            ],
            [2, () => `if ${this.test()}; then ${inner()}; fi`],
            [1, () => `if ${this.pipeline(0)}; then ${inner()}; else ${inner()}; fi`],
            [2, () => `while read -r ${this.name()}; do ${inner()}; done <${pathWord(random)}`],
            [
              2,
              () =>
                `${this.pipeline(0)} | while read ${random.pick(['', '-r '])}f; do ${plainCommand(random, () => '"$f"')}; done`,
            ],
            [
              1,
              () =>
                `case ${this.word(0)} in ${random.pick(['a*', '*', 'x', '$x'])}) ${inner()};; *) ${inner()};; esac`,
            ],
            [1, () => `while read -r f; do ${plainCommand(random, () => '"$f"')}; done < ${this.process()}`],
            [1.5, () => plainCommand(random, () => random.pick([this.process(), this.word(0)]))],
            [0.5, () => `${this.command(depth - 1)} < ${this.process()}`],
            [2, () => `( ${inner()} )`],
            [2, () => `{ ${inner()}; }`],
            [this.#odd, () => `f() { ${inner()}; }; f ${this.words(0)}`],
            [1, () => `${random.pick(['sh', 'bash'])} -c ${single(inner())}`],
            [1, () => `${this.command(depth - 1)} & wait`],
          ] as const)),
    ])();
    return random.chance(0.2) ? `${made} ${this.redirection(depth)}` : made;
  }

  name(): string {
    return this.#random.chance(this.#odd / 2 + 0.015)
      ? this.#random.pick(variables)
      : this.#random.pick(['x', 'y', 'f', 'd']);
  }

  /** Sometimes beside a text that the shell takes for a part of the word. */
  process(): string {
    const written = `<(${this.pipeline(0)})`;
    const random = this.#random;
    return random.chance(0.03) ? random.pick([`${written}#x`, `a${written}`, `${written}\\\nb`]) : written;
  }

  words(depth: number): string {
    return this.#random.several(0, 3, () => this.word(depth)).join(' ');
  }

  word(depth: number): string {
    const random = this.#random;
    return random.weighted<() => string>([
      [10, () => pathWord(random)],
      [3, () => glob(random)],
      [3, () => random.pick(['"$x"', '$x', '"$f"', '$d', '${y}', '"$d/a.txt"'])],
      [1 + this.#odd * 5, () => expansion(random)],
      [2, () => single(random.pick(values))],
      [1, () => random.pick(values)],
      [depth > 0 ? 2 : 0, () => `$(${this.pipeline(0)})`],
      [depth > 0 ? 2 : 0, () => `"$(${this.pipeline(0)})"`],
      [0.1 + this.#odd, () => `$(<${pathWord(random)})`],
      [0.3, () => `\`${plainCommand(random, () => pathWord(random))}\``],
      [depth > 0 ? 0.4 + this.#odd : this.#odd, () => this.process()],
      [this.#odd, () => `$((${random.pick(['1+1', 'x', 'a[$(touch pwned)]', 'x=2', 'RANDOM', '$x'])}))`],
    ])();
  }

  test(): string {
    const random = this.#random;
    const path = this.word(0);
    return random.pick([
      `[ -f ${path} ]`,
      `[ -d ${path} ]`,
      `test -e ${path}`,
      `[[ -f ${path} ]]`,
      `[[ $x == ${random.pick(['a*', '"$y"', 'x'])} ]]`,
      `[ "$x" = ${path} ]`,
      `[ ${path} -nt a.txt ]`,
      `[[ ${random.pick(values)} -eq 1 ]]`,
      `[[ -v ${single(random.pick(values))} ]]`,
      `[ -v ${single(random.pick(values))} ]`,
      '! grep -q foo a.txt',
    ]);
  }

  redirection(depth: number): string {
    const random = this.#random;
    const path = random.chance(0.92) ? random.pick(paths) : this.word(0);
    return random.weighted([
      [5, `>${path}`],
      [3, `>>${path}`],
      [4, `<${path}`],
      [3, '2>/dev/null'],
      [3, '2>&1'],
      [2, '>/dev/null 2>&1'],
      [1, `&>${path}`],
      [1, `>|${path}`],
      [1, `<>${path}`],
      [1, `2>${path}`],
      [1, `>&${path}`],
      [2, `<<<${path}`],
      [2, `<<EOF\n${this.words(depth)}\n$x\nEOF\n`],
      [1, `<<'EOF'\n${this.words(0)}\nEOF\n`],
      [1, `3<${path}`],
      [0.5, `{${this.name()}}<${path}`],
      [0.5, `<&${random.pick(['3', '$x', '-', '0-'])}`],
      [0.5, `>${random.pick(paths)}{a,b}`],
    ]);
  }

  builtin(): string {
    const random = this.#random;
    return random.pick([
      `export ${this.name()}=${this.word(0)}`,
      `export ${this.name()}`,
      `unset ${this.name()}`,
      `read -r ${this.name()} <${pathWord(random)}`,
      `read ${this.name()} <<<${this.word(0)}`,
      `set ${random.pick(['-e', '-u', '-x', '-f', '-euo pipefail', '-o noglob', '+e', '-a', '-P', '-- a b', '-C', '-n', '-v'])}`,
      `pushd ${pathWord(random)}`,
      'popd',
      `local ${this.name()}=${this.word(0)}`,
      `declare ${random.pick(['', '-x ', '-r ', '-i ', '-a ', '-n ', '-g ', '-l '])}${this.name()}=${this.word(0)}`,
      `test ${this.word(0)}`,
      'wait',
      'exit',
      'true',
      ':',
      `: ${this.word(1)}`,
      'shift',
      `set -- ${this.words(0)}`,
      'pwd',
      `type ${random.pick(['ls', 'x', 'cat'])}`,
      `command -v ${random.pick(['ls', 'x', 'cat'])}`,
      `command ${plainCommand(random, () => this.word(0))}`,
      `builtin echo ${this.word(0)}`,
      `eval ${single(plainCommand(random, () => this.word(0)))}`,
      `source ${pathWord(random)}`,
      `. ./${random.pick(['lib.sh', 'a.txt', 'cmd.txt'])}`,
      `alias ${random.pick(['ll', 'ls', 'cat', 'x'])}=${single(plainCommand(random, () => pathWord(random)))}`,
      'umask 077',
      `printf -v ${this.name()} ${this.word(0)}`,
    ]);
  }
}
