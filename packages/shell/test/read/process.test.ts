// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = { 'a.txt': 'a', 'b.txt': 'b', 'src/main.ts': '', a: '' };

/** A line, and its effects besides the programs that it starts. */
const rows: readonly (readonly [string, readonly string[]])[] = [
  ['diff <(sort a.txt) <(sort b.txt)', ['fs.read a.txt (sort)', 'fs.read b.txt (sort)']],
  ['comm -12 <(ls src) b.txt', ['fs.list src (ls)', 'fs.read b.txt (comm)']],
  ['diff -r <(ls src) src/main.ts', ['fs.list src (ls)', 'fs.read src/main.ts (diff)']],
  ['grep -f <(cat a.txt) b.txt', ['fs.read a.txt (cat)', 'fs.read b.txt (grep)']],
  ['grep x <(cat a.txt)', ['fs.read a.txt (cat)']],
  ['awk "{ print }" <(cat a.txt) b.txt', ['fs.read a.txt (cat)', 'fs.read b.txt (awk)']],
  ['sed -n 1p <(cat a.txt)', ['fs.read a.txt (cat)']],
  ['env wc -l <(cat <(cat a.txt))', ['fs.read a.txt (cat)']],
  ["bash -c 'cat <(cat a.txt)'", ['code.eval bash (bash)', 'fs.read a.txt (cat)']],
  ['x="$(sort <(cat a.txt))"; echo "$x"', ['fs.read a.txt (cat)']],
  ['diff \\\n  <(cat a.txt) \\\n  <(cat b.txt)', ['fs.read a.txt (cat)', 'fs.read b.txt (cat)']],
  [
    'while read -r p; do rm "$p"; done < <(find src -type f)',
    ['fs.list src (find)', 'fs.delete src/main.ts (rm)'],
  ],
  ["xargs cat < <(printf '%s\\n' a.txt b.txt)", ['fs.read a.txt b.txt (cat)']],
  ['bash < <(echo rm a.txt)', ['code.eval bash (bash)', 'fs.delete a.txt (rm)']],
  ["bash < <(printf %s 'rm a' .txt)", ['code.eval bash (bash)', 'fs.delete a.txt (rm)']],
  ["bash < <(cat <<< 'rm a.txt' | cat)", ['code.eval bash (bash)', 'fs.delete a.txt (rm)']],
  ["bash < <(cat -n <<< 'rm a.txt')", ['code.eval bash (bash)', 'proc.exec.opaque bash']],
  [
    "bash < <({ cat > b.txt; cat; } <<< 'rm a.txt')",
    ['code.eval bash (bash)', 'fs.write b.txt (shell)', 'proc.exec.opaque bash'],
  ],
  ['{ cat; } 0< <(cat a.txt) > out', ['fs.read a.txt (cat)', 'fs.write out (shell)']],
  // It is a subshell.
  ['cat <(cd src; x=b.txt; exit) "${x:-a.txt}"', ['fs.read a.txt (cat)']],
  // Lines of one pipe, or of both.
  [
    'comm -23 <(ls a a.txt) <(cat a) | xargs rm',
    ['fs.delete a a.txt (rm)', 'fs.list a a.txt (ls)', 'fs.read a (cat)'],
  ],
  ['comm -1 -3 <(cat a) <(printf "a\\nb.txt") | xargs rm', ['fs.delete a b.txt (rm)', 'fs.read a (cat)']],
  ['comm -12 <(echo a) <(echo b.txt) | xargs rm', ['fs.delete a b.txt (rm)']],
  ['comm -12 <(echo a) <(cat a) | xargs rm', ['fs.delete.outside and others (rm)', 'fs.read a (cat)']],
  ['comm -3 <(echo a) <(echo b.txt) | xargs rm', ['fs.delete.outside and others (rm)']],
  ['comm -23 --total <(echo a) <(echo b.txt) | xargs rm', ['fs.delete.outside and others (rm)']],
  ['comm -13 <(echo a) a.txt | xargs rm', ['fs.delete.outside and others (rm)', 'fs.read a.txt (comm)']],
  // It runs beside what comes before and after it.
  ['cat n*.txt; cat <(touch n.txt)', ['fs.read n*.txt n.txt (cat)', 'fs.write n.txt (touch)']],
  ['cat <(cat n*.txt); touch n.txt', ['fs.read n*.txt n.txt (cat)', 'fs.write n.txt (touch)']],
  // The output is that of the pipe, and not some lines of the input.
  ['echo b.txt | sort <(echo a.txt) | xargs rm', ['fs.delete.outside and others (rm)']],
  // It may read a part of the standard input.
  ["printf 'a.txt\\nb.txt\\n' | { echo x < <(head -c 2); xargs rm; }", ['fs.delete.outside and others (rm)']],
  ['cat <(xargs rm)', []],
  ['echo < a.txt < <(xargs rm)', ['fs.read a.txt (shell)', 'fs.delete.outside and others (rm)']],
  ["printf 'a.txt\\n' | cat <(xargs rm)", ['fs.delete.outside and others (rm)']],
  ['xargs -a <(echo a.txt) cat', ['fs.read a.txt (cat)']],
  ['echo b.txt | xargs -a <(echo a.txt) grep x -', ['fs.read a.txt (grep)']],
  [
    'xargs --arg-file=a.txt -a <(cat a) -I{} rm {}',
    [
      'fs.delete.outside and others (rm)',
      'fs.read a.txt (xargs)',
      'fs.read a (cat)',
      'proc.exec.opaque xargs',
    ],
  ],
  [
    'echo b.txt | { xargs -a <(echo a.txt) head -c 1; xargs rm; }',
    ['fs.read a.txt (head)', 'fs.delete.outside and others (rm)'],
  ],
  ['xargs -a <(cat b.txt) rm', ['fs.delete.outside and others (rm)', 'fs.read b.txt (cat)']],
  // A program writes to commands.
  ['cat a.txt > >(tee out)', ['fs.read a.txt (cat)', 'fs.write out (tee)']],
  ['{ cat a.txt; } 2> >(grep -v x >&2) > >(sort > out)', ['fs.read a.txt (cat)', 'fs.write out (shell)']],
  ['cat a.txt | tee >(wc -l) >(sort > out) | head -1', ['fs.read a.txt (cat)', 'fs.write out (shell)']],
  ['sort a.txt -o >(cat)', ['fs.read a.txt (sort)']],
  ['echo a.txt > >(xargs rm)', ['fs.delete.outside and others (rm)']],
  ['echo a.txt | tee >(xargs rm)', ['fs.delete.outside and others (rm)']],
  ['cat n*.txt; echo x > >(tee n.txt)', ['fs.read n*.txt n.txt (cat)', 'fs.write n.txt (tee)']],
  ['echo x > >(cd src && rm main.ts); cat a.txt', ['fs.delete src/main.ts (rm)', 'fs.read a.txt (cat)']],
  // What they print may come between.
  ['echo b.txt > >(echo a.txt) | xargs rm', ['fs.delete.outside and others (rm)']],
  ['echo b.txt | tee >(echo a.txt) | xargs rm', ['fs.delete.outside and others (rm)']],
  [
    '{ tee >(echo a.txt) > /dev/null < b.txt; echo b.txt; } | xargs rm',
    ['fs.delete.outside and others (rm)', 'fs.read b.txt (shell)'],
  ],
  ['if echo x 2> >(echo a.txt); then echo b.txt; fi | xargs rm', ['fs.delete.outside and others (rm)']],
];

describe('shell.run › the output of commands as a file', () => {
  const { says } = project(files);
  it.each(rows)('%s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });
});

/** Programs that do more with the word than read it. */
const opaque = [
  'ls >(cat)',
  'cp a.txt >(cat)',
  'bash >(cat)',
  'rm >(cat)',
  'gzip >(cat)',
  'tar cf >(cat) a.txt',
  'cat <(ls) >(cat)',
  'grep -r x <(ls)',
  'rg x <(ls)',
  'ls <(ls)',
  'cp <(ls) new',
  'tee <(ls)',
  'sort -o <(ls) a.txt',
  'uniq <(ls) <(ls)',
  'sed -i s/a/b/ <(ls)',
  'sed -f <(ls) a.txt',
  'gzip <(ls)',
  'zcat <(ls)',
  'rm <(ls)',
  'stat <(ls)',
  'tar xf <(ls)',
  'find <(ls)',
  'git commit -F <(ls)',
  'git diff --no-index <(ls) a.txt',
  'xargs -a >(ls) cat',
  'xargs -a a.txt rm',
  'head -n <(ls) a.txt',
  'bash <(echo ls)',
  "bash -c 'ls' _ <(ls)",
  'python3 <(ls)',
  'make -f <(ls)',
  'curl -T <(ls) http://example.com',
  './build.sh <(ls)',
  "sh -c 'cat <(ls)'",
  "sh < <(echo 'cat <(ls)')",
];

describe('shell.run › the output of commands as another word', () => {
  const { describe: described, says } = project(files);

  it.each(opaque)('makes the program opaque: %s', async (line) => {
    const found = (await described(line)).filter(({ name }) => name === 'proc.exec.opaque');
    expect(found).toHaveLength(1);
    expect(found[0]).toHaveProperty('program');
  });

  it('says why', async () => {
    expect(await described('tee <(ls)')).toContainEqual(
      expect.objectContaining({ why: '`<(ls)` is described only where it is read as a file' }),
    );
  });

  it('keeps the description of what follows', async () => {
    expect(await says('tee <(ls); cat a.txt')).toContain('fs.read a.txt (cat)');
  });
});

/** Places where the whole rest of the line is unknown. */
const outside = [
  'ls 3> >(cat)',
  'ls 0> >(cat)',
  'ls >> >(cat)',
  'ls &> >(cat)',
  'ls <> >(cat)',
  'ls > >(cat)x',
  'ls >>(cat)',
  'echo >(cat)',
  'echo <(ls)',
  'test -f <(ls)',
  'printf %s <(ls)',
  '. <(ls)',
  'source <(ls)',
  'command cat <(ls)',
  'export <(ls)',
  '<(ls)',
  '$x <(ls)',
  'x=<(ls)',
  'x=<(ls) ls',
  'cat --file=<(ls)',
  'x=(<(ls))',
  '[[ -f <(ls) ]]',
  'for f in <(ls); do :; done',
  'case <(ls) in *) ;; esac',
  'case x in <(ls)) ;; esac',
  'cat ${x:-<(ls)}',
  'cat 3< <(ls)',
  'cat <> <(ls)',
  'cat > <(ls)',
  'cat <& <(ls)',
  'cat <<< <(ls)',
  'mapfile -t -n 1 x < <(ls)',
  // The shell takes what stands beside it for a part of the word.
  'cat a<(ls)',
  'cat 3<(ls)',
  'cat <(ls)b',
  'cat <(ls)"b"',
  'cat <(ls)<(ls)',
  'cat <(ls)#',
  'cat <(ls) <(ls)#',
  'cat a\\ <(ls)',
  'cat a\\\n<(ls)',
  'cat <(ls)\\\nb',
  'cat < <(ls)b',
  'cat {<(ls),a}',
  // The text is not the written one.
  'echo `cat <(ls) `',
  'cat <<E\n$(cat <(ls))\nE',
  'cat <(if)',
  'cat <(ls',
];

describe('shell.run › the output of commands elsewhere', () => {
  const { describe: described } = project(files);

  it.each(outside)('makes the rest of the line opaque: %s', async (line) => {
    const capabilities = await described(`cat b.txt; ${line}\nrm a.txt`);
    const why = capabilities.map((each) => JSON.stringify(each.why ?? ''));
    expect(why.some((each) => each.includes('everything after it'))).toBe(true);
    expect(capabilities.some(({ name }) => name === 'fs.delete')).toBe(false);
  });

  it('ends in bounded time', async () => {
    const line = `cat ${'<(a) '.repeat(20_000)}`;
    expect(await described(line)).toContainEqual(expect.objectContaining({ name: 'proc.exec.opaque' }));
  });
});
