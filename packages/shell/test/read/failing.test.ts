// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = { 'a.txt': 'a', '.env': 'SECRET=1', 'src/a.txt': 'inner' };
const { root, says } = project(files);

/** Lines after which `$x` is still `.env`: an expansion fails, and bash continues with the line behind. */
const failing = [
  'x=.env\n: $((1 / 0)); x=a.txt',
  'x=.env\n{ : $((1 / 0)); x=a.txt; }',
  'x=.env\nf() { : $((1 / 0)); x=a.txt; }\nf',
  'f() { local x=b; : $((1 / 0)); }; x=.env; f; x=a.txt',
  'x=.env\n[ $((1 / 0)) -gt 1 ] || x=a.txt; x=a.txt',
  'x=.env\ncase $((1 / 0)) in *) x=a.txt ;; esac; x=a.txt',
  'x=.env\nfor i in 1; do : $((1 % 0)); done; x=a.txt',
  'x=.env\nn=0\n: $((1 / n)); x=a.txt',
  'x=.env\nn=\n: $((3 * $n)); x=a.txt',
  'x=.env\n: $((2 ** -1)); x=a.txt',
  'x=.env\n: $((08)); x=a.txt',
  'x=.env\nn=08\n: $((n)); x=a.txt',
  "x=.env\nn='-'\n: $((n)); x=a.txt",
  'x=.env\n: $((2#9)); x=a.txt',
  'x=.env\ny=abc; : ${y:1:-5}; x=a.txt',
  'x=.env\ny=abc; : ${y:08}; x=a.txt',
  'x=.env\nz[-1]=2; x=a.txt',
  'x=.env\na=(1 2)\na[-9]=1; x=a.txt',
  'declare -A m; k=; x=.env\nm[$k]=1; x=a.txt',
  'shopt -s failglob\nx=.env\necho *.none; x=a.txt',
  'x=a.txt\ntrap \'x=.env\n: $((1 / 0)); x=a.txt\ncat "$x"\' EXIT\nx=/dev/null',
  'x=.env\n{ : $((1 / 0)); exit; }; x=a.txt',
];

describe('an expansion that fails', () => {
  it.each(failing)('leaves the rest of its line to chance: %j', async (line) => {
    const reads = `${line}\ncat "$x"`;
    expect(execFileSync('bash', ['-c', reads], { cwd: root, encoding: 'utf8', stdio: 'pipe' })).toBe(
      files['.env'],
    );
    const said = await says(reads);
    const isSaid = said.some((each) =>
      /^secret\.read .*\.env|^secret\.read and others|^proc\.exec\.opaque/.test(each),
    );
    expect([isSaid, said]).toEqual([true, said]);
  });

  it('may leave another working folder', async () => {
    const line = 'cd src && : $((1 / 0)) && cd ..\ncat a.txt';
    expect(execFileSync('bash', ['-c', line], { cwd: root, encoding: 'utf8', stdio: 'pipe' })).toBe('inner');
    expect(await says(line)).toContain('fs.read src/a.txt (cat)');
  });

  it('is not expected where it cannot be', async () => {
    for (const line of [
      'x=.env\nn=$(wc -l < a.txt); m=$((n * 2 + 1)); x=a.txt',
      'x=.env\nn=; : $(($n + 3)); x=a.txt',
      'x=.env\n: $((7 / 2 + 010 + 0x1f + 10#08)); x=a.txt',
      'x=.env\ny=abc; : ${y:1:1}; x=a.txt',
      'x=.env\na=(1 2)\na[1]=3; x=a.txt',
      'declare -A m; k=b; x=.env\nm[$k]=1; x=a.txt',
      // A subshell ends alone.
      'x=.env\n( : $((1 / 0)) ); x=a.txt',
      'x=.env\n: $((1 / 0)) | cat; x=a.txt',
    ])
      expect([line, await says(`${line}\ncat "$x"`)]).toEqual([
        line,
        expect.arrayContaining(['fs.read a.txt (cat)']),
      ]);
  });

  it.each(['y=abcdefghij; cat "${y:010}"', 'a=(b c d e f g h i j k); cat "${a[010]}"'])(
    'reads no number of base eight as another one: %s',
    async (line) => {
      expect(await says(line)).toContain('proc.exec.opaque');
    },
  );
});
