// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = {
  'a.txt': 'a\n',
  'b.txt': 'a\nb\n',
  '.env': 'a=1',
  list: 'a.txt\n',
  'x:y/c.md': 'a\n',
  'src/main.ts': 'a m\n',
  'src/lib/util.ts': 'a\n',
  binary: 'a\n\0\n',
};
const { root, says } = project(files);
const both = ['a.txt', 'b.txt'];
const sources = ['src/lib/util.ts', 'src/main.ts'];

/** Lines that print a column, and the files that `| xargs cat` reads behind them. */
const known: readonly (readonly [string, readonly string[]])[] = [
  ['grep -rn a src | cut -d: -f1 | sort -u | sed 1d', ['grep', 'src/main.ts', 'src/lib/util.ts']],
  ["grep -n a a.txt b.txt | head -3 | awk -F: '{print $1}'", [...both, 'grep']],
  ['grep -Hn a a.txt | cut -d: -f1', ['a.txt', 'grep']],
  ["grep -c a a.txt b.txt | grep -v ':0$' | cut -d: -f1", [...both, 'grep']],
  ['grep -rn a src | while IFS=: read -r f l; do echo "${f%% *}"; done', ['grep', ...sources]],
  ['grep -rn a src | while IFS=: read -r f l _; do echo "${f%% *}"; done', ['grep', ...sources]],
  ["find . -name '*.txt' -exec wc -l {} + | sort -rn | awk '{print $2}'", [...both, 'total']],
  ["wc -l *.txt | sort -rn | awk '{print $2}'", [...both, 'total']],
  ["wc a.txt b.txt | awk 'NR<3 {print $4}'", [...both, 'total']],
  ['wc -lc *.txt | awk \'$3 != "total" {print $NF}\'', [...both, 'total']],
  ['wc -l a.txt | while read -r n f; do echo "$f"; done', ['a.txt', 'total']],
  ["ls *.txt | uniq -c | sort -rn | awk '{print $2}'", both],
  ["ls *.txt | awk '{print $1}'", both],
  ["ls *.txt | awk 'NR%2==1 || NR % 2 == 0 {print $1}'", both],
  ['find . -name \'*.txt\' -exec grep -l a {} + | while read -r f; do echo "$f"; done', both],
  ['ls *.txt | awk -F. \'{print "./" $1 ".txt"}\'', both],
  ["find . -name '*.txt' -printf '%s %p\\n' | sort -rn | cut -d' ' -f2", both],
  ["find . -name '*.txt' -printf '%s %p\\n' | sort -rn | cut -d' ' -f2-", both],
  ["find . -name '*.txt' -printf '%T@\\t%s\\t%f\\n' | cut -f3", both],
  ["find . -name '*.txt' -printf '%s %p\\n' | while read -r n f; do (( n > 0 )) && echo \"$f\"; done", both],
  ['du -a src | sort -rn | cut -f2', ['src', 'src/lib', 'src/lib/util.ts', 'src/main.ts', 'total']],
  ['du -s *.txt | sort -rn | head -1 | cut -f2', [...both, 'total']],
  ['ls *.txt | shuf -n 1', both],
  ["printf '%s\\n' a.txt b.txt | tee copy | awk '{print $1}'", both],
  ['wc -l *.txt | awk \'$1 > 0 && $2 ~ /\\.txt$/ || $2 == "?? *" {print $2}\'', [...both, 'total']],
  ["stat -c '%s %n' *.txt | sort -n | cut -d' ' -f2", both],
  ["stat -c '%n %s' *.txt | awk '{print $1}'", both],
  ["stat -c '%Y %n' *.txt | sort -rn | head -5 | cut -d' ' -f2-", both],
  ["md5sum a.txt b.txt a.txt | sort | uniq -w32 -D | awk '{print $2}'", both],
  ['sha256sum *.txt | while read -r h f; do echo "$f"; done', both],
  ['file *.txt | cut -d: -f1', both],
  ["grep -c a a.txt b.txt | sed -n '1p;2p' | cut -d: -f1", [...both, 'grep']],
  ["grep -c a a.txt b.txt | grep -v ':0$' | awk -F: '{print $1}'", [...both, 'grep']],
  ["ls *.txt | xargs wc -l | sort -rn | sed 1d | awk '{print $2}'", [...both, 'total']],
  ["printf '%s\\n' '* a.txt' '  b.txt' | cut -c3-", both],
  ["printf '%s\\n' '* a.txt' '  b.txt' | sed 's/^[* ]*//'", both],
  ['printf "%s\\n" "a.txt b.txt"', both],
  ['x=$(grep -rl a src); echo "$x"', sources],
  ['x="$(grep -rl a src)"; for f in $x; do echo "$f"; done', sources],
  ['x=$(grep -rl a src); printf "%s\\n" "$x" | head -1', sources],
  ['x="$(ls *.txt)"; while read -r f; do echo "$f"; done <<< "$x"', both],
  ['x=$(wc -l *.txt | sort -rn); echo "$x" | awk \'{print $2}\'', [...both, 'total']],
  ['x=$(ls *.txt); y=$x; echo "$y" | sort -u', both],
  ['seq 3 | tail -1 | while read -r n; do ls *.txt | sed -n "${n}q;p"; done', both],
];

/** Lines behind which `| xargs cat` may read anything. */
const unknown = [
  'dir -1',
  'vdir -1',
  "stat -c $'%n x\\n.env' a.txt | cut -d' ' -f1",
  "stat -c '%s %m' a.txt | cut -d' ' -f1",
  'grep -n a a.txt | cut -d: -f2',
  'grep -rn a a.txt | cut -d: -f1',
  'grep -rh a src | cut -d: -f1',
  'grep -rnA1 a src | cut -d: -f1',
  'grep -rnZ a src | cut -d: -f1',
  'grep -rn a . | cut -d: -f1',
  'grep -rn a src | cut -d: -f2',
  'grep -rn a src | cut -d/ -f1',
  'grep -rn a src | cut -sd: -f1',
  "grep -rn a src | sed 's/s/x/' | cut -d: -f1",
  "grep -rn a src | awk '{print $1}'",
  "grep -rn a src | awk -F: -v OFS=x '{print $1}'",
  "grep -rn a src | awk -F: '{print $1, $2}'",
  'grep -rn a src | awk -F: \'$1=".env" {print $1}\'',
  'grep -rn a src | awk -F: \'{$1=".env"} {print $1}\'',
  'grep -rn a src | awk \'FS=":" {print $1}\'',
  "grep -rn a src | awk -F: '{print $1}' - list",
  'grep -rn a src | { IFS=: read -r -n1 x; cut -d: -f1; }',
  'grep -rn a src | while IFS=: read -r f; do echo "$f"; done',
  'grep -rn a src | while IFS=: read -r l f; do echo "$f"; done',
  'grep -rn a src | while read -r f l; do echo "$f"; done',
  "wc -L *.txt | awk '{print $2}'",
  "wc *.txt | awk '{print $0}'",
  "wc -l *.txt | cut -d' ' -f2",
  'wc -l *.txt list | while read -r f; do echo "$f"; done',
  "uniq -c list | awk '{print $2}'",
  'cut -d: -f1 list',
  "find . -name '*.txt' -exec wc -l {} + -print | awk '{print $2}'",
  "find . -name '*.txt' -exec wc -l {} + -exec cat {} + | awk '{print $2}'",
  "find . -name '*.txt' -execdir wc -l {} + | awk '{print $2}'",
  "find . -name '*.txt' -printf '%u %p\\n' | cut -d' ' -f2",
  "find . -name '*.txt' -printf '%s %p' | cut -d' ' -f2",
  "find . -name '*.txt' -printf '%s  %p\\n' | cut -d' ' -f3",
  "find . -name '*.txt' -printf '%s %p\\0' | cut -d' ' -f2",
  "stat -c '%y %n' *.txt | awk '{print $2}'",
  // Of a line without the separator, `cut` prints all.
  "stat -c %n *.txt | cut -d' ' -f2",
  "md5sum -b *.txt | awk '{print $2}'",
  "md5sum --tag *.txt | awk '{print $2}'",
  'file -b *.txt | cut -d: -f1',
  'du -a --time src | cut -f2',
  'du -a0 src | cut -f2',
  'ls *.txt | tee >(cat) | cut -d: -f1',
  'wc -l *.txt | awk \'$2 = "x" {print $2}\'',
  "wc -l *.txt | awk '$1 > 0 { getline; print $2 }'",
  "wc -l *.txt | awk '/a/,/b/ {print $2}'",
  'file -F, *.txt | cut -d: -f1',
  "grep -rn a src | sed 's/:.*/x/'",
  // Where the text is not valid UTF-8, the match ends before it.
  "grep -rn a src | sed 's/:.*//'",
  "grep -rn a src | awk -F, -F: '{print $1}'",
  "ls *.txt | awk -F, -F. '{print $1}'",
  "ls *.txt | awk -F '' '{print $1}'",
  'ls *.txt | awk \'{print ".env"} {next}\'',
  'ls *.txt | awk \'{ if (1) { print ".env" } }\'',
  'ls *.txt | awk \'{print $1} END {print ".env"}\'',
  "ls *.txt | awk '{}'",
  'grep -rn a src | cut -d: -d/ -f1',
  "find . -name '*.txt' -printf '%s\\t%p\\n' | cut -d '' -f2",
  "find . -name '*.txt' -printf '%s\\t%p\\n' | cut -d/ -d: -f2",
  "rm -r src; echo '.env:a' > src; grep -r a src | cut -d: -f1",
  "rm -r src; echo '.env:a' > src; rg a src | cut -d: -f1",
  "grep -rn a src | sed 's/a/:/' | cut -d: -f1",
  'printf "%s\\n" "a\\.txt"',
];

const oddNames = ['x', 'a.txt', 'x\ty', 'b\\ x c d', 'c:', 'n\nn', 'e\u00e9', '   '];

describe('a column of the lines that a program prints', () => {
  it.each(known)('is known for %s', async (line, paths) => {
    const read = (await says(`{ ${line}; } | xargs cat`)).filter((each) => each.endsWith('(cat)'));
    expect(read.map((each) => each.split(' ').slice(1, -1).sort())).toEqual([[...paths].sort()]);
  });

  it.each(known)('holds what bash prints for %s', (line, paths) => {
    const printed = execFileSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
    const names = printed.split(/\s/).filter((each) => each !== '');
    expect(names).not.toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(names.map((each) => each.replace(/^\.\//, ''))));
  });

  it.each(unknown)('is unknown for %s', async (line) => {
    const found = await says(`{ ${line}; } | xargs cat`);
    const isOpen = found.some((each) => /^(?:fs\.read\.outside and others|proc\.exec\.opaque)/.test(each));
    expect(isOpen).toBe(true);
  });

  it('is a number, which is missing where a line is about a binary file', async () => {
    const isOpaque = async (line: string) =>
      (await says(line)).some((each) => each.startsWith('proc.exec.opaque'));
    const read = (grep: string) =>
      isOpaque(`${grep} | while IFS=: read -r f l r; do sed -n "$((l - 1)),\${l}p" a.txt; done`);
    const cut = (grep: string) => isOpaque(`${grep} | cut -d: -f2 | while read -r l; do echo $((l)); done`);
    const lines = ['grep -rn a src', 'grep -rn --binary-files=binary a src', 'grep -rna a src | grep m'];
    for (const line of lines) expect([await read(line), await cut(line)]).toEqual([false, true]);
    expect([await read('grep -rnI a src'), await cut('grep -rnI a src')]).toEqual([false, false]);
    expect(await read('grep -rn a src 2>&1')).toBe(true);
    expect(await read('grep -n a .')).toBe(true);
  });

  it.each([
    "for s in $(grep -ohE 'm\\w*' src/*.ts | sort -u); do grep -rlw $s src; done",
    'grep -oE "^[A-Z_]+" list | while read -r k; do grep -rn "$k" src; done',
    "grep -ohE 'a|b c' *.txt | awk '{print $1}' | sort | uniq -c | sort -rn | while read -r n w; do grep -c \"$w\" a.txt; done",
    's=$(grep -aoE "let [a-z]+" a.txt | awk \'{print $NF}\' | head -1); grep -rn "$s" src; rg "${s}X" src',
    'grep -oP "a\\K\\w+" list | grep -v x | xargs -I{} grep -rn {} src',
    'cat list | grep -o "x[a-z]*" | xargs -n1 git grep -l',
    'e=$(awk -v s=1 \'NR>=s && /^}/{print NR; exit}\' a.txt); sed -n "1,${e}p" a.txt',
    'for f in src/*; do e=$(awk \'/^}/{print NR; exit}\' s=1 "$f"); sed -n "1,${e}p" "$f"; done',
    "grep -ohIE '[^[:space:]]+ [a-z]+ [^ ]+' list | while read -r a b c; do grep -r $b src; done",
  ])('is known to be a word and not an option: %s', async (line) => {
    expect((await says(line)).join()).not.toMatch(/proc\.exec\.opaque|code\.eval sed/);
  });

  it.each([
    'for s in $(grep -oh ".*" list); do grep -r "$s" src; done',
    'for s in $(grep -ohE "[a-z-]+" list); do grep -r "$s" src; done',
    'for s in $(grep -onE "[a-z]+" list -H); do grep -r "$s" src; done',
    'grep -oE "[a-z]+" list | sed s/a/-f/ | while read -r s; do grep -r "$s" src; done',
    'x=$(grep -oE "[a-z]+" list); grep -r "$x-f.env" src',
    'grep -oE "[a-z]+ .*" list | while read -r a b; do grep -r "$b" src; done',
    'grep -oE "[a-z]+" list | while read -n 2 s; do read -r t; grep -r "$t" src; done',
    'grep -oE "[a-z]+" list | { read -rn1 s; while read -r t; do grep -r "$t" src; done; }',
    'e=$(awk -v NR=-5 \'{print NR; exit}\' a.txt); grep -r "$e" src',
    'e=$(awk \'{NR=-5} {print NR; exit}\' a.txt); grep -r "$e" src',
    "awk '{print NR}' NR=-9 a.txt | while read -r e; do grep -r $e src; done",
    "awk '{print NR}' ORS=' -f.env ' a.txt | while read -r e; do grep -r $e src; done",
    'u=$(head -1 list); awk \'{print NR}\' "$u" a.txt | while read -r e; do grep -r $e src; done',
    'grep -ohIE "a[--z]+" list | while read -r a; do grep $a src/m.ts; done',
    "grep -ohIE '[^[:space:]]+ [a-z]+ [^ ]+' list | while read a b c; do grep -r $b src; done",
    "grep -ohIE '[^[:space:]]+ [a-z]+' list | sort | while IFS=' ' read a b; do grep -r $a src; done",
  ])('may be an option: %s', async (line) => {
    expect((await says(line)).join()).toMatch(/proc\.exec\.opaque/);
  });

  it.each([
    'x=$(ls *.txt); test -e a.txt && x=$(cat list); echo "$x"',
    'x=$(ls *.txt); x="$x$(cat list)"; echo "$x"',
    'x=($(ls *.txt)); x+=("$(cat list)"); echo "${x[*]}"',
    'x=$(ls *.txt); echo $x',
    'x=$(ls *.txt); echo -e "$x"',
  ])('is unknown once it may be another text: %s', async (line) => {
    expect(await says(`${line} | xargs cat`)).toContain('secret.read and others (cat)');
  });

  it('is empty where nothing was printed', async () => {
    const line = 'x=$(ls *.txt); echo "$x" | { read -r f; grep -r a $f; }';
    expect(await says(line)).toContain('secret.read .env (grep)');
    expect(await says(line.replace('$f', '"$f"'))).not.toContain('secret.read .env (grep)');
    const none = `x=$(ls | grep none); printf '%s\\n' $x | while read -r f; do cat ".env$f"; done`;
    expect(await says(none)).toContain('secret.read .env (cat)');
  });

  it('may have a pattern for its only name', async () => {
    const read = expect.stringMatching(/^secret.read.* .env/);
    expect(await says('find . -name a.txt -exec grep -r {} +')).toContainEqual(read);
    expect(await says('find . -name a.txt -exec grep -r a {} +')).not.toContainEqual(read);
  });

  it('is a missing number in a word of its own', async () => {
    const line = 'grep -rn a src | while IFS=: read -r f l r; do grep -r a $l; done';
    expect(await says(line)).toContainEqual(expect.stringContaining('.env'));
  });

  it.each([
    ["ls x* | awk '{print $1}'", 'x\r'],
    ['ls x?z | xargs cat', 'x\rz'],
    ["ls '   ' a* | awk '{print $NF}'", '   '],
    [
      "find . -name 'x*' -printf '%s %p\\n' | { while IFS=' ' read -r n f g; do cat \"$f\"; done; }",
      './x\ty',
    ],
    ["find . -name 'b*' -printf '%s %f\\n' | { while read n x f g; do cat \"$f\"; done; }", 'c'],
    ['stat -c \'%s:%n\' c* | { while IFS=: read -r n f; do cat "$f"; done; }', 'c'],
    ['wc -l n* | { while read -r n f; do cat "$f"; done; }', "'n'$'\\n''n'"],
    ['file eé | cut -d: -f1 | while read -r f; do cat "$f"; done', 'e\\303\\251'],
  ])('has no other text for %s', async (line, name) => {
    const odd = project(
      Object.fromEntries([...oddNames, name].map((each) => [each.replace('./', ''), each])),
    );
    const command = /\bcat\b/.test(line) ? line : `${line} | while IFS= read -r f; do cat "$f"; done`;
    expect(
      execFileSync('bash', ['-c', command], {
        cwd: odd.root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ).toContain(name);
    const found = await odd.says(command);
    expect(found.some((each) => each.includes('and others') || each.startsWith('proc.exec.opaque'))).toBe(
      true,
    );
  });

  it('is not a number behind a name that may have any text', async () => {
    const line = (named: string) =>
      `f=$(head -1 list); stat -c '%n %s' ${named} | while read -r n s _; do sed -n "\${s}p" a.txt; done`;
    const isOpaque = async (named: string) =>
      (await says(line(named))).some((each) => each.startsWith('proc.exec.opaque'));
    expect([await isOpaque('a.txt'), await isOpaque('"./$f"')]).toEqual([false, true]);
  });

  it('is of many numbers where each line has one', async () => {
    for (const line of ["wc -l *.txt | awk '{print $1}'", 'seq 1 1000'])
      expect(await says(`${line} | xargs mv`)).toContainEqual(expect.stringMatching(/^fs.write.outside and/));
  });

  it('is a number in each round, even if a program of git or sed runs between', async () => {
    const line = 'grep -n a a.txt | cut -d: -f1 | while read -r l; do sed -n "$l,$((l + 2))p" a.txt; done';
    expect(await says(line)).toEqual(['fs.read a.txt (grep)', 'fs.read a.txt (sed)']);
  });

  it('is also empty behind the last line', async () => {
    const line =
      "find . -name '*.txt' -printf '%s %p\\n' | { while read -r n f; do :; done; cat \".env$f\"; }";
    expect(await says(line)).toContainEqual(expect.stringMatching(/^secret\.read /));
  });
});
