// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = { 'a.txt': 'a', 'b.txt': 'b', '.env': 'SECRET=1', 'src/main.ts': '', 'src/util.ts': '' };

const anything = ['fs.read.outside and others (cat)', 'secret.read and others (cat)'];

/** A line, and its effects besides the programs that it starts. */
const rows: readonly (readonly [string, readonly string[]])[] = [
  ['f() { cat "$1"; }; f a.txt; f b.txt', ['fs.read a.txt (cat)', 'fs.read b.txt (cat)']],
  ['function f { wc -l "$@"; }; f a.txt b.txt', ['fs.read a.txt b.txt (wc)']],
  ['f() { for x; do cat "$x"; done; }; f a.txt .env', ['fs.read .env a.txt (cat)', 'secret.read .env (cat)']],
  ['f() { shift; cat "$1" "${2:-b.txt}"; }; f .env a.txt', ['fs.read a.txt b.txt (cat)']],
  ['f() { cat "${1%.ts}.txt"; }; f a.ts; echo "$#"', ['fs.read a.txt (cat)']],
  ['while read -r x y; do cat "$x"; done <<E\na.txt 1\nb.txt  2 3\nE', ['fs.read a.txt b.txt (cat)']],
  ['while read -r x y; do cat "$y"; done <<E\n1 \t a.txt\n2 b.txt c\nE', ['fs.read a.txt b.txt c (cat)']],
  [
    'while IFS=, read -r x y; do cat "$x" "$y"; done <<E\n.env,a.txt,\nE',
    ['fs.read .env (cat)', 'secret.read .env (cat)', 'fs.read a.txt a.txt, (cat)'],
  ],
  ['while IFS=/ read -r x y z; do cat "$y/$z"; done <<< lib/src/main.ts', ['fs.read src/main.ts (cat)']],
  ['IFS=. read -r x y <<< "a.txt"; cat "$x.$y"', ['fs.read a.txt (cat)']],
  // At the end of the input, nothing is read.
  ['x=a; while read -r x; do :; done <<< a; cat ".e$x"', ['fs.read .e .ea (cat)']],
  ['i=1; x=a; for i in 1 1; do read -r x; done <<< a; cat ".e$x"', ['fs.read .e .ea (cat)']],
  ['for x in git rg; do command -v "$x"; done', []],
  [
    'declare -A m; k=.env; m["$k"]=$((${m["$k"]:-0} + 1)); cat "${!m[@]}"',
    ['fs.read .env (cat)', 'secret.read .env (cat)'],
  ],
  ['f() { cat "${@: -1}"; }; f .env a.txt', ['fs.read a.txt (cat)']],
  ['f() { cat "${@: -3}" < b.txt; }; f a.txt', ['fs.read b.txt (shell)']],
  ['x=(.env a.txt); cat "${x[@]: -1:1}"', ['fs.read a.txt (cat)']],
  ['cat "${x/#/lib/}a.txt"', ['fs.read.outside and others (cat)', 'secret.read and others (cat)']],
  [
    'a=(b c); n=$#; cat "./${a[n]/%/a}"',
    ['fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  ['x=lib/main.ts; cat "${x/#lib/src}" "${x/#main/a}"', ['fs.read lib/main.ts src/main.ts (cat)']],
  ['x=a; cat "${x/%/.txt}" "${x/%a/b.txt}"', ['fs.read a.txt b.txt (cat)']],
  [
    'd=src; for f in "$d"/*.ts; do cat "lib/${f#"$d"/}" "src/${f##$d/}"; done',
    ['fs.read lib/main.ts lib/util.ts (cat)', 'fs.read src/main.ts src/util.ts (cat)'],
  ],
  ['a=main b=util; x=src/main.ts; cat "${x/$a/$b}" "${x/"$a"/"${b}"}"', ['fs.read src/util.ts (cat)']],
  ['x=a.txt; echo "${x//:/$\'\\n\'}${x//$\'\\n\'/, }${x/$y/b}"; cat "$x"', ['fs.read a.txt (cat)']],
  ['p=m*; x=main.ts; cat "${x#$p}"', ['fs.read.outside and others (cat)', 'secret.read and others (cat)']],
  ['x=a.txt; echo "${x#$API_KEY}"; cat "$x"', ['env.read API_KEY', 'fs.read a.txt (cat)']],
  ['x=a.txt; echo "${y:-\'b c\'}" ${z:+"b c"}; cat "${x:-\'b.txt\'}"', ['fs.read a.txt (cat)']],
  ["cat ${x:-'a.txt'}", anything],
  ['SECONDS=0; cat a.txt; echo $((SECONDS + 1))', ['fs.read a.txt (cat)']],
  ['f() { cat "$1"; }; f src/*.ts', ['fs.read src/main.ts src/util.ts (cat)']],
  ['f() { cat "$2"; }; f src/*.ts', ['fs.read src/main.ts src/util.ts (cat)']],
  // It changes this shell, except what is `local`.
  ['x=a.txt; f() { x=b.txt; cd src; }; f; cat "../$x" main.ts', ['fs.read b.txt src/main.ts (cat)']],
  [
    'x=a.txt; f() { local x=b.txt y; cat "$x"; }; f; cat "$x"',
    ['fs.read b.txt (cat)', 'fs.read a.txt (cat)'],
  ],
  [
    'f() { local x=a.txt; g; cat "$x"; }; g() { x=b.txt; }; f; cat "${x:-.env}"',
    ['fs.read b.txt (cat)', 'fs.read .env (cat)', 'secret.read .env (cat)'],
  ],
  [
    'x=a.txt; f() { if cat b.txt; then local x=z; fi; x=.env; }; f; cat "$x"',
    ['fs.read b.txt (cat)', ...anything],
  ],
  // It never changes again.
  ['readonly x=a.txt Y=b.txt; cat "$x" "$Y"', ['fs.read a.txt b.txt (cat)']],
  [
    'f() { local -r x=a.txt; cat "$x"; }; f; f; declare -r x=b.txt; cat "$x"',
    ['fs.read a.txt (cat)', 'fs.read b.txt (cat)'],
  ],
  ['f() { readonly x=a.txt; }; f; cat "$x"', ['fs.read a.txt (cat)']],
  // It is left early, or not.
  [
    'f() { [ -f a.txt ] || return 1; cat a.txt; }; f && cat b.txt',
    ['fs.list a.txt (shell)', 'fs.read a.txt (cat)', 'fs.read b.txt (cat)'],
  ],
  [
    'f() { x=a.txt; if cat b.txt; then return; fi; x=.env; }; f; cat "$x"',
    ['fs.read b.txt (cat)', 'fs.read .env a.txt (cat)', 'secret.read .env (cat)'],
  ],
  [
    'rm "$(f() { echo a.txt; cat b.txt && return; echo b.txt; }; f)"',
    ['fs.read b.txt (cat)', 'fs.delete.outside and others (rm)'],
  ],
  ['rm "$(echo a.txt; exit; echo b.txt)"', ['fs.delete.outside and others (rm)']],
  [
    'rm "$(set -e; echo a.txt; cat b.txt; echo b.txt)"',
    ['fs.read b.txt (cat)', 'fs.delete.outside and others (rm)'],
  ],
  // It stands before a program and a builtin of its name, but not where a program starts it.
  ['cat() { rm "$1"; }; cat a.txt; command cat b.txt', ['fs.delete a.txt (rm)', 'fs.read b.txt (cat)']],
  ['ls() { rm a.txt; }; echo a.txt | xargs ls', ['fs.list a.txt (ls)']],
  ['f() { g() { cat a.txt; }; }; f; g', ['fs.read a.txt (cat)']],
  ['(f() { rm a.txt; }); f', ['proc.exec.opaque f']],
  // The words after a text for the shell.
  ['sh -c \'cat "$1"\' _ a.txt', ['code.eval sh (sh)', 'fs.read a.txt (cat)']],
  [
    'find src -name \'m*\' -exec sh -c \'wc "$0" "$1"\' a.txt {} \\;',
    ['fs.list src (find)', 'code.eval sh (sh)', 'fs.read a.txt (wc)', 'fs.read src/main.ts (wc)'],
  ],
  [
    "find src -name '*.ts' -exec sh -c 'for f; do cat \"$f\"; done' _ {} +",
    ['fs.list src (find)', 'code.eval sh (sh)', 'fs.read src/main.ts src/util.ts (cat)'],
  ],
  [
    'ls .env | xargs -n1 sh -c \'cat "$0"\'',
    ['fs.list .env (ls)', 'code.eval sh (sh)', 'fs.read .env (cat)', 'secret.read .env (cat)'],
  ],
  // Numbers, letters and elements.
  ['for ((i=0; i<3; i++)); do cat a.txt; done; echo $((16#ff)) $((i + 1))', ['fs.read a.txt (cat)']],
  ['n=0; ((n++)); ((n += ${#x[@]})); echo $(( $(wc -l <a.txt) - n ))', ['fs.read a.txt (shell)']],
  ['t=$(date +%s); echo $(($(date +%s) - t))', []],
  ['x=A.TXT; y=src; cat "${x,,}"; ls "${y^^}" "${y^}"', ['fs.read a.txt (cat)', 'fs.list SRC Src (ls)']],
  [
    'x=(a.txt b.txt .env); cat "${x[1]}"; wc "${x[@]:0:2}"',
    ['fs.read b.txt (cat)', 'fs.read a.txt b.txt (wc)'],
  ],
];

describe('shell.run › functions, parameters and arithmetic', () => {
  const { says } = project(files);
  it.each(rows)('%s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });
});

/** Each would remove a file if a function, a number or a parameter were taken for another one. */
const outside: readonly string[] = [
  'if cat a.txt; then f() { :; }; fi; f',
  'f() { :; }; if cat a.txt; then f() { rm a.txt; }; fi; f',
  'f() { f; }; f',
  'f() { cat b.txt && f; }; f',
  'cd() { :; }; cd src',
  'command_not_found_handle() { cat .env; }; tree',
  'rm() { :; }; unset rm; rm a.txt',
  'x=.env; f() { local x=a.txt; g; cat "$x"; }; g() { unset x; }; f',
  'x=.env; f() { local x; readarray -t x < b.txt; }; f; cat "${x[@]}"',
  'f() { local -n r=x; r=.env; }; f',
  'f() { local PATH=.; ls; }; f',
  'f() { local x=$(cat a.txt) IFS=:; }; f',
  'f() { local x={a.txt,.env}; cat "$x"; }; f',
  'f() { local x={1..3}; cat "$x"; }; f',
  'f() { for x in 1 2; do cat $1; shift; [ -f "$1" ] && shift; done; }; f a.txt .env; f() { break; }; for x in a; do f; done',
  'readonly x=.env; x=a.txt; cat "$x"',
  'readonly x=.env; cat "${x:=a.txt}"; ((x = 1))',
  'if cat a.txt; then readonly x=.env; fi; x=a.txt; cat "$x"',
  'if cat a.txt; then readonly x=.env; else x=.env; fi; x=a.txt; cat "$x"',
  'readonly x=.env; for x in a.txt; do cat "$x"; done',
  'readonly x=.env; read -r x <<< a.txt; cat "$x"',
  'readonly x=.env; unset x; cat "${x:-a.txt}"',
  'readonly x=.env; printf -v x a.txt; cat "$x"',
  'readonly x=.env; x=(a.txt); cat "${x[@]}"',
  'readonly x=.env; f() { local x=a.txt; cat "$x"; }; f',
  'readonly x=.env; declare x=a.txt; cat "$x"',
  'readonly x=.env; (x=a.txt; cat "$x")',
  'readonly x; x=a.txt; cat "$x"',
  'readonly -a x=(.env); x=(a.txt); cat "${x[@]}"',
  'readonly PATH=.; ls',
  'return',
  'shift',
  '(return)',
  'local x=1',
  'f() { :; }; x=1 f',
  'f() { cat "$1"; }; f <(cat a.txt)',
  'echo $((0 && (x=1)))',
  'x="a[$(id)]"; ((x++))',
  'x="a[$(id)]"; ((y=x))',
  '((x[0]++))',
  '((RANDOM=1))',
  '((PATH=1))',
  'echo $((-$(cat a.txt)))',
  'echo $(($(cat a.txt)))',
  'for ((i=0; i<x[0]; i++)); do :; done',
  'echo ${x^^[a]}',
  'x=(a); cat "${x[$(id)]}"',
  'x=(a); cat "${x[@]:$(id)}"',
];

describe('shell.run › a function or number that is not described', () => {
  const { describe: described } = project(files);
  it.each(outside)('makes the rest of the line opaque: %s', async (line) => {
    const names = (await described(`${line}\nrm b.txt`)).map(({ name }) => name);
    expect(names).toContain('proc.exec.opaque');
    expect(names).not.toContain('fs.delete');
  });

  it.each([
    '((make))',
    'f() { :; }',
    'for ((i=0; i<2; i++)); do :; done',
    'x=a; ls "${x^^}"',
    'echo $((i++))',
  ])('is opaque in a text for another shell: %s', async (line) => {
    const names = (await described(`sh -c '${line}\nrm a.txt'`)).map(({ name }) => name);
    expect(names).toContain('proc.exec.opaque');
    expect(names).not.toContain('fs.delete');
  });
});

describe('the fields of a line', () => {
  const { says } = project(files);
  const lines = [
    'a b c',
    'a  b',
    'a,b,c,d',
    'a,,c',
    ',a',
    'a,',
    'a,b,c,',
    'a , b',
    'a\tb c',
    'a',
    'a:b/c',
    'a-b_c.d',
    'x=y=z,',
  ];

  it.each([
    '',
    'IFS=, ',
    "IFS=' ' ",
    "IFS=$'\\t' ",
    'IFS=: ',
    'IFS=/ ',
    'IFS=. ',
    'IFS== ',
    "IFS='|' ",
    'IFS=- ',
  ])('hold what bash reads with `%s`', async (separator) => {
    for (const line of lines) {
      const read = (more: string) => `${separator}read -r x y z <<E\n${line}\nE\n${more}`;
      const names = ['x', 'y', 'z'];
      const printed = execFileSync('bash', ['-c', read('printf "%s\\n" "$x" "$y" "$z"')], {
        encoding: 'utf8',
      });
      const said = await says(read(names.map((name) => `cat "${name}$${name}"`).join('\n')));
      const missing = names.filter((name, at) => {
        const file = name + printed.split('\n')[at];
        return !said.some((each) => each.includes(` ${file} `));
      });
      expect([line, said, missing]).toEqual([line, said, []]);
    }
  });
});
