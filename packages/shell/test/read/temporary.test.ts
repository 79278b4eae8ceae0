// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { says } = project({
  'a.txt': 'a',
  '.env': 'SECRET=1',
  '.git/hooks/': '',
  'src/a.ts': 'x',
  link: '-> /etc',
});

/** The name that `mktemp` chooses, as a description has it. */
const made = '/tmp/tmp.XXXXXXXXXX';
const written = `fs.write.outside ${made} (mktemp)`;

describe('mktemp', () => {
  it.each([
    ['mktemp', [written]],
    ['mktemp -d', [written]],
    ['mktemp -d -t', [written]],
    ['mktemp -p "" --suffix=.json', [`fs.write.outside ${made}.json (mktemp)`]],
    ['mktemp -d /tmp/my.XXXXXX', ['fs.write.outside /tmp/my.XXXXXX (mktemp)']],
    ['mktemp --tmpdir=src x.XXXXXX.ts', ['fs.write src/x.XXXXXX.ts (mktemp)']],
    ['mktemp .git/hooks/XXXXXX', ['fs.write .git/hooks/XXXXXX (mktemp)', 'sys.persist .git/hooks/XXXXXX']],
    ['mktemp link/XXXXXX', ['fs.write link/XXXXXX (mktemp)', 'fs.write.outside /etc/XXXXXX (mktemp)']],
  ])('says which file `%s` makes', async (line, expected) => {
    expect(await says(line)).toEqual(expected);
  });

  it.each([
    [
      'd=$(mktemp -d) && cp a.txt "$d"/',
      [written, 'fs.read a.txt (cp)', `fs.write.outside ${made}/a.txt (cp)`],
    ],
    [
      'd=$(mktemp -d) && cd "$d" && cat x && ls',
      [
        written,
        `fs.read.outside ${made}/x (cat)`,
        `fs.list.outside ${made} (ls)`,
        `fs.read.outside ${made} (ls)`,
      ],
    ],
    ['d=$(mktemp -d); rm -rf "$d"', [written, `fs.delete.outside ${made} (rm)`]],
    [
      'd=$(mktemp -d); trap \'rm -rf "$d"\' EXIT; ls src',
      [`fs.write.outside ${made} (mktemp)`, 'fs.list src (ls)', `fs.delete.outside ${made} (rm)`],
    ],
    [
      'f=$(mktemp); sort a.txt > "$f"; diff "$f" a.txt',
      [written, 'fs.read a.txt (sort)', `fs.write.outside ${made} (shell)`, `fs.read.outside ${made} (diff)`],
    ],
    ['f=$(mktemp); sort a.txt > $f; rm $f', [written, `fs.write.outside ${made} (shell)`]],
    ['if d=$(mktemp -d); then touch "$d/x"; fi', [written, `fs.write.outside ${made}/x (touch)`]],
    ['d=$(mktemp -d) || exit 1; touch "$d/x"', [written, `fs.write.outside ${made}/x (touch)`]],
    ['d="$(mktemp -d)" && touch "$d/x"', [written, `fs.write.outside ${made}/x (touch)`]],
    ['set -e; d=$(mktemp -d); touch "$d/x"', [written, `fs.write.outside ${made}/x (touch)`]],
    ['set -euo pipefail\nd="$(mktemp -d)"\ntouch "$d/x"', [written, `fs.write.outside ${made}/x (touch)`]],
    [
      'set -o errexit; f() { :; }; f; d=$(mktemp -d); touch "$d/x"',
      [written, `fs.write.outside ${made}/x (touch)`],
    ],
    ["sh -c 'set -e; d=$(mktemp -d); touch $d/x' || ls", [written, `fs.write.outside ${made}/x (touch)`]],
    ['f=$(mktemp "${TMPDIR:-/tmp}/tmp.XXXXXXXXXX") && wc -l "$f"', [written, `fs.read.outside ${made} (wc)`]],
    ['f=$(mktemp ${TMPDIR-/tmp}/tmp.XXXXXXXXXX) && wc -l "$f"', [written, `fs.read.outside ${made} (wc)`]],
    ['mktemp -d | xargs -I{} touch {}/x', [written, `fs.write.outside ${made}/x (touch)`]],
  ])('is followed through `%s`', async (line, expected) => {
    expect(await says(line)).toEqual(expect.arrayContaining(expected));
    expect((await says(line)).filter((each) => /others|opaque/.test(each))).toEqual([]);
  });

  it('may fail, and then prints nothing', async () => {
    expect(await says('d=$(mktemp -d); touch "$d/x"')).toContain(`fs.write.outside ${made}/x /x (touch)`);
    expect(await says('d=$(mktemp -d); cd "$d"; rm a.txt')).toContain(`fs.delete a.txt (rm)`);
    expect(await says('d=$(mktemp -d) && true; touch "$d/x"')).toContain(
      `fs.write.outside ${made}/x /x (touch)`,
    );
    expect(await says('f() { local d=$(mktemp -d) && touch "$d/x"; }; f')).toContain(
      `fs.write.outside ${made}/x /x (touch)`,
    );
    for (const other of [
      '$(flock -n -E 0 a.txt mktemp -d)',
      '$(mktemp -d; true)',
      '$(! mktemp -d)',
      '$(mktemp -d | cat)',
    ])
      expect([other, await says(`d=${other} && touch -- "$d/x"`)]).toEqual([
        other,
        expect.arrayContaining([
          expect.stringMatching(/^fs\.write\.outside.* (?:\/x|and others) \(touch\)$/),
        ]),
      ]);
    expect(await says('x=$(mktemp -d); d=$x && touch "$d/x"')).toContain(
      `fs.write.outside ${made}/x /x (touch)`,
    );
  });

  it.each([
    'set -e; set +e; d=$(mktemp -d)',
    'set -e; set +o errexit; d=$(mktemp -d)',
    'set -eu +e; d=$(mktemp -d)',
    'set -e; f() { set +e; }; f; d=$(mktemp -d)',
    'set -e; x=set; $x +e; d=$(mktemp -d)',
    '[ -e a.txt ] && set -e; d=$(mktemp -d)',
    'set -e; [ -e a.txt ] && set +e; d=$(mktemp -d)',
    'set -e; for i in 1 2; do set +e; done; d=$(mktemp -d)',
    'set -e; d=$(mktemp -d) && true',
    'set -e; ! d=$(mktemp -d)',
    'set -e; f() { d=$(mktemp -d); touch "$d/x"; }; f || true',
    'set -e; if d=$(mktemp -d); touch "$d/x"; then ls; fi',
    'set -e; { d=$(mktemp -d); touch "$d/x"; } || true',
    'x=$(set -e; d=$(mktemp -d); touch "$d/x") || true',
    'd=; set -e; export d=$(mktemp -d)',
    'set -e; f() { local d=$(mktemp -d); touch "$d/x"; }; f',
    'set -u; d=$(mktemp -d)',
    'set -- -e; d=$(mktemp -d)',
    '(set -e); d=$(mktemp -d)',
    'trap \'d=$(mktemp -d); touch "$d/x"\' EXIT; set -e',
    "set -e; sh -c 'd=$(mktemp -d); touch $d/x'",
  ])('may also fail without an end of the shell: %s', async (line) => {
    const said = await says(/touch/.test(line) ? line : `${line}; touch "$d/x"`);
    const isStrict = said.some((each) => / \/x \(touch\)$|opaque|others/.test(each));
    expect([isStrict, said]).toEqual([true, said]);
  });

  /** Its letters are unknown: a part of them may be any, so these may read `.env`. */
  it.each([
    'd=$(mktemp) || exit; cat ".en${d: -1}"',
    'd=$(mktemp) || exit; x=${d#/tmp/tmp.?????????}; cat ".en$x"',
    'd=$(mktemp) || exit; x=${d//[!v]/}; cat ".en$x"',
    'd=$(mktemp) || exit; cat ".en${d##*a}"',
    'd=$(mktemp) || exit; cat ".en${d//[!v]/}"',
    'd=$(mktemp) || exit; x=$(cut -d a -f 2 <<< "$d"); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(echo "$d" | sed \'s/.*a//\'); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(awk -F a \'{print $2}\' <<< "$d"); cat ".en$x"',
    'd=$(mktemp) || exit; for x in $(echo "$d" | tr a /); do cat ".en${x##*/}"; done',
    'd=$(mktemp) || exit; x=$(find "$d" | cut -d a -f 2); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(wc -l "$d" | cut -d a -f 2); cat ".en$x"',
    'd=$(mktemp) || exit; wc -l "$d" | while IFS=a read -r x y; do cat ".en$y"; done',
    'd=$(mktemp) || exit; x=$(printf "%s\\n" a.txt "$d" | grep "[a-m]$"); cat "${x:-.env}"',
    'd=$(mktemp) || exit; x=$(comm -12 <(echo "$d") <(echo "$d")); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(dirname "$d/a"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(xargs <<< "$d"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(cat <<< "$d"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(date +"$d"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; set -- "$d"; cat ".en${1##*a}"',
    'd=$(mktemp) || exit; a=("$d"); cat ".en${a[0]##*a}"',
    'd=$(mktemp) || exit; cat ".en${d:+${d##*a}}"',
    'd=$(mktemp) || exit; readarray -t -d "" a <<< "$d"; cat ".en${a[0]##*a}"',
    'd=$(mktemp) || exit; x=$(git -C "$d" rev-parse --show-toplevel); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(sh -c "echo $d"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; eval "x=$d"; cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(realpath "$d"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(env echo "$d"); cat ".en${x##*a}"',
    'd=$(mktemp) || exit; x=$(uniq -c <<< "$d" | cut -d a -f 2); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(grep -n . <<< "$d" | cut -d a -f 2); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(ls -d "$d" | sort | head -1 | cut -d a -f 2); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(tr a "\n" <<< "$d" | tail -1); cat ".en$x"',
    'd=$(mktemp) || exit; x=${d^^}; cat ".en${x: -1}"',
    'x=$(mktemp | cut -c 19-); cat ".en$x"',
    'x=$(mktemp | sed \'s/^.*\\(.\\)$/\\1/\'); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(echo "$d" | cut -d p -f 3); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(cut -d / -f 3 <<< "$d"); cat ".en${x: -1}"',
    'd=$(mktemp) || exit; x=$(sed \'s/.*v//\' <<< "$d"); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(tr a-u b <<< "$d"); cat ".en${x: -1}"',
    'd=$(mktemp) || exit; x=$(echo "$d" | awk -F v \'{print $2}\'); cat ".en$x"',
    'd=$(mktemp) || exit; x=$(grep \'v$\' <<< "$d"); cat ".env$x"',
    'd=$(mktemp) || exit; [ -n "$(echo "$d" | grep -v \'v$\')" ] || cat .env',
    'd=$(mktemp) || exit; IFS=v read -r x y <<< "$d"; cat ".en$y"',
    'x=$(mktemp | tr -cd v); cat ".en$x"',
    'IFS=v read -r x y <<< "$(mktemp)"; cat ".en$y"',
    'IFS=v read -r x y z <<< "$(mktemp)"; cat ".en$y"',
    'mktemp | while IFS=\'v\' read -r x y; do cat ".en$y"; done',
    'x=$(mktemp | head -c 19); cat ".en${x: -1}"',
    'd=$(mktemp -d) || exit; x=$(basename "$d"); cat ".en${x: -1}"',
    'd=$(mktemp -d) || exit; cd "$d" || exit; x=$PWD; cd - || exit; cat ".en${x: -1}"',
    'd=$(mktemp -d) || exit; for f in /tmp/tmp.*; do cat ".en${f: -1}"; done',
    'd=$(mktemp -d) || exit; x=$(find "$d" | awk -F. \'{print substr($2, 10)}\'); cat ".en$x"',
    'x=$(mktemp .XXX); cat "$x"',
    'x=$(mktemp -u .XXXXXX); cat "$x"',
  ])('does not know a part of the name: %s', async (line) => {
    const said = await says(line);
    const isStrict = said.some((each) => /^(?:secret\.read|proc\.exec\.opaque)/.test(each));
    expect([isStrict, said]).toEqual([true, said]);
  });

  it.each([
    // A pattern may match it, or not.
    ['d=$(mktemp -d src/dXXXXXX) && mv src/a.ts "$d/"; rm -rf src/d[a-m]*', /^fs\.delete.* others.*\(rm\)/],
    ['d=$(mktemp -d) && ln -s ~/.ssh "$d/l"; cat /tmp/tmp.[a-m]*/l/id_rsa', /^secret\.read|opaque/],
    ["d=$(mktemp -d src/dXXXXXX) && find src -name 'd[a-m]*' -delete", /^fs\.delete.* others.*\(find\)/],
    ['d=$(mktemp -d src/dXXXXXX) && x=$(ls -d src/d* | grep "d[a-m]"); rm -r "$x/y"', /^fs\.delete.* others/],
    // Links of the line in it lead elsewhere.
    ['d=$(mktemp -d) && ln -s "$HOME/.ssh" "$d/l"; cat "$d/l/id_rsa"', /^secret\.read .*\.ssh\/id_rsa/],
    [
      'd=$(mktemp -d) && ln -s src "$d/l" ; rmdir "$d"; ln -s src "$d"; e=$(mktemp -d) && touch "$e/x"',
      /others|opaque/,
    ],
    // What the line puts there is no known program, and no known code.
    ['d=$(mktemp -d) && cp /bin/ls "$d/ls"; "$d/ls"', /^proc\.exec\.opaque/],
    ['f=$(mktemp) && echo id > "$f"; sh "$f"', /^proc\.exec\.opaque/],
    ['f=$(mktemp) && echo id > "$f"; . "$f"', /^proc\.exec\.opaque/],
    ['d=$(mktemp -d) && PATH="$d:$PATH" ls', /^proc\.exec\.opaque/],
    ['TMPDIR=.git/hooks mktemp', /^proc\.exec\.opaque/],
    ['env TMPDIR=.git/hooks mktemp', /^proc\.exec\.opaque/],
    ['mktemp() { echo .env; }; cat "$(mktemp)"', /^secret\.read .*\.env/],
    // The letter that stands for those of the name, in the line itself.
    ['cat .en\ue000', /^proc\.exec\.opaque/],
    // It makes nothing.
    ['f=$(mktemp -u) && echo x > "$f"', /^proc\.exec\.opaque/],
  ])('hides nothing: %s', async (line, expected) => {
    const said = await says(line);
    expect([said.some((each) => expected.test(each)), said]).toEqual([true, said]);
  });
});
