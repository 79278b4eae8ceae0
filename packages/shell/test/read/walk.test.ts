// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = {
  'a.txt': 'a',
  'b.txt': 'b',
  '.env': 'SECRET=1',
  'src/main.ts': '',
  'src/lib/util.ts': '',
  'src/lib/my file.ts': '',
  'link.txt': '-> /etc/hostname',
  'out/': '',
};

const everyText = [
  'fs.read .env a.txt b.txt link.txt (wc)',
  'fs.read.outside /etc/hostname (wc)',
  'secret.read .env (wc)',
];

/** A line, and its effects besides the programs that it starts. */
const rows: readonly (readonly [string, readonly string[]])[] = [
  ['cat a.txt', ['fs.read a.txt (cat)']],
  ["'c''at' a.txt", ['fs.read a.txt (cat)']],
  ['cat < a.txt', ['fs.read a.txt (shell)']],
  ['echo x > out/x', ['fs.write out/x (shell)']],
  ['echo a >> a.txt 2>&1', ['fs.write a.txt (shell)']],
  ['ls 2>/dev/null >/dev/null', ['fs.list . (ls)']],
  ['cat *.txt', ['fs.read a.txt b.txt link.txt (cat)', 'fs.read.outside /etc/hostname (cat)']],
  ['cat {a,b}.txt', ['fs.read a.txt b.txt (cat)']],
  // Patterns are matched after all substitutions have run, including later ones.
  ['cat ./[ab]*.md "$(touch b.md)"', ['fs.read [ab]*.md b.md (cat)', 'fs.write b.md (touch)']],
  [
    'for f in src/*.txt "$(touch src/n.txt)"; do cat "$f"; done',
    ['fs.write src/n.txt (touch)', 'fs.read src/*.txt src/n.txt (cat)'],
  ],
  // A file that is written through a folder of the process may be any.
  [
    'echo x > /proc/self/cwd/z.txt; cat ./z*',
    [
      'fs.write.outside /proc/self/cwd/z.txt (shell)',
      'fs.write.outside and others (shell)',
      'fs.read z* (cat)',
      'fs.read.outside and others (cat)',
      'secret.read and others (cat)',
    ],
  ],
  ['cat .e*', ['fs.read .env (cat)', 'secret.read .env (cat)']],
  ['cat ~/x', ['fs.read.outside ~/x (cat)']],
  ['cat host:~/x', ['fs.read host:~/x (cat)']],
  ['f=host:; f+=:~/x; cat "$f"', ['proc.exec.opaque']],
  ['cat "$HOME/x"', ['fs.read.outside ~/x (cat)']],
  ['cd src && cat main.ts', ['fs.read src/main.ts (cat)']],
  ['cd src; cat main.ts', ['fs.read src/main.ts (cat)']],
  ['cd missing; cat a.txt', ['fs.read missing/a.txt (cat)', 'fs.read a.txt (cat)']],
  ['cd missing && cat a.txt', ['fs.read missing/a.txt (cat)']],
  ['for d in a.txt src; do cat "$d/b/c"; done', ['fs.read a.txt/b/c src/b/c (cat)']],
  ['mkdir -p new && cd new && echo x > y', ['fs.write new (mkdir)', 'fs.write new/y (shell)']],
  ['(cd src); cat a.txt', ['fs.read a.txt (cat)']],
  ['echo "$DATABASE_URL" ${SENTRY_DSN#x} $BASE_URL', ['env.read DATABASE_URL', 'env.read SENTRY_DSN']],
  ['echo "$GITHUB_TOKEN" "${API_KEY:-x}" $HOME $PATH $OLDPWD', ['env.read API_KEY', 'env.read GITHUB_TOKEN']],
  ['a=(a.txt b.txt); cat "${a[@]}"; echo "${#a[@]}"', ['fs.read a.txt b.txt (cat)']],
  ['a=(*.txt); a+=(.env); for f in "${a[@]}"; do wc "$f"; done', everyText],
  ['a=(a.txt); (a=(b.txt); cat "${a[@]}"); wc "${a[@]}"', ['fs.read b.txt (cat)', 'fs.read a.txt (wc)']],
  ['a=(rm -f a.txt); "${a[@]}"', ['fs.delete a.txt (rm)']],
  ['a=("a b" c); touch "${a[@]}"', ['fs.write a b c (touch)']],
  [
    'readarray -t a < <(ls src/lib); cat "${a[@]}"',
    ['fs.list src/lib (ls)', 'fs.read my file.ts util.ts (cat)'],
  ],
  ['token=x; echo $token "${#API_KEY}"', []],
  ['cd src && cd - && cat a.txt', ['fs.read a.txt (cat)']],
  ['cd src; cd lib; cd - > /dev/null; cat main.ts', ['fs.read src/main.ts (cat)']],
  [
    'mkdir -p src/new && ln -s ../main.ts src/new/x.ts',
    [
      'fs.write src/new (mkdir)',
      'fs.write src/main.ts (ln)',
      'fs.write src/new/x.ts (ln)',
      'fs.read src/main.ts (ln)',
      'fs.meta src/new/x.ts (ln)',
    ],
  ],
  ['pushd src && cat main.ts; popd; cat a.txt', ['fs.read src/main.ts (cat)', 'fs.read a.txt (cat)']],
  [
    'pushd src/lib; cd ..; popd && cat a.txt; cd - && cat main.ts',
    ['fs.read a.txt (cat)', 'fs.read src/main.ts (cat)'],
  ],
  ['pushd src; pushd lib; popd; cat main.ts', ['fs.read src/main.ts (cat)']],
  ['pushd missing; cat a.txt', ['fs.read missing/a.txt (cat)', 'fs.read a.txt (cat)']],
  ['cat "$(pwd -P)/src/main.ts" "$(pwd -L)/a.txt"', ['fs.read a.txt src/main.ts (cat)']],
  ['dirs -v; history 5; help cd; read; cat a.txt', ['fs.read a.txt (cat)']],
  ['read -rsn1 -t 5 -p "Go? " x; cat a.txt', ['fs.read a.txt (cat)']],
  [
    'echo a.txt | while read -n 3 x; do cat -- "$x"; done',
    ['fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  ['if cat x; then cd src; cd lib; else cd src; fi; cd -; cat x', ['fs.read x (cat)', 'fs.read src/x (cat)']],
  ['cat "$(dirname src/main.ts)/lib/util.ts"', ['fs.read src/lib/util.ts (cat)']],
  ['hash -r; hash node docker-compose 2>/dev/null; cat a.txt', ['fs.read a.txt (cat)']],
  [
    'export CI=1; unset CI LC_ALL; cat a.txt',
    ['env.set CI ', 'env.set CI 1', 'env.set LC_ALL ', 'fs.read a.txt (cat)'],
  ],
  ['rg x a.txt /dev/null; ls /dev/null', ['fs.list a.txt (rg)', 'fs.read a.txt (rg)']],
  ['find /dev/null a.txt -type f; df -h /', ['fs.list a.txt (find)']],
  ['jobs; umask; ulimit -n; alias; cat a.txt', ['fs.read a.txt (cat)']],
  ['cd src/../src/lib && cat util.ts', ['fs.read src/lib/util.ts (cat)']],
  ['cd -P src && cat main.ts && cd -L .. && cat a.txt', ['fs.read src/main.ts (cat)', 'fs.read a.txt (cat)']],
  ['cd src && cd -P .. && cat a.txt', ['fs.read a.txt (cat)']],
  ['x=a.txt; cat "$x"', ['fs.read a.txt (cat)']],
  ['x="a.txt b.txt"; cat $x', ['fs.read a.txt b.txt (cat)']],
  [
    'x=$(ls src/main.ts | tail -1); cat "src/${x##*/}"',
    ['fs.list src/main.ts (ls)', 'fs.read src src/main.ts (cat)'],
  ],
  [
    'x=$(ls src/main.ts | tail -1); cat "${x%.ts}.env"',
    ['fs.list src/main.ts (ls)', 'fs.read .env src/main.env (cat)', 'secret.read .env src/main.env (cat)'],
  ],
  ['x=src/main.ts; cat "${x%.ts}.js" "${x##*/}"', ['fs.read main.ts src/main.js (cat)']],
  ['cat "${x:-a.txt}"', ['fs.read a.txt (cat)']],
  ['head -c 16 /dev/urandom | base64; head -c 1 < /dev/zero', []],
  ['head -c 16 /dev/urandom > /dev/zero', ['fs.write.outside /dev/zero (shell)']],
  // A variable that a branch sets holds one of its texts.
  [
    'x=a.txt; [ -d out ] || x=b.txt; cat "$x" $x.md',
    ['fs.list out (shell)', 'fs.read a.txt b.txt (cat)', 'fs.read a.txt.md b.txt.md (cat)'],
  ],
  [
    'if cat b.txt; then d=src; else d=out; fi; cat $d/*',
    ['fs.read b.txt (cat)', 'fs.read out/* src/lib src/main.ts (cat)'],
  ],
  [
    'x=a.txt; cat b.txt && x=-n; cat "$x"',
    ['fs.read b.txt (cat)', 'fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  [
    'x=a.txt; cat b.txt && x="c d"; cat $x',
    ['fs.read b.txt (cat)', 'fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  [
    'x=a; while cat b.txt; do x=${x}b; done; cat $x',
    ['fs.read b.txt (cat)', 'fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  // Bash does not split it: this is one file.
  ['x="a.txt b.txt"; cat $x$', ['proc.exec.opaque']],
  ['x="a.txt b.txt"; cat ./$x$^/a', ['proc.exec.opaque']],
  ['x=a.txt; cat $x$ "a b$"', ['fs.read a b$ a.txt$ (cat)']],
  // Only `read` splits there, and its values are unknown.
  [
    'grep -n a a.txt | while IFS=: read -r n text; do echo "$n $text"; done; cat *.md',
    ['fs.read a.txt (grep)', 'fs.read *.md (cat)'],
  ],
  ['echo a.txt | while IFS=\',\' read -r x; do cat -- "$x"; done', ['fs.read a.txt (cat)']],
  ['IFS=: cat a.txt', ['env.set IFS :', 'proc.exec.opaque']],
  ['IFS=$x read -r y < a.txt', ['fs.read a.txt (shell)', 'proc.exec.opaque']],
  // What stands before a pipeline has ended when it begins.
  [
    'mv a.txt c.txt; grep -l a b.txt c.txt | xargs sed -i s/a/b/',
    [
      'fs.write c.txt (mv)',
      'fs.read a.txt (mv)',
      'fs.delete a.txt (mv)',
      'fs.read b.txt c.txt (grep)',
      'fs.read b.txt c.txt (sed)',
      'fs.write b.txt c.txt (sed)',
    ],
  ],
  // Its own commands run beside each other, also those of an inner one.
  ...[
    'cat d.txt | ln -sf /etc/hostname d.txt',
    'echo "$(cat d.txt | wc -l)" | ln -sf /etc/hostname d.txt',
  ].map(
    (line) =>
      [
        line,
        [
          'fs.read d.txt (cat)',
          'fs.read.outside and others (cat)',
          'secret.read and others (cat)',
          'fs.read.outside /etc/hostname (ln)',
          'fs.read.outside and others (ln)',
          'secret.read and others (ln)',
          'fs.write.outside /etc/hostname (ln)',
          'fs.write.outside and others (ln)',
          'fs.write d.txt d.txt/hostname (ln)',
          'fs.meta d.txt (ln)',
          'fs.meta.outside and others (ln)',
        ],
      ] as const,
  ),
  // One line of a listing is one name, or none.
  [
    'x=$(ls *.txt | head -1); cat "$x"',
    [
      'fs.list a.txt b.txt link.txt (ls)',
      'fs.list.outside /etc/hostname (ls)',
      'fs.read a.txt b.txt link.txt (cat)',
      'fs.read.outside /etc/hostname (cat)',
    ],
  ],
  [
    'cat "$(ls src | tail -n 1)/y"',
    ['fs.list src (ls)', 'fs.read lib/y main.ts/y (cat)', 'fs.read.outside /y (cat)'],
  ],
  ['cat $(ls -d [ab].txt | head -1).md', ['fs.list a.txt b.txt (ls)', 'fs.read .md a.txt.md b.txt.md (cat)']],
  [
    'cat "$(ls src | head -2)"',
    ['fs.list src (ls)', 'fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  [
    'cat "$(ls src | head -1; ls out | head -1)"',
    [
      'fs.list src (ls)',
      'fs.list out (ls)',
      'fs.read.outside and others (cat)',
      'secret.read and others (cat)',
    ],
  ],
  ['FILE=a.txt; cat "$FILE"', ['fs.read a.txt (cat)']],
  ['BASE=a VERSION=1; cat "$BASE.txt"; echo "$VERSION"', ['fs.read a.txt (cat)']],
  ['SYM=a; SOURCE_FILE=b; grep "$SYM" "$SOURCE_FILE"', ['fs.read b (grep)']],
  ['OUT_DIR=a LAST_TAG=1 FILE2=b; cat "$OUT_DIR.txt" "$FILE2"', ['fs.read a.txt b (cat)']],
  [
    'FILE=a.txt; unset FILE; cat "$FILE"',
    ['fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  ['cat "$FILE"', ['fs.read.outside and others (cat)', 'secret.read and others (cat)']],
  ['time cat a.txt && time -p cat b.txt', ['fs.read a.txt (cat)', 'fs.read b.txt (cat)']],
  ['! time cat a.txt | wc -l', ['fs.read a.txt (cat)']],
  [
    '{ time echo a.txt; } 2>&1 | xargs cat',
    ['fs.read.outside and others (cat)', 'secret.read and others (cat)'],
  ],
  ['for f in a b; do cat "$f.txt"; done', ['fs.read a.txt b.txt (cat)']],
  [
    'for f in *.txt; do cat "$f"; done; cat "$f"',
    [
      'fs.read a.txt b.txt link.txt (cat)',
      'fs.read.outside /etc/hostname (cat)',
      'fs.read.outside and others (cat)',
      'secret.read and others (cat)',
    ],
  ],
  ['if [ -f a.txt ]; then cat b.txt; fi', ['fs.list a.txt (shell)', 'fs.read b.txt (cat)']],
  ['[[ -f a.txt && 3 -gt 2 ]]', ['fs.list a.txt (shell)']],
  ['case $x in a) cat a.txt ;; *) cat b.txt ;; esac', ['fs.read a.txt (cat)', 'fs.read b.txt (cat)']],
  ['x=.env; case $y in a) x=a.txt ;; b|*) x=b.txt ;; esac; cat "$x"', ['fs.read a.txt b.txt (cat)']],
  [
    `x=.env; case $y in a) x=a.txt ;; '*') x=b.txt ;; esac; cat "$x"`,
    ['fs.read .env a.txt b.txt (cat)', 'secret.read .env (cat)'],
  ],
  // Each of its parts may be the one that ran.
  [
    'x=d; case a in a) x=.env ;; b) x=a.txt ;; esac; wc "$x"',
    ['fs.read .env a.txt d (wc)', 'secret.read .env (wc)'],
  ],
  [
    'case a in a) cd src ;; b) cd out ;; esac; cat main.ts',
    ['fs.read main.ts (cat)', 'fs.read src/main.ts (cat)', 'fs.read out/main.ts (cat)'],
  ],
  ['x=d; case a in a) x=.env ;;& b) ;; *) wc "$x" ;; esac', ['fs.read .env d (wc)', 'secret.read .env (wc)']],
  ['printf "%s\\n" a.txt b.txt | while read -r f; do cat "$f"; done', ['fs.read a.txt b.txt (cat)']],
  ['printf "%s\\n" a.txt | xargs cat', ['fs.read a.txt (cat)']],
  ["printf -- '- %s\\n' a > b.txt; printf -v x -- '-%s' a", ['fs.write b.txt (shell)']],
  [
    'echo x > c.tmp && mv c.tmp a.txt && cat a.txt',
    [
      'fs.write c.tmp (shell)',
      'fs.read c.tmp (mv)',
      'fs.delete c.tmp (mv)',
      'fs.delete a.txt (mv)',
      'fs.write a.txt (mv)',
      'fs.read a.txt (cat)',
    ],
  ],
  [
    'install -d out/in && echo a > out/in/a.md',
    ['fs.write out/in (install)', 'fs.write out/in/a.md (shell)'],
  ],
  ['n=$(grep -c a b.txt || true); (( n > 2 )) && cat a.txt', ['fs.read b.txt (grep)', 'fs.read a.txt (cat)']],
  ['for f in a.txt b.txt; do n=$(grep -c a "$f"); echo $((n + 1)); done', ['fs.read a.txt b.txt (grep)']],
  // Known lines stay known through `sed` and `cut`, and ids of commits are neither options nor files.
  ["ls a.txt | sed 's/a\\.txt$/b.txt/' | xargs cat", ['fs.list a.txt (ls)', 'fs.read b.txt (cat)']],
  ["ls a.txt | sed 's/a/b/;p;s/b/c/' | xargs cat", ['fs.list a.txt (ls)', 'fs.read a.txt b.txt c.txt (cat)']],
  [
    'ls a.txt | cut -d . -f 1 | while read -r n; do cat "$n.md"; done',
    ['fs.list a.txt (ls)', 'fs.read a.md (cat)'],
  ],
  [
    'ls a.txt | cut --delimiter=. --fields 1 | while read -r n; do cat "$n.md"; done',
    ['fs.list a.txt (ls)', 'fs.read a.md (cat)'],
  ],
  ["printf '%s\\n' a.txt '' b.txt | sed '/^$/d' | awk NF | xargs cat", ['fs.read a.txt b.txt (cat)']],
  [
    "for f in $(printf '%s\\n' a.txt '' b.txt | awk 'length > 3'); do cat $f; done",
    ['fs.read a.txt b.txt (cat)'],
  ],
  // A repeated pattern is matched again where the line may have changed what it matches.
  [
    'x=src/*; cat $x $x; touch src/n.txt; cat $x',
    [
      'fs.read src/lib src/main.ts (cat)',
      'fs.write src/n.txt (touch)',
      'fs.read src/* src/lib src/main.ts src/n.txt (cat)',
    ],
  ],
  [
    "ls a.txt | sed 's/[^.]*$/md/w b.txt' | xargs cat",
    [
      'fs.list a.txt (ls)',
      'fs.write b.txt (sed)',
      'fs.read.outside and others (cat)',
      'secret.read and others (cat)',
    ],
  ],
  [
    'tar cf b.tar a.txt && cat b.tar',
    ['fs.list a.txt (tar)', 'fs.read a.txt (tar)', 'fs.write b.tar (argument)', 'fs.read b.tar (cat)'],
  ],
  ['bash -n a.sh', ['fs.read a.sh (bash)']],
  ['bash -n +n a.sh', ['fs.read a.sh (bash)', 'proc.exec.opaque bash']],
  // An unknown pattern may be `-f FILE`: that is not known, and what it searches is. Later listings stay known.
  [
    'jq -r .a a.txt | while read -r v; do grep -q "$v" b.txt; done; cat *.md',
    ['fs.read a.txt (jq)', 'proc.exec.opaque grep', 'fs.read b.txt (grep)', 'fs.read *.md (cat)'],
  ],
  // Only the first operand is the mode; an unknown word after it is not a mode.
  [
    'prog | xargs chmod 755',
    [
      'proc.exec.opaque prog',
      'fs.list.outside and others (chmod)',
      'fs.meta 755 (chmod)',
      'fs.meta and others under 755 (chmod)',
      'fs.meta.outside and others (chmod)',
    ],
  ],
  [
    'prog | xargs chmod 4755',
    [
      'proc.exec.opaque prog',
      'fs.list.outside and others (chmod)',
      'fs.meta 4755 (chmod)',
      'fs.meta and others under 4755 (chmod)',
      'fs.meta.outside and others (chmod)',
      'priv.escalate chmod',
    ],
  ],
  ['chmod "$x" a.txt', ['fs.meta a.txt (chmod)', 'priv.escalate chmod']],
  ['find src', ['fs.list src src/lib (find)']],
  // A file that is missing now may exist then, but is not there to be read.
  ["find src -type f -name '*.zip' -exec ls -l {} ';'", ['fs.list src src/lib (find)']],
  ["find src -type f -name '*.zip' -exec du {} ';'", ['fs.list src src/lib (find)']],
  ["find src -type d -name new -exec cat {}/x {}/../../.env ';'", ['fs.list src src/lib (find)']],
  ['fd -I -e zip -x wc -l {} ";" src', ['fs.list . out src src/lib (fd)']],
  [
    "find src -type f -name '*.zip' -exec rm {} ';'",
    ['fs.list src src/lib (find)', 'fs.delete and others under src (rm)'],
  ],
  [
    "find src/ -name new -exec rm {}.. ';'",
    ['fs.list src src/lib (find)', 'fs.delete.outside and others (rm)'],
  ],
  [
    'chmod 600 out && cat out/*',
    [
      'fs.meta out (chmod)',
      'fs.read and others under out (cat)',
      'secret.read and others under out (cat)',
      'fs.read out/* (cat)',
    ],
  ],
  ["cat <<'E'\n$(rm a.txt)\nE", []],
  ['cat <<E\n$(cat a.txt)\nE', ['fs.read a.txt (cat)']],
  ['echo "$(cat a.txt)"', ['fs.read a.txt (cat)']],
  ['rm "$(cat a.txt)"', ['fs.read a.txt (cat)', 'fs.delete.outside and others (rm)']],
  // What is written by another name is written to the file.
  [
    'cp -l a.txt n && echo x > n',
    [
      'fs.read a.txt (cp)',
      'fs.write a.txt (cp)',
      'fs.meta n (cp)',
      'fs.write n (cp)',
      'fs.write n (shell)',
      'fs.write.outside and others (shell)',
    ],
  ],
  // These put a file in its place.
  ['mv a.txt /dev/null', ['fs.read a.txt (mv)', 'fs.delete a.txt (mv)', 'fs.write.outside /dev/null (mv)']],
  ['rsync a.txt /dev/null', ['fs.read a.txt (rsync)', 'fs.write.outside /dev/null (rsync)']],
  ['tar cf /dev/null a.txt', ['fs.list a.txt (tar)', 'fs.read a.txt (tar)']],
  ["bash -c 'cat a.txt'", ['code.eval bash (bash)', 'fs.read a.txt (cat)']],
  ['echo x > /dev/tcp/example.com/80', ['net.connect example.com (shell)']],
  ['LC_ALL=C sort a.txt', ['env.set LC_ALL C', 'fs.read a.txt (sort)']],
  ['kill 12', ['proc.signal']],
  ['cat a.txt & pid=$!; kill -9 "$pid" $! %1', ['fs.read a.txt (cat)']],
  ['kill -0 $$ ${!}0', ['proc.signal']],
  ['pid=$!; [ -e b.txt ] || pid=1; kill $pid', ['fs.list b.txt (shell)', 'proc.signal']],
  ['kill $(($! + 1)) %-', ['proc.signal']],
  ['pid=$!; kill "1$pid" "${pid#1}"', ['proc.signal']],
  ['echo $((1 + 2)) $? $$', []],
  ['y=5; x=2; echo $((y-$x)) $((y - x))', []],
  ['n=0; for f in a b; do n=$((n + 1)); done; echo $n', []],
  ['for n in 08 9; do echo $((10#$n + 1)) $((10#${n%x})); done', []],
  ["for f in 08_a ''; do : $((10#${f%_*})); done", []],
  ['n=$(wc -l < a.txt); echo $((10#$n + 1))', ['fs.read a.txt (shell)']],
  ['for i in 1 2; do :; done; for ((i=0; i<3; i++)); do echo $i; done', []],
  ["x='a[$(id)]'; ((x = 2)); echo $((x + 1))", []],
  ['set -euo pipefail; cat a.txt', ['fs.read a.txt (cat)']],
  ['ls -d src &', ['fs.list src (ls)']],
  ['cd out || exit 1; cat x', ['fs.read out/x (cat)']],
];

describe('shell.run › the description of a line', () => {
  const { says } = project(files);
  it.each(rows)('%s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });
});

describe('shell.run › commands beside each other', () => {
  const { says } = project({ ...files, 'd1/': '', 'd2/': '', 'd3/': '', 'd4/': '', 'd5/': '' });
  it.each([
    'cat d1/* & cp d2/* d1/ & cp .env d2/x',
    'cat d1/* & cp d2/* d1/ & cp d3/* d2/ & cp .env d3/x',
    'cat d1/* | cp d2/* d1/ | cp .env d2/x',
    'cat d1/* | cp d2/* d1/ | cp d3/* d2/ | cp .env d3/x',
  ])('see the files that a later one makes: %s', async (line) => {
    expect((await says(line)).some((each) => /^fs\.read .*d1\/x/.test(each))).toBe(true);
  });

  it.each([
    '{ xargs cat & wait; } <<< .env',
    'echo .env | { xargs cat & wait; }',
    'f() { xargs cat & wait; }; echo .env | f',
    'while read -r x; do xargs cat & wait; done < list.txt',
  ])('read the input of a group, a pipe or a loop around them: %s', async (line) => {
    expect((await says(line)).some((each) => /^secret\.read|^proc\.exec\.opaque/.test(each))).toBe(true);
  });

  it.each(['&', '|'])('are opaque if further files follow after four walks: %s', async (sign) => {
    const copied = [1, 2, 3, 4].map((at) => `cp d${at + 1}/* d${at}/`);
    const line = ['cat d1/*', ...copied, 'cp .env d5/x'].join(` ${sign} `);
    expect(await says(line)).toContain('proc.exec.opaque');
  });
});

describe('shell.run › a link that leads through a folder of the process', () => {
  const { says } = project({ ...files, l: '-> /proc/self/cwd/a.txt', m: '-> l', d: '-> /proc/self/cwd' });
  it.each(['cat l', 'cat m', 'cat d/a.txt', 'cat d/../d/a.txt', 'cat /dev/stderr', 'cat </dev/stdout'])(
    'is a file that is unknown: %s',
    async (line) => {
      expect((await says(line)).some((each) => /^fs\.read.* and others/.test(each))).toBe(true);
    },
  );

  it.each(['grep -r TODO d', 'rg TODO d/src', 'find d/', 'ls d/src', 'tar cf x.tar d/src'])(
    'is a folder that is unknown: %s',
    async (line) => {
      expect((await says(line)).some((each) => /^fs\.list.* and others/.test(each))).toBe(true);
    },
  );
});

describe('shell.run › a file that the line makes and moves', () => {
  const { says } = project(files);
  const secretsOf = async (line: string) => (await says(line)).filter((each) => each.startsWith('secret'));

  it.each([
    'echo x > c; mv c a.txt; cat a.txt',
    'mkdir d; cp a.txt d/; for f in d/*.txt; do mv "$f" "$f.md"; done; cat d/a.txt.md',
    'mkdir d; echo x > d/c; mv d e; cat e/c',
    'mv missing c; cat c',
    'ln -s a.txt c; cat c; ls -l c; wc -l c',
    'mkdir d; ln -s ../a.txt d/c; cat d/c; cd d && cat c',
    'ln -s src n; cat n/main.ts; head -1 n/lib/util.ts',
    'ln -s d c; cat c',
    'mkdir d; ln -sfn a d/b; ls d',
    'ln -s src/lib n; grep -r x n; rg x n/',
    'mkdir d; ln -s ../src d/n; find -L d/n/lib -name "*.ts" -exec cat {} +',
    'ln -s "$PWD/src" n; rg -l x n | xargs cat; ls n',
  ])('is not a link: %s', async (line) => {
    expect(await secretsOf(line)).toEqual([]);
  });

  it.each([
    'ln -s a.txt c; mv c d; cat d',
    'mkdir d; ln -s ../a.txt d/c; mv d e; cat e/c',
    'mkdir d; mv d e; ln -s ../a.txt e/c; cat e/c',
    'mkdir d; ln -s ../a.txt d/c; cp -r d e; for f in e/*; do mv "$f" "$f.md"; done; cat e/c.md',
    'ln -s a.txt c; ln -sf b.txt c; cat c',
    'cat c & ln -s a.txt c; ln -sf b.txt c',
    'for i in 1 2; do cat c; ln -sf "$i.txt" c; done',
    'ln -s d c; ln -s c d; cat c',
    'mkdir c; ln -s a.txt c; cat c/a.txt',
    'ln -s src n; ln -sfn .. n/lib; cat n/lib/x',
    'ln -s src n; cat n/../a.txt',
    'ln -s link.txt c; ln -sf a.txt link.txt; cat c',
    'tar xf a.tar; mv c d; cat d',
    'echo x > c; ln -sf a.txt c; mv c d; cat d',
  ])('may be a link: %s', async (line) => {
    expect(await secretsOf(line)).toContain('secret.read and others (cat)');
  });

  it.each([
    'ln -s src n; ln -sfn .. n; grep -r x n',
    'ln -s src n; rm n; ln -s .. n; grep -r x n',
    'ln -s src n; mv n m; grep -r x m',
    'ln -s src n; rm -r src; mv link.txt src; grep -r x n',
    'ln -s ../src src/lib/n; grep -r x src/lib/n/../..',
    'ln -s n n; grep -r x n',
    'ln -s src n; ln -s /etc n/l; grep -rR x n',
    'ln -sfn src link.txt; grep -r x link.txt',
    'ln -s src n; rm -r src; ln -s .. src; grep -r x n',
    'ln -s "$(cat a.txt)" n; grep -r x n',
  ])('may be anywhere for a search: %s', async (line) => {
    expect((await says(line)).join()).toMatch(/secret\.read and others \(grep\)|proc\.exec\.opaque grep/);
  });

  it('has its names by a link of the line and behind it', async () => {
    const all = await says('ln -s src n; grep -rl x n --include=main.ts | xargs cat');
    expect(all).toContain('fs.read n n/main.ts src src/main.ts (grep)');
    expect(all).toContain('fs.read n n/main.ts src src/main.ts (cat)');
    expect(await says('ln -s . n; grep -r x n')).toContain('secret.read .env n/.env (grep)');
  });

  it('may be a link below a folder in which all files were moved', async () => {
    const line = 'mkdir d; ln -s ../a.txt d/c; for f in d/*; do mv "$f" "$f.md"; done; cat d/c.md';
    expect(await says(line)).toContain('fs.read.outside and others (cat)');
  });

  it('is the file to which a link of the line leads', async () => {
    const all = await says('ln -s b.txt c; ln -s .env d; cat c d; echo x > c');
    expect(all).toContain('fs.read .env b.txt c d (cat)');
    expect(all).toContain('secret.read .env (cat)');
    expect(all).toContain('fs.write b.txt c (shell)');
  });
});

describe('shell.run › a file with the name of a secret and public content', () => {
  const block = '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n';
  const { says } = project({ 'a.txt': 'a', 'release.key': block, 'keys/other.pem': block });

  it.each(['cat release.key', 'grep -r a .', 'cat keys/*.pem && cp a.txt x.key'])(
    'counts as public in `%s`',
    async (line) => {
      expect((await says(line)).filter((each) => each.startsWith('secret'))).toEqual([]);
    },
  );

  it.each([
    'mv a.txt release.key; cat release.key',
    'ln -sf /etc/shadow release.key; cat release.key',
    'rm -r keys; mv /etc keys; cat keys/other.pem',
    'for i in 1 2; do cat release.key; mv a.txt release.key; done',
  ])('may be a secret in `%s`', async (line) => {
    expect(await says(line)).toContainEqual(expect.stringMatching(/^secret.read .*(?:release.key|keys)/));
  });
});

const header = '--- a/src/a.ts\n+++ b/src/a.ts\n';
const hunk = '@@ -1 +1 @@\n-old\n+new\n';
const added = '--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+new\n';

describe('shell.run › patch', () => {
  const { says } = project({
    'src/a.ts': 'old\n',
    'other.ts': 'old\n',
    'link.ts': '-> other.ts',
    'plain.diff': header + hunk,
    'git.diff': `diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n${header}${hunk}${added}`,
    'other.diff': `${header}${hunk}Index: other.ts\n${hunk}`,
    'indented.diff': `${header}${hunk}  --- a/other.ts\n  +++ b/other.ts\n${hunk}`,
    'xx.diff': `${header}${hunk}XX--- a/other.ts\nXX+++ b/other.ts\n${hunk}`,
    'index.diff': `${header}${hunk} Index:a/other.ts\n${hunk}`,
    'kind.diff': 'diff --git a/src/b b/src/b\n new file mode 120000\n--- /dev/null\n+++ b/src/b\n',
    'renamed.diff': `${header}${hunk}diff --git a/src/a.ts b/src/a.ts\n X rename to other.ts\n`,
    'ed.diff': `${header}${hunk}1d\n`,
    'context.diff': '*** a/other.ts\n--- a/src/a.ts\n',
    'gone.diff': `--- a/src/a.ts\n+++ /dev/null\n${hunk}`,
    'twice.diff': `${header}${hunk}--- a/src/a.ts\n+++ /dev/null\n${hunk}`,
    'deleted.diff': 'diff --git a/src/a.ts b/src/a.ts\ndeleted file mode 100644\n',
    'dated.diff': `--- a/src/a.ts\t1970-01-01\n+++ b/src/a.ts\t1970-01-01\n${hunk}`,
    'counted.diff': `--- a/src/a.ts\n+++ b/src/a.ts\t@0\n${hunk}`,
    'spaced.diff': `--- a/src/a.ts\n+++ b/src/a.ts @0\n${hunk}`,
    'short.diff': `--- a/src/a.ts\n+++ b/src/a.ts\t70-01-01 00:00 UTC\n${hunk}`,
    'ago.diff': `--- a/src/a.ts\n+++ b/src/a.ts\t2000-01-01 00:00:00 +0000 30 years ago\n${hunk}`,
    'returned.diff': `${header}${hunk}--- a/other.ts\r\n+++ b/other.ts\r\n${hunk}`,
    'separated.diff': `${header}${hunk}--- a/other.ts \u2028\n+++ b/other.ts \u2028\n${hunk}`,
    'dates.diff': `--- a.ts\t2024-01-01\n+++ b.ts\t2024-01-02\n${hunk}`,
    'link.diff': `--- a/link.ts\n+++ b/link.ts\n${hunk}`,
    'mode.diff': 'diff --git a/src/b b/src/b\nnew file mode 120000\n--- /dev/null\n+++ b/src/b\n',
    'up.diff': `--- a/../x\n+++ b/../x\n${hunk}`,
    'moved.diff': 'diff --git a/src/a.ts b/b.ts\nrename from src/a.ts\nrename to b.ts\n',
  });
  const written = ['fs.write src/a.ts (patch)', 'fs.write src/a.ts.orig src/a.ts.rej (patch)'];

  it.each([
    ['patch -p1 < plain.diff', ['fs.read plain.diff (shell)', 'fs.read src/a.ts (patch)', ...written]],
    [
      'cat plain.diff | patch -p1',
      [
        'fs.read plain.diff (cat)',
        'fs.read src/a.ts (patch)',
        'fs.write src/a.ts src/a.ts.orig src/a.ts.rej (patch)',
      ],
    ],
    ['patch -p1 -i plain.diff', ['fs.read plain.diff src/a.ts (patch)', ...written]],
    [`patch --strip=1 -N <<'E'\n${header}${hunk}E`, ['fs.read src/a.ts (patch)', ...written]],
    ['patch -u --dry-run src/a.ts plain.diff', ['fs.read plain.diff src/a.ts (patch)']],
    ['patch -p1 --dry-run <plain.diff', ['fs.read plain.diff (shell)', 'fs.read src/a.ts (patch)']],
  ])('names the files of a plain patch: %s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });

  it.each(['patch -u src/a.ts plain.diff', 'patch -u src/a.ts <dates.diff', 'diff a b | patch -u src/a.ts'])(
    'changes the only file that is named, if the patch is known to leave it: %s',
    async (line) => {
      const all = (await says(line)).join();
      expect(all).toMatch(/fs\.write src\/a\.ts/);
      expect(/opaque|secret\.read|outside/.test(all)).toBe(line.startsWith('diff'));
    },
  );

  it('names the new files of a patch', async () => {
    const all = await says('patch -p1 <git.diff');
    expect(all.join()).toMatch(/fs\.write src\/a\.ts\.orig .* src\/new\.ts src\/new\.ts\.orig/);
    expect(all.join()).not.toMatch(/opaque|others/);
  });

  it.each([
    ...[
      'other',
      'indented',
      'xx',
      'index',
      'kind',
      'renamed',
      'ed',
      'context',
      'gone',
      'twice',
      'deleted',
      'dated',
      'counted',
      'spaced',
      'returned',
      'separated',
      'link',
      'mode',
      'up',
      'moved',
    ].map((name) => `patch -p1 <${name}.diff`),
    ...'gone deleted dated counted spaced short ago moved renamed missing'
      .split(' ')
      .map((name) => `patch src/a.ts <${name}.diff`),
    ...['gone', 'moved', 'indented', 'missing'].map((name) => `patch -p1 --dry-run <${name}.diff`),
    'patch src/a.ts moved.diff',
    'patch -i plain.diff src/a.ts moved.diff',
    'patch -E src/a.ts plain.diff',
    'cp moved.diff plain.diff; patch src/a.ts plain.diff',
    'patch <plain.diff',
    'patch -p0 <plain.diff',
    'patch -p1 -p2 <plain.diff',
    'patch -p1 -E <plain.diff',
    'patch -p1 -d src <plain.diff',
    'patch -p1 <missing.diff',
    'patch -p1 "$(cat src/a.ts)" <plain.diff',
    'touch src/new.ts; patch -p1 <git.diff',
    'cp gone.diff plain.diff; patch -p1 <plain.diff',
    '{ head -1; patch -p1; } <plain.diff',
    ...[
      'cat plain.diff git.diff',
      'cat -n plain.diff',
      'cat plain.diff; cat plain.diff',
      'if true; then cat plain.diff; else cat other.diff; fi',
      'true && cat plain.diff || cat other.diff',
      'for f in plain.diff other.diff; do cat "$f"; done',
      'cat plain.diff | tac',
      'cat plain.diff other.diff missing.diff 2>/dev/null',
      'cat plain.diff - <other.diff',
      'cat {plain,other}.diff',
    ].map((from) => `{ ${from}; } | patch -p1`),
    'cp gone.diff plain.diff; cat plain.diff | patch -p1',
    'cat plain.diff | { head -1; patch -p1; }',
    'cat plain.diff | sed s/a/b/ | patch -p1',
    'cat plain.diff | xargs patch -p1',
  ])('is opaque where the files are unknown: %s', async (line) => {
    expect((await says(line)).some((each) => each.startsWith('proc.exec.opaque'))).toBe(true);
  });
});

/** Undescribed constructs, each in a line that would remove a file after it. */
const outside: readonly string[] = [
  'coproc :',
  'time',
  'time; ls',
  'TARGET=x; ls',
  'GIT_PAGER=x; git log',
  'select x in a; do :; done',
  'for ((;;)); do :; done',
  'for x; do :; done',
  'eval :',
  'source a.txt',
  '. a.txt',
  'exec ls',
  'local x',
  'readonly -a x=1',
  'mapfile a',
  'shopt -s lastpipe',
  'getopts a b',
  'umask 0',
  'ulimit -c 1',
  'pushd',
  'pushd +1',
  'pushd -n src',
  'pushd -',
  'pushd "$(cat a.txt)"',
  'popd',
  'pushd src; popd; popd',
  'if cat x; then pushd src; fi; popd',
  'pushd src; popd +0',
  'for i in 1 2; do pushd .; done; popd',
  'dirs -c',
  'history -c',
  'history -a a.txt',
  'help -s [',
  'pwd -P x',
  'read -e x',
  'read - x',
  'enable -n cd',
  'builtin cd src',
  'command -p ls',
  'set -f',
  'set -a',
  'set -o history',
  'cd -P src/../src/lib',
  'ln -s src/lib l; cd -P l',
  'ln -s src/lib l; cd l; cd -P ..',
  'cd -',
  '(cd src); cd -',
  'if cat x; then cd src; fi; cd -',
  'jobs -x ls',
  'hash -p /bin/cat ls',
  'hash -rp /bin/cat ls',
  'hash -d ls',
  'ulimit -n 1',
  'cd -q',
  'cd "$(cat a.txt)"',
  'printf "%n" x',
  'printf "$(cat a.txt)"',
  'test -v x',
  '[ -v x ]',
  '[ -R x ]',
  '[[ -v x ]]',
  '[[ $(cat a.txt) -eq 1 ]]',
  'read x[0]',
  'read PATH',
  'read -u 3 x',
  'x=([2]=a)',
  'x=(a # b\n)',
  'PATH=(a)',
  'x=(a); cat $x',
  'x=(a); x=.env',
  'x=(a); echo $((x))',
  'x=(a); unset x',
  'x=(a); for x in b; do :; done',
  'x=.env; readarray -t x < a.txt; cat "${x[@]}"',
  'readarray x < a.txt',
  'readarray -C ls -t x < a.txt',
  'cat "${x[@]}"',
  'x[$(id)]=1',
  'RANDOM=1',
  'LINES=1',
  'GIT_DIR=.',
  'LIST_PREFIX=x',
  'OPTIND=1',
  'PATH=.',
  'IFS=:',
  'GLOBIGNORE=x',
  'HISTFILE=x',
  'BASHPID+=1',
  'for PATH in .; do :; done',
  'export PATH=.',
  'export',
  'export | grep TOKEN',
  'export FOO',
  'export -n LANG',
  'LD_PRELOAD=x ls',
  'GIT_PAGER=x ls',
  'TMPDIR=. ls',
  'unset PATH',
  'unset -f f',
  'unset GIT_DIR',
  "unset 'DB_X[$(ls)]'",
  'export CI=1; f() { unset CI; }; f',
  'echo ${!x}',
  'echo ${x@P}',
  'echo ${x[0]}',
  'echo ${x:$(id)}',
  'echo ${x/$(id)/a}',
  'echo $((a[0]))',
  'x=a[0]; echo $((x))',
  'x=0+a[0]; echo $((10#$x))',
  'x=$(cat a.txt); echo $((10#$x))',
  'x=5; echo $((10#$x$y))',
  'x=a[0]; ((x += 1))',
  'x=a[0]; ((x = x))',
  "x='a[$(id)]'; ((x = 1 / n)); ((x++))",
  "x='a[$(id)]'; let x=1%n; ((x++))",
  "x='a[$(id)]'; y=; ((x = $y)); ((x++))",
  'x=a[0]; ((--x = 1))',
  'x=(a[0]); ((x = 1))',
  'x=a[0]; for f in a b; do x=$((x + 1)); done',
  'x=0; if [ -f a.txt ]; then x=$(cat a.txt); fi; echo $((x))',
  'y=5; x=-; echo $((y-$x))',
  'y=5; x=$((0-1)); echo $((y-$x))',
  'y=5; echo $((y-$x-1))',
  'echo @(a)',
  'echo $"a"',
  'echo {a..zz}',
  'echo {a,b${x:+{c}}',
  'declare x={a,b}',
  'declare x={1..1}',
  'export GIT_AUTHOR_NAME={a,b}',
  'echo {x}>f',
  'exec {PATH}</dev/null',
  'ls > "$(cat a.txt)"',
  'ls >& "$(cat a.txt)"',
  'ls 3>&4-',
  'ls 0>f',
  'ls 1<a.txt',
  'ls 3<a.txt',
  'ls <&1',
  'ls 3<&0',
  'ls >&0',
  'ls >&"0"',
  'ls </dev/fd/2',
  'ls >/dev/fd/0',
  'ls > /dev/fd/5',
  'cat << E',
  '$(cat a.txt)',
  '%1',
  'echo ~+',
  'echo a=~',
  'ls\u00a0-l',
  'ls\u200b',
  'echo a\r',
  'sh -c "[[ a ]]"; echo >(cat)',
  'sh -c "pushd src; cat main.ts"; popd',
];

describe('shell.run › a pattern for characters of several bytes', () => {
  const { says } = project({ é: '', ab: '', 'x-é': '' });

  it.each(['cat ??', 'LC_ALL=C sh -c "cat ??"', 'export LC_ALL=C; cat ??', 'cat [!a]?', 'cat x-[!a]*'])(
    'names all files that it matches by bytes or by characters: %s',
    async (line) => {
      expect((await says(line)).join('\n')).toContain('é');
    },
  );

  it.each(['x=éa; rm -- "${x#?}"', 'x=éa; rm -- "${x:0:1}"'])('keeps its text unknown: %s', async (line) => {
    expect((await says(line)).join('\n')).toContain('others');
  });
});

describe('shell.run › an undescribed construct', () => {
  const { describe: described } = project(files);
  it.each(outside)('makes the rest of the line opaque: %s', async (line) => {
    const capabilities = await described(`cat b.txt; ${line}\nrm a.txt`);
    const why = capabilities
      .filter(({ name }) => name === 'proc.exec.opaque')
      .map((each) => JSON.stringify(each.why));
    expect(why.some((each) => each.includes('everything after it'))).toBe(true);
    expect(capabilities.some(({ name }) => name === 'fs.delete')).toBe(false);
  });

  it.each([
    "echo $'a'",
    'x+=b',
    'echo {a,b}',
    'x="a B=c"; export LANG=$x',
    '[[ a ]]',
    'cat <<< a',
    'ls &> f',
    'set -o pipefail',
    'd=abc; echo ${d:0:1}',
    'd=abc; echo ${d/a/b}',
    'd=abc; echo ${d%[^a]}',
    'f=z >$f',
  ])('makes a text for another shell opaque if that shell reads it differently: %s', async (line) => {
    const { describe: look } = project(files);
    const capabilities = await look(`sh -c '${line.replaceAll("'", `'\\''`)}\nrm a.txt'`);
    expect(capabilities.some(({ name }) => name === 'proc.exec.opaque')).toBe(true);
    expect(capabilities.some(({ name }) => name === 'fs.delete')).toBe(false);
  });

  it.each([
    'env FOO=1 cat a.txt',
    'env -u FOO -u CI --unset=VIRTUAL_ENV cat a.txt',
    'export name=1 LAST_TAG=v1; cat a.txt',
    'unset NODE_ENV HTTPS_PROXY; cat a.txt',
    'export VERSION=$(git describe) name="$(date)"; cat a.txt',
    'export FILES=$(basename src/a.txt); cat $FILES',
    'export f=$(basename src/a.txt); sh -c \'cat "$f"\'',
    'for f in a.txt; do export f; export F="$f"; cat "$F"; done',
    'export x=b.txt; env -u x sh -c \'cat "a.txt$x"\'',
    'export x=b.txt; env -u x x= sh -c "cat a.txt\\$x"',
  ])('knows what a program does that misses a variable, or sees another one: %s', async (line) => {
    const { says } = project(files);
    expect((await says(line)).filter((each) => !/^(?:env\.set|code\.eval)/.test(each))).toEqual([
      'fs.read a.txt (cat)',
    ]);
  });

  it.each([
    'env -u HOME bash -c "cd; rm a.txt"',
    'env -u PATH ls',
    'env -u GIT_DIR git status',
    'env -u "$(cat a.txt)" ls',
    'env -uHOME ls',
    'env -i ls',
    'env - FOO=1 ls',
    'export CI=$(git describe); ls',
    'export PATH=$(pwd):$PATH; ls',
    'export $(cat b.txt); ls',
    'export NAME=$(ls)$(cat b.txt) $(cat b.txt); ls',
    'export "NAME="$(cat b.txt); ls',
    'export -n NAME=$(ls); ls',
    "sh -c 'export NAME=$(cat b.txt); ls'",
  ])('asks about a program that misses variables on which descriptions build: %s', async (line) => {
    const { says } = project(files);
    expect((await says(line)).some((each) => each.startsWith('proc.exec.opaque'))).toBe(true);
  });

  it('keeps the description of earlier commands', async () => {
    const { says } = project(files);
    expect(await says('cat b.txt; eval x')).toContain('fs.read b.txt (cat)');
  });

  it.each([
    ['export LD_PRELOAD', undefined],
    ['export LD_PRELOAD="$(cat b.txt)"', undefined],
    ['export LD_PRELOAD=$(cat b.txt)', undefined],
    ['export "LD_PRELOAD=$(cat b.txt)"', undefined],
    ['declare -x LD_PRELOAD', undefined],
    ['typeset -rx LD_PRELOAD=$(cat b.txt)', undefined],
    ['lower=x; export lower LD_PRELOAD=y', 'y'],
  ])('names an exported variable, also without its value: %s', async (line, value) => {
    const capabilities = await described(line);
    const set = capabilities.find(({ name, variable }) => name === 'env.set' && variable === 'LD_PRELOAD');
    expect(set).toEqual({
      name: 'env.set',
      variable: 'LD_PRELOAD',
      ...(value === undefined ? {} : { value }),
    });
    expect(capabilities.some(({ name }) => name === 'proc.exec.opaque')).toBe(true);
  });

  it.each([
    'export -n LD_PRELOAD',
    'export -n LD_PRELOAD=$(cat b.txt)',
    'export "$1"',
    'export -p',
    'declare LD_PRELOAD=x',
    'declare -F x',
  ])('names no variable that is not exported: %s', async (line) => {
    expect((await described(line)).filter(({ name }) => name === 'env.set')).toEqual([]);
  });

  it.each([
    'LD_PRELOAD=x ls',
    'export LD_PRELOAD=x',
    'env LD_PRELOAD=x ls',
    'declare -x LD_PRELOAD=x',
    'typeset -gx LD_PRELOAD=x; ls',
    'declare -x -r LD_PRELOAD="x"',
  ])('names a variable that may change what programs do: %s', async (line) => {
    const capabilities = await described(line);
    expect(capabilities).toContainEqual({ name: 'env.set', variable: 'LD_PRELOAD', value: 'x' });
    expect(capabilities.some(({ name }) => name === 'proc.exec.opaque')).toBe(true);
  });

  it('makes only the program opaque if the program is unknown', async () => {
    const { says } = project(files);
    expect(await says('./build.sh; cat a.txt')).toEqual([
      expect.stringMatching(/^proc\.exec\.opaque /),
      'fs.read a.txt (cat)',
    ]);
  });

  it.each([
    ['rm [.]env', 'rm'],
    ['cat [!a]env', 'cat'],
    ['cat .*/.', 'cat'],
  ])('does not match a leading dot by a bracket, or a file as a folder: %s', async (line, by) => {
    const { describe: look } = project(files);
    const found = (await look(line)).filter((each) => each.by === by);
    expect(found.map(({ path }) => JSON.stringify(path)).join()).not.toContain('.env');
  });

  it('reports no arguments if a pattern has doubled slashes, which stay in them', async () => {
    const { describe: look } = project(files);
    const [started] = await look('cat src//*.ts');
    expect(started).toMatchObject({ name: 'proc.exec', program: 'cat' });
    expect(started?.argv).toBeUndefined();
  });

  it('is opaque if an empty name may mean the folder', async () => {
    const { describe: look } = project(files);
    const found = await look("unzip a.zip -d ''");
    expect(found.map(({ name }) => name)).toContain('proc.exec.opaque');
  });

  it('is opaque if globs match too many names', async () => {
    const { describe: look } = project(
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.x`, ''])),
    );
    const names = async (count: number) =>
      (await look(`cat ${'*.x '.repeat(count)}`)).map(({ name }) => name);
    expect(await names(3)).not.toContain('proc.exec.opaque');
    expect(await names(600)).toContain('proc.exec.opaque');
  });

  it('is opaque for another file with a known name', async () => {
    const { root, describe: look } = project({ ls: '#!/bin/sh\n' });
    expect(await look('./ls')).toContainEqual(
      expect.objectContaining({ name: 'proc.exec.opaque', program: `${root}/ls` }),
    );
  });

  it('is opaque for a link with a known name to another program', async () => {
    const { describe: look } = project({ cat: '-> /usr/bin/touch', touch: '-> /usr/bin/touch' });
    const names = async (line: string) => (await look(line)).map(({ name }) => name);
    expect(await names('./cat a')).toContain('proc.exec.opaque');
    expect(await names('./touch a')).toEqual(['proc.exec', 'proc.exec', 'fs.write']);
  });

  it('is opaque for a path that leads to a program only by its name', async () => {
    const { root, describe: look } = project({ x: `-> ${'d/'.repeat(12)}` });
    const up = '../'.repeat(root.split('/').length);
    expect((await look(`./x/${up}usr/bin/ls`)).map(({ name }) => name)).toContain('proc.exec.opaque');
  });
});
