// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { says } = project({ 'a.txt': 'a\nb\n', 'b.json': '[1]', 'src/c': 'a\n' });
const read = 'fs.read a.txt (shell)';

describe('shell.run › one name that a program prints', () => {
  it.each([
    [
      'for f in a.txt b.json; do n=$(basename "$f" .txt); cat "x/$n.md"; done',
      ['fs.read x/a.md x/b.json.md (cat)'],
    ],
    ['for f in s/a t/b; do cat "$(dirname "$f")/c"; done', ['fs.read s/c t/c (cat)']],
    [
      'for f in a.txt b.json; do grep -rqs "$(basename "$f")" a.txt; done',
      ['fs.list a.txt (grep)', 'fs.read a.txt (grep)'],
    ],
    [
      'for f in s/a t/b; do cat "$(dirname "$f" | head -1)/c"; done',
      ['fs.read.outside /c (cat)', 'fs.read s/c t/c (cat)'],
    ],
    ['dirname() { :; }; for f in s/a t/b; do cat "$(dirname "$f")/c"; done', ['fs.read.outside /c (cat)']],
    [
      'for f in s/a t/b; do cat "$(dirname "$f" <a.txt)/c"; done',
      ['fs.read a.txt (shell)', 'fs.read.outside /c (cat)', 'fs.read s/c t/c (cat)'],
    ],
    ['echo a | while read -r b; do git log -1 "$b"; cat "$b.txt"; done', ['fs.read a.txt (cat)']],
    [
      'echo a | while read -r b; do git shortlog; cat "$b.txt"; done',
      ['fs.read a.txt (cat)', 'fs.read.outside and others (cat)', 'secret.read and others (cat)'],
    ],
  ])('is one of several texts: %s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });
});

describe('shell.run › what a command prints that find starts for each file', () => {
  const found = (command: string) => `$(find . -name '?*.*' -exec ${command} {} \\;)`;

  it.each([
    [`cat "${found('basename')}"`, 'fs.read.outside and others (cat)'],
    [`x=${found('basename')}; cat "src/$x"`, 'fs.read.outside and others (cat)'],
    [`truncate -s ${found('stat -c %s')} b.json`, 'proc.exec.opaque truncate'],
  ])('may be several lines: %s', async (line, expected) => {
    expect(await says(line)).toContainEqual(expect.stringContaining(expected));
  });

  it('is otherwise known', async () => {
    expect(await says(`cat ${found('basename')}`)).toContain('fs.read a.txt b.json (cat)');
  });
});

describe('shell.run › a line that a filter prints twice', () => {
  const one = (lines: string) => `cat "$(${lines})"`;

  it.each(['sed p', "sed -n 'p;p'", "sed 's/a/a/p'", 'tee /dev/stdout', 'tee copy'])(
    'is not one name: %s',
    async (filter) =>
      expect(await says(one(`ls *.txt | head -1 | ${filter}`))).toContain('fs.read.outside and others (cat)'),
  );

  it.each(['sed p', "sed -n 'p;p'", 'tee /dev/stdout'])('is not one number: %s', async (filter) => {
    const number = `$(grep -n a a.txt | head -1 | ${filter} | cut -d: -f1)`;
    expect(await says(`truncate -s ${number} b`)).toContainEqual(
      expect.stringContaining('proc.exec.opaque truncate'),
    );
  });

  it('is otherwise one', async () => {
    expect(await says(one("ls *.txt | head -1 | sed 's/a/b/'"))).toContain('fs.read b.txt (cat)');
  });
});

describe('shell.run › several names within one word', () => {
  const loop = (command: string) => `for f in a b; do for e in txt json; do ${command}; done; done`;

  it.each([
    ['cat "$f.$e"', ['fs.read a.json a.txt b.json b.txt (cat)']],
    ['cat $f.$e', ['fs.read a.json a.txt b.json b.txt (cat)']],
    ['sed -n "s/$f/$e/p" a.txt', ['fs.read a.txt (sed)']],
    ['sed -n "s/x/y/;w $f.$e" a.txt', ['fs.read a.txt (sed)', 'fs.write a.json a.txt b.json b.txt (sed)']],
  ])('counts with all its texts: %s', async (command, expected) => {
    expect(await says(loop(command))).toEqual(expect.arrayContaining(expected));
  });

  it.each(['x', '${f}_$e-$(cat a.txt)', '$f$e$f$e$f$e$f$e'])('is unknown where one is: %s', async (word) => {
    expect(await says(loop(`read -r x < a.txt; cat "$f$e${word === 'x' ? '$x' : word}"`))).toContain(
      'fs.read.outside and others (cat)',
    );
  });

  it.each([
    ["for f in s '*'; do for e in y d; do cat $f$e; done; done", 'fs.read.outside and others (cat)'],
    ["for f in 's x' t; do for e in y d; do cat $f$e; done; done", 'fs.read.outside and others (cat)'],
    [
      'for f in "s/x/y/" p; do for e in e w; do sed "$f$e .env" a.txt; done; done',
      expect.stringMatching(/^proc.exec.opaque/),
    ],
  ])('is unknown where it may be split, is a pattern, or runs something: %s', async (line, expected) => {
    expect(await says(line)).toContainEqual(expected);
  });
});

describe('shell.run › a number within the text of a program', () => {
  it.each([
    ['n=$(wc -l < a.txt); sed -n "$((n - 3)),${n}p" a.txt', [read, 'fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); sed -n ${n}p a.txt', [read, 'fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); sed "${n},\\$s/a/b/g" a.txt', [read, 'fs.read a.txt (sed)']],
    ['i=0; while [ $i -lt 3 ]; do sed "$((i + 1))q" a.txt; i=$((i + 1)); done', ['fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); awk "NR > $n - 3 {print \\$1}" a.txt', [read, 'fs.read a.txt (awk)']],
    ['n=$(wc -l < a.txt); jq ".[$n]" b.json', [read, 'fs.read b.json (jq)']],
    [
      'n=$(grep -n a a.txt | head -1 | cut -d: -f1); sed -n "${n},$((n + 2))p" a.txt',
      ['fs.read a.txt (grep)', 'fs.read a.txt (sed)'],
    ],
    [
      'sed -n "$(cat a.txt | grep -in a | cut -d : -f 1),+5p" a.txt',
      ['fs.read a.txt (cat)', 'fs.read a.txt (sed)'],
    ],
    [
      'n=$(grep -n a a.txt | cut -d: -f1 | tail -1); sed -n "$(( ${n:-1} + 4 ))p" a.txt',
      ['fs.read a.txt (grep)', 'fs.read a.txt (sed)'],
    ],
    ['n=$(wc -l < a.txt); sed "${n:-1}a w {} x2" a.txt', [read, 'fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); sed "${n}a x\\\\\nw out" a.txt', [read, 'fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); sed "s/$n/b/" a.txt', [read, 'fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); sed "${n}s/v1/w2(v1)/" a.txt', [read, 'fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); sed "${n}s/.*/ a \\/ b;/" a.txt', [read, 'fs.read a.txt (sed)']],
    // A name that is set nowhere before counts from nothing.
    ['for f in a.txt; do [ $f = x ] && n=$((n + 1)); done; sed "$((n + 1))q" a.txt', ['fs.read a.txt (sed)']],
    ['n=$(wc -l < a.txt); awk "NR > $n # the first" a.txt', [read, 'fs.read a.txt (awk)']],
    [
      's=$(stat -c %s a.txt); echo $((s + 1)); ((s > 1)) && cat a.txt',
      ['fs.list a.txt (stat)', 'fs.read a.txt (cat)'],
    ],
  ])('changes nothing that it does: %s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });

  it.each([
    'sed "${n}w out.txt" a.txt',
    'sed "${n}e id" a.txt',
    'sed "${n}s/a/b/e" a.txt',
    'sed "${n}s/a/b/w out.txt" a.txt',
    'sed "s/a/b/${n}w out.txt" a.txt',
    'sed "s\\${n}/b/" a.txt',
    'sed "s/a1/b/w$n" a.txt',
    'sed "s/a/b/w out$n" a.txt',
    'sed "s${n}a${n}e${n}" a.txt',
    'sed "${n}p;y/a/b/" a.txt',
    'sed "${n}a x\nw out" a.txt',
    'sed "${n}a x\\\\\\\\\nw out" a.txt',
    'sed "${n}r .env" a.txt',
    'grep -n . a.txt | cut -d: -f1 | xargs -I% sed "%r .env" a.txt',
    "seq 1 $n | xargs -0 -I% sed -n '%p' a.txt",
    'for f in a b; do [ -f $f ] && x=$((x + 1)); done; sed "${x}r .env" a.txt',
    'for f in a b; do [ -f $f ] && x=$((x + 1)); done; sed -n $x a.txt',
    'for f in a b; do [ -f $f ] && x=$((X + 1)); X=$((X + 1)); done; echo $((X))',
    'm=$(grep -n a a.txt | cut -d: -f1); sed "1a see $m w out" a.txt',
    'm=$(grep -n a a.txt | cut -d: -f1); sed "1i ${m:-1} e id" a.txt',
    'm=$(grep -n a a.txt | cut -d: -f1); awk "BEGIN { x = 1 # $m; print > \\"out\\"\n}"',
    'n=$(grep -c a a.txt c.txt | tail -1); sed -n "${n:-$(cat a.txt)}p" a.txt',
    'awk "{print > \\"out$n\\"}" a.txt',
    'awk "{print | \\"id $n\\"}" a.txt',
    'x="${n}p *"; sed -n $x a.txt',
    'jq "env.A$n" b.json',
    'python3 -c "open($n)"',
    'sed -n "$(grep -n a a.txt b.json | cut -d: -f1)p" a.txt',
    'sed -n "$(grep -n a a.txt | cut -d: -f2)p" a.txt',
    'sed -n "$(grep -nA2 a a.txt | cut -d: -f1)p" a.txt',
    'sed -n "$(grep -nH a a.txt | cut -d: -f1)p" a.txt',
    'sed -n "$(grep -n a *.txt * | cut -d: -f1)p" a.txt',
    'grep=x; echo',
    's=$(stat -c %n a.txt); echo $((s))',
    's=$(stat -c %s a.txt b.json); echo $((s))',
  ])('is unknown where it may change more: %s', async (line) => {
    expect(await says(`n=$(wc -l < a.txt); ${line}`)).toContainEqual(
      expect.stringMatching(/^proc\.exec\.opaque/),
    );
  });
});

const opaque = expect.stringMatching(/^proc\.exec\.opaque/);

describe('shell.run › a number that may be negative', () => {
  it.each([
    'grep -r $((0-3)) src',
    'n=$((0-3)); grep -r $n src',
    'n=$((0-3)); grep -r "${n}x" src',
    'n=5; ((n -= 8)); grep -r $n src',
    'n=9; while [ -f a.txt ]; do n=$((n-1)); grep -r $n src; done',
    'n=1; for f in *; do n=$((n+n)); grep -r $n src; done',
    'n=$(( $(stat -c %s a.txt) + 1 )); grep -r $n src',
    '((n=1, n-=4)); grep -r $n src',
    'grep -r $(((n=0-5)+n)) src',
    'for ((i=3; i>0; i--)); do grep -r $i src; done',
    '[ -f a.txt ] && n=3 || n=$((0-3)); grep -r $n src',
    'seq -3 -3 | xargs -n1 grep -r -e',
    'seq -3 -3 | xargs -I% grep -r %x src',
    'seq -3 -3 | xargs -I% grep -r % src',
    'seq -3 -3 | while read -r n; do grep -r $n src; done',
    'for n in $(seq -3 -3); do grep -r $n src; done',
    'n=$((0-3)); for n in $(seq $n $n); do grep -r $n src; done',
    'n=$((0-3)); echo $n | while read -r n; do grep -r $n src; done',
    'n=$((0-3)); read -r m <<< "$n"; grep -r $m src',
    'n=$((0-3)); a=(1 $n); for m in "${a[@]}"; do grep -r $m src; done',
    'n=$((0-3)); set -- $n; grep -r $1 src',
    'touch -d @-3 a.txt; grep -r $(stat -c %Y a.txt) src',
    "stat -c '%Y %n' a.txt | while read -r n f; do grep -r $n src; done",
    'uniq $((0-1)) a.txt',
    'split $((0-1)) a.txt',
  ])('may be an option: %s', async (line) => {
    expect(await says(line)).toContainEqual(opaque);
  });

  it.each([
    ['for ((i=0; i<3; i++)); do cat $i.txt; done', 'cat'],
    ['i=0; for f in *; do i=$((i+1)); mkdir $i; done', 'mkdir'],
    ['i=0; while [ -f a.txt ]; do ((i += 2)); mkdir $((i / 2 % 7)); done', 'mkdir'],
    ['i=0; if [ -f a.txt ]; then ((i++)); fi; mkdir $i', 'mkdir'],
    ['n=$(wc -l < a.txt); mkdir $n', 'mkdir'],
    ['mkdir $((60 * 5)) $((!0)) $(( (3 > 2) ? 4 : 5 ))', 'mkdir'],
    ['n=$((3-5)); sleep $n; seq 1 $((n*2)); head -n $n a.txt; cat -- $n', 'cat'],
    ['n=$((3-5)); echo $n; [ $n -gt 3 ] && head -n "$((n - 1))" a.txt', 'head'],
    ['timeout $((60 * 5)) cat a.txt', 'cat'],
  ])('is none where it cannot be negative, or takes no place of another: %s', async (line, by) => {
    const said = await says(line);
    expect(said).not.toContainEqual(opaque);
    expect(said).toContainEqual(expect.stringMatching(new RegExp(`^fs\\.\\w+.* \\(${by}\\)$`)));
  });
});

describe('shell.run › numbers on several lines', () => {
  const lines = 'x=$(grep -n . a.txt | cut -d: -f1)';

  it.each([
    'mv $x',
    'echo "$x" | xargs mv',
    'xargs mv <<< "$x"',
    'y="$x"; mv $y',
    'y="a$x"; mv $y',
    'y=a; y="$y-$x.txt"; mv $y',
    'set -- "$x"; mv $1',
    'f() { mv $1; }; f "$x"',
    'for i in "$x"; do mv $i; done',
    'a=("$x"); mv ${a[0]}',
    'y=5; [ -f b ] && y="$x"; mv $y',
  ])('are several words where they are not quoted: %s', async (line) => {
    const said = await says(`${lines}; ${line}`);
    const moves = said.filter((each) => /^(?:fs\.delete|proc\.exec\.opaque)/.test(each));
    expect(moves).not.toEqual([]);
  });

  it.each(['uniq -f $x a.txt', 'grep -r -e $x src', 'head -n$x a.txt', 'cat src/$x', 'echo $x | xargs uniq'])(
    'may be further words, or none: %s',
    async (line) => {
      expect(await says(`${lines}; ${line}`)).toContainEqual(
        expect.stringMatching(/^proc\.exec\.opaque|^fs\.(?:read|write)\.outside and others/),
      );
    },
  );

  it.each(['-s 1', '--pid 1', '--max-unchanged-stats=1'])(
    'may be several words behind `tail %s`',
    async (option) => {
      const line = `n=$(grep -n . a.txt | tail ${option} | cut -d: -f1); tail -n +$n a.txt`;
      expect(await says(line)).toContainEqual(expect.stringMatching(/^fs\.read\.outside and others/));
    },
  );

  it.each([
    'n=$(grep -n . a.txt | head -1 | cut -d: -f1); sed -n ${n}p a.txt; tail -n +$n a.txt',
    "n=$(grep -n . a.txt | tail -n 1 | awk -F: '{print $1}'); sed -n ${n}q a.txt; tail -n +$n a.txt",
    "grep -n . a.txt | cut -d: -f1 | xargs -I% sed -n '%,+2p' a.txt; grep -c . a.txt | xargs -I{} tail -n +{} a.txt",
  ])('are one word if there is at most one line: %s', async (line) => {
    expect(await says(line)).toEqual(['fs.read a.txt (grep)', 'fs.read a.txt (sed)', 'fs.read a.txt (tail)']);
  });

  it.each([
    ['y=$((x)); cd ..', lines],
    ['y=$((x)); cd ..', 'x=$(seq 1 9)'],
    ['y=$(( $(grep -n . ../a.txt | cut -d: -f1) )); cd ..', 'x=1'],
    ['declare -A m; m[a]="$x"; y=$((m[a])); cd ..', lines],
  ])('end the rest of a line in arithmetic: %s', async (line, before) => {
    expect(await says(`${before}\ncd src; ${line}\nrm c`)).toContainEqual('fs.delete src/c (rm)');
  });

  it.each([
    'head -n "$x" a.txt',
    'sed -n "${x}p" a.txt',
    '[ "$x" -gt 3 ] && cat a.txt',
    'grep -e "$x" a.txt',
  ])('are one word in quotes: %s', async (line) => {
    expect(await says(`${lines}; ${line}`)).toEqual([
      'fs.read a.txt (grep)',
      ...(line.startsWith('grep') ? [] : [`fs.read a.txt (${/cat|sed|head/.exec(line)?.[0]})`]),
    ]);
  });
});

describe('shell.run › a number within the head of a loop', () => {
  it.each(['${#s}', '${#a[@]}', '$#'])('is known to have no sign: %s', async (number) => {
    const line = `s=abc; a=(1 2); for ((i = 0; i<${number}; i++)); do cat a.txt; done`;
    expect(await says(line)).toEqual(['fs.read a.txt (cat)']);
  });

  it.each(['y=3; n=$(wc -l < a.txt)', 'y=3; n=$((0 - 1))', 'y=3; n=', 'y=3; n=-1', 'y=3; n=$!'])(
    'may begin with one, or be missing: %s',
    async (before) => {
      const line = `${before}; for ((i = 0; i < -$n-y; i++)); do :; done; cat "$y"`;
      expect(await says(line)).toContainEqual(expect.stringContaining('proc.exec.opaque'));
    },
  );
});

describe('shell.run › a part of a text that begins at a number', () => {
  const slices = [
    '${s:$i:1}',
    '${s:i:1}',
    '${s:i + 1}',
    '${s:0:$((i))}',
    '${s:$((i - 1)):${#s}}',
    '${s:(-1)}',
  ];

  it.each(slices)('has no effect: %s', async (slice) => {
    expect(await says(`s=hello; i=2; echo "${slice}"; cat a.txt`)).toEqual(['fs.read a.txt (cat)']);
  });

  it.each([
    ...slices.slice(0, -1).map((slice) => `i='a[$(id)]'; echo ${slice}`),
    ...slices.slice(0, -1).map((slice) => `i=$(cat a.txt); echo ${slice}`),
    'echo ${s:a[$(id)]:1}',
    'echo ${s:$(id):1}',
    'echo ${s:`id`:1}',
    'echo ${s:0)) ; id; ((1):1}',
    'echo ${s:0:$((id) )}',
    'i=-1; echo ${s:$((3-$i)):1}',
    'i=-1; echo ${s:3-$((i)):1}',
    'echo ${s:"$i":1}',
  ])('is not described where it may be evaluated again: %s', async (line) => {
    expect(await says(`s=hello; ${line}`)).toContainEqual(expect.stringContaining('proc.exec.opaque'));
  });

  it.each(['${s:0:i}', '${s:0:$i}', '${s:$i:$((0 - i))}'])('may end the line: %s', async (slice) => {
    const lines = `x=.env; s=abc; i=-9\n: ${slice}; x=a.txt\ncat "$x"`;
    expect(await says(lines)).toContain('secret.read .env (cat)');
  });
});
