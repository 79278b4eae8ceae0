// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = { 'a.txt': 'a', 'b.txt': 'b', '.env': 'SECRET=1', 'src/main.ts': '', 'src/util.ts': '' };

/** A line, and its effects besides the programs that it starts. */
const rows: readonly (readonly [string, readonly string[]])[] = [
  ['f() { rm $*; }; f a.txt b.txt', ['fs.delete a.txt b.txt (rm)']],
  ['f() { rm "$*"; }; f a.txt', ['fs.delete a.txt (rm)']],
  ['f() { rm "$*"; }; f a.txt b', ['fs.delete a.txt b (rm)']],
  ['f() { rm $@ "x$@"; }; f a.txt b.txt', ['fs.delete a.txt b.txt xa.txt (rm)']],
  ['f() { rm "${@:2}"; }; f a.txt b.txt', ['fs.delete b.txt (rm)']],
  ['f() { y="$*"; cat $y; }; f a.txt b.txt', ['fs.read a.txt b.txt (cat)']],
  ['set -- a.txt b.txt; shift; cat "$1" "$@"', ['fs.read b.txt (cat)']],
  ['set -eu -- a.txt; cat "$@"; echo $#', ['fs.read a.txt (cat)']],
  [
    'set -- a.txt; f() { set -- b.txt; cat "$1"; }; f; cat "$1"',
    ['fs.read b.txt (cat)', 'fs.read a.txt (cat)'],
  ],
  ['sh -c \'set -- "$@" b.txt; cat "$@"\' x a.txt', ['code.eval sh (sh)', 'fs.read a.txt b.txt (cat)']],
  [
    'find src -type f | xargs bash -c \'rm "$@"\'',
    ['fs.list src (find)', 'code.eval bash (bash)', 'fs.delete src/main.ts src/util.ts (rm)'],
  ],
  ['sh -c \'rm "$@"\' *.txt', ['code.eval sh (sh)', 'fs.delete a.txt b.txt (rm)']],
  ['cat a.txt "$@" $*', ['fs.read a.txt (cat)']],
  ['x=(a.txt b.txt); cat ${x[@]} ${x[*]}', ['fs.read a.txt b.txt (cat)']],
  ['x=(a.txt b.txt); rm "${x[*]}"', ['fs.delete a.txt b.txt (rm)']],
  ['x=(a.txt b.txt); rm "src/${x[@]}"', ['fs.delete b.txt src/a.txt (rm)']],
  ['x=(src/a.txt b.txt); cat "${x[@]##*/}"', ['fs.read a.txt b.txt (cat)']],
  [
    'x=(a.md b.txt); cat ${x[@]%.md} "${x[@]/.md/.txt}" "${x[*]^}"',
    ['fs.read A.md B.txt a a.txt b.txt (cat)'],
  ],
  ['f() { cat "${@/#/src/}"; }; f a.txt b.txt', ['fs.read src/a.txt src/b.txt (cat)']],
  ['x=(*.txt); cat ${x[@]%.txt}', ['fs.read a b (cat)']],
  [
    'x=(); for f in src/*; do x+=("$f"); done; cat ${x[@]%.ts}',
    ['fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  ['x=(a.txt b.txt); cat "${x[-1]}"', ['fs.read b.txt (cat)']],
  ['x=(a.txt b.txt); i=1; cat "${x[$i]}" "${x[i]%.txt}.md"', ['fs.read b.md b.txt (cat)']],
  ['x=(a.txt b.txt); for i in "${!x[@]}"; do cat "${x[$i]}"; done', ['fs.read a.txt b.txt (cat)']],
  ['x=(a.txt); x[1]=b.txt; x[${#x[@]}]=c; cat "${x[@]}"', ['fs.read a.txt b.txt c (cat)']],
  ['x=(a.txt); x[0]=b.txt; cat "${x[0]}"', ['fs.read b.txt (cat)']],
  ['x=(); for f in *.txt; do x+=("$f"); done; cat "${x[@]}"', ['fs.read a.txt b.txt (cat)']],
  [
    'x=(a.txt); for f in 1 2; do cat "${x[@]}"; x=(.env); done',
    ['fs.read a.txt (cat)', 'fs.read .env a.txt (cat)', 'secret.read .env (cat)'],
  ],
  [
    'x=(a.txt); if cat b.txt; then x=(.env); fi; cat "${x[@]}"',
    ['fs.read b.txt (cat)', 'fs.read .env a.txt (cat)', 'secret.read .env (cat)'],
  ],
  ['x=(\n  a.txt\n  b.txt\n)\ncat "${x[@]}"', ['fs.read a.txt b.txt (cat)']],
  ['false | true; echo "${PIPESTATUS[0]}" "${PIPESTATUS[@]}"', []],
  ['declare -a x=(a.txt); declare y=b.txt z; cat "${x[@]}" "$y"', ['fs.read a.txt b.txt (cat)']],
  ['y=a.txt; f() { declare y=.env; :; }; f; cat "$y"', ['fs.read a.txt (cat)']],
  ['declare -A m=([a]=a.txt); m[b]=b.txt; cat "${m[a]}"', ['fs.read a.txt b.txt (cat)']],
  ['declare -A m; for f in *.txt; do m["$f"]=1; done; cat "${!m[@]}"', ['fs.read a.txt b.txt (cat)']],
  ['declare -A m; k=a; m[$k]=a.txt; for k in "${!m[@]}"; do cat "${m[$k]}"; done', ['fs.read a.txt (cat)']],
  [
    'declare -A m; m[$(cat a.txt)]=1; echo "${m[$(cat b.txt)]} ${#m[@]}"',
    ['fs.read a.txt (cat)', 'fs.read b.txt (cat)'],
  ],
  [
    'declare -A m; for f in *.txt; do ((m[${f##*.}]++)); m[$f]=$((${m[$f]:-0} + 1)); done; cat "${!m[@]}"',
    ['fs.read a.txt b.txt txt (cat)'],
  ],
  ['f() { (($1 > $2)) && cat "$3"; }; f 3 "$((2 + 1))" a.txt', ['fs.read a.txt (cat)']],
  ['[[ ab =~ (b) ]] && rm "${BASH_REMATCH[1]}"', ['fs.delete.outside and others (rm)']],
  [
    'for i in $(seq 1 2) $(seq 3 -1 3); do cat "$i.txt" $((i * i)); done',
    ['fs.read 1.txt 2.txt 3.txt (cat)', 'fs.read 1 (cat)'],
  ],
  ['read -ra x <<< "a.txt b.txt"; rm "${x[0]}"', ['fs.delete.outside and others (rm)']],
  ['for i in $(seq -w 9 10) $(seq -w 1 100 3); do cat "$i.txt"; done', ['fs.read 09.txt 1.txt 10.txt (cat)']],
  ['printf -v x %02d 3; cat "$x.txt" $(printf "a%d-%s\\n" 1 b 2)', ['fs.read 03.txt a1-b a2- (cat)']],
  ['for i in 1 2; do cat "$(printf %03d "$i").txt"; done', ['fs.read 001.txt 002.txt (cat)']],
  [
    'for i in 1 2; do printf %d.e $i; done | xargs rm; rm "$(printf %d 010)"',
    ['fs.delete.outside and others (rm)'],
  ],
  ['for i in a b; do cat ./$(echo $i)*.txt; done', ['fs.read a.txt b.txt (cat)']],
  ['for i in a b; do x=$(echo $i | cut -d. -f1); cat ./$x.t*; done', ['fs.read .t* a.txt b.txt (cat)']],
  [
    'for i in a b; do cat $(echo $i)/no/*; done',
    ['fs.read a/no/* b/no/* (cat)', 'fs.read.outside /no/* (cat)'],
  ],
  ['printf -v x b.txt; cat "$x"', ['fs.read b.txt (cat)']],
  ['printf -v x %5s b.txt; rm "$x"', ['fs.delete.outside and others (rm)']],
  ["printf -v x '%*s%-.*s' 3 a 1 b; printf '%(%F %T)T' -1; cat a.txt", ['fs.read a.txt (cat)']],
  [': "${x:=a.txt}"; cat "$x"; cat "${y=b.txt}"', ['fs.read a.txt (cat)', 'fs.read b.txt (cat)']],
  ['cat <<< "${x:=a.txt}"; cat "$x"', ['fs.read.outside and others (cat)', 'secret.read and others (cat)']],
  ['x=.env; : "${x:=a.txt}"; cat "$x"', ['fs.read .env (cat)', 'secret.read .env (cat)']],
  ['y=a.txt; x=y; cat "${!x}"', ['fs.read a.txt (cat)']],
  ['x=GITHUB_TOKEN; echo "${!x}"', ['env.read GITHUB_TOKEN']],
  ['x=a.txt; cat "${x: -5}" "b${x: -4:4}"; echo "${x@Q}"', ['fs.read a.txt b.txt (cat)']],
  ["alias ls='rm a.txt'; ls b.txt", ['fs.list b.txt (ls)']],
];

describe('shell.run › arrays and parameters', () => {
  const { says } = project(files);
  it.each(rows)('%s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });
});

const outside: readonly string[] = [
  'x=a; declare -a x; cat "${x[0]}"',
  'declare -i x=1',
  'declare -n x=y',
  'declare -x x=1',
  'declare PATH=.',
  'declare -A m; declare -a m',
  "declare -A m; k='$(id)'; ((m[$k]++))",
  'declare -A m; while read -r k; do ((m[$k]++)); done < a.txt',
  "declare -A m; m[a]='x[$(id)]'; ((m[a]++))",
  "declare -A m; m[a]='x[$(id)]'; echo $((${m[a]}))",
  'x=(a); ((x[0]++))',
  'declare -A m; ((1 && (m[a]=1)))',
  'f() { echo $(($1)); }; f "a[$(id)]"',
  'declare -A m; m=([$(id)]=a)',
  'declare -a x=(a) y',
  'declare x+=a',
  'declare x=1 > a.txt',
  'f() { local -n x=y; }; f',
  'f() { local -a x=(.env); }; f; cat "${x[@]}"',
  'x=(a); f() { local x=b; }; f',
  "sh -c 'declare x=1'",
  'x=(a); i="a[$(id)]"; cat "${x[$i]}"',
  'x=(a); i="a[$(id)]"; x[i]=b',
  'x=(a); cat "${x[i+1]}"',
  'x=(a); x[@]=b',
  'x=(a); x[0]+=b',
  'x=a; x[1]=b; cat "${x[0]}"',
  'FILES[1]=a; cat "${FILES[@]}"',
  'x=(a); cat "${x[@]@Q}"',
  'x=(a); cat "${x[@]@P}"',
  'x=(a); echo "${x[0]:=b}"',
  'readarray -t x < a.txt; cat "src/${x[@]}"',
  'x=(*.txt); cat "src/${x[@]}"',
  'x=(*.txt); cat ${x[@]:1}',
  'set -- *.txt; shift; cat $@',
  'read -a x y',
  'read -aru 3 x',
  "sh -c 'read -a x'",
  "sh -c 'alias ls=rm'",
  'printf -v PATH x',
  "printf '%(%F)T%n' -1 x",
  "printf '%*n' 3 x",
  'printf -v "x[0]" a',
  ': "${PATH:=a}"',
  'x="a[$(id)]"; echo "${!x}"',
  'x=(a); x=("${x[@]}" [3]=b)',
  'set a b',
  'CI=$((x=1)) ls',
  'f() { cat "${@@Q}"; }; f a',
  'x=$1; echo "${@@P}"',
];

describe('shell.run › a use of an array that is not described', () => {
  const { describe: described } = project(files);
  it.each(outside)('makes the rest of the line opaque: %s', async (line) => {
    const names = (await described(`${line}\nrm b.txt`)).map(({ name }) => name);
    expect(names).toContain('proc.exec.opaque');
    if (!line.startsWith('sh ')) expect(names).not.toContain('fs.delete');
  });
});
