import type { ProgramTable } from '../spec.js';

/** Programs that read files and print. Their options are all here: one that is not makes a command line opaque. */
export const readingPrograms: ProgramTable = {
  cat: {
    flags:
      '-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
    operands: ['...read'],
  },
  tac: { flags: '-b -r --before --regex', values: '-s --separator', operands: ['...read'] },
  head: {
    flags: '-q -v -z --quiet --silent --verbose --zero-terminated -#',
    values: '-c -n --bytes --lines',
    operands: ['...read'],
  },
  tail: {
    flags: '-f --follow? -F -q -v -z -r --quiet --silent --verbose --zero-terminated --retry -#',
    values: '-c -n -s -b --bytes --lines --sleep-interval --pid --max-unchanged-stats',
    operands: ['...read'],
  },
  wc: {
    flags: '-c -m -l -L -w --bytes --chars --lines --max-line-length --words',
    values: '--total',
    options: { '--files0-from': 'read' },
    operands: ['...read'],
  },
  nl: {
    flags: '-p --no-renumber',
    values:
      '-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width',
    operands: ['...read'],
  },
  od: {
    flags:
      '-a -b -c -d -f -h -i -l -o -s -x -v -B -D -H -X -F -I -L -O --output-duplicates --traditional --width? --strings?',
    values: '-A -j -N -S -t -w --address-radix --endian --skip-bytes --read-bytes --format',
    operands: ['...read'],
  },
  hexdump: {
    flags: '-b -c -C -d -o -v -x -X --canonical --no-squeezing -V',
    values: '-e -L -n -s --format --color --length --skip',
    options: { '-f --format-file': 'read' },
    operands: ['...read'],
  },
  hd: { like: 'hexdump' },
  xxd: {
    flags: '-a -b -C -e -E -i -p -ps -plain -postscript -r -revert -u -v -h -d -t',
    values: '-c -cols -g -groupsize -l -len -n -name -o -s -seek -R',
    isDashed: true,
    operands: ['read', 'output'],
  },
  strings: {
    flags: '-a --all -d --data -f --print-file-name -w --include-all-whitespace -# -v -V --version -h -o',
    values: '-n --bytes -t --radix -e --encoding -T --target -s --output-separator -U --unicode -N',
    operands: ['...read'],
  },
  cut: {
    flags: '-n -s -z --complement --only-delimited --zero-terminated',
    values: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter',
    operands: ['...read'],
  },
  paste: {
    flags: '-s -z --serial --zero-terminated',
    values: '-d --delimiters',
    operands: ['...read'],
  },
  join: {
    flags: '-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated',
    values: '-a -e -o -t -v -1 -2 -j',
    operands: ['...read'],
  },
  comm: {
    flags: '-1 -2 -3 -z --check-order --nocheck-order --total --zero-terminated',
    values: '--output-delimiter',
    operands: ['...read'],
  },
  tr: {
    flags: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1',
    operands: ['value', 'value'],
  },
  rev: { flags: '-h -V -0 --zero', operands: ['...read'] },
  fold: {
    flags: '-b -s -c --bytes --spaces --characters -#',
    values: '-w --width',
    operands: ['...read'],
  },
  fmt: {
    flags: '-c -s -t -u --crown-margin --split-only --tagged-paragraph --uniform-spacing -#',
    values: '-g -p -w --goal --prefix --width',
    operands: ['...read'],
  },
  expand: {
    flags: '-i --initial -#',
    values: '-t --tabs',
    operands: ['...read'],
  },
  unexpand: {
    flags: '-a --all --first-only -#',
    values: '-t --tabs',
    operands: ['...read'],
  },
  column: {
    flags: '-e -J -t -L -n -x -l -R -r -d -m --json --table --fillrows -h -V',
    values:
      '-c -C -E -H -i -N -o -O -p -s -T -W --output-width --columns --table-columns --table-name --output-separator --separator --table-right --table-truncate --table-wrap --table-order --table-hide --tree --tree-id --tree-parent --table-noextreme --table-columns-limit',
    operands: ['...read'],
  },
  pr: {
    flags:
      '-a -c -d -e? -f -F -i? -J -m -n? -r -s? -S? -t -T -v -# --across --double-space --expand-tabs? --form-feed --join-lines --merge --number-lines? --omit-header --omit-pagination --show-control-chars',
    values:
      '-D -h -l -N -o -w -W --columns --date-format --header --length --first-line-number --indent --width --page-width',
    operands: ['...read'],
  },
  uniq: {
    flags:
      '-c -d -D -i -u -z --count --repeated --all-repeated? --ignore-case --unique --zero-terminated --group?',
    values: '-f -s -w --skip-fields --skip-chars --check-chars',
    operands: ['read', 'output'],
  },
  sort: {
    flags:
      '-b -c -C -d -f -g -h -i -m -M -n -r -R -s -u -V -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check? --debug --merge --stable --unique --zero-terminated',
    values: '-k -S -t --key --buffer-size --field-separator --sort --parallel --batch-size',
    options: {
      '-o --output': 'write',
      '-T --temporary-directory': 'write/**',
      '--compress-program': 'run',
      '--random-source': 'read',
      '--files0-from': 'read+opaque:which files it reads is said by a file',
    },
    operands: ['...read'],
  },
  shuf: {
    flags: '-e -r -z --echo --repeat --zero-terminated',
    values: '-i -n --input-range --head-count',
    options: { '-o --output': 'write', '--random-source': 'read' },
    operands: ['...read unless -e --echo', '...value if -e --echo'],
  },
  tsort: { flags: '--help --version -w', operands: ['...read'] },
  sha256sum: {
    flags:
      '-b -c -t -z -w --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn',
    operands: ['...read'],
  },
  md5sum: { like: 'sha256sum' },
  sha1sum: { like: 'sha256sum' },
  sha224sum: { like: 'sha256sum' },
  sha384sum: { like: 'sha256sum' },
  sha512sum: { like: 'sha256sum' },
  b2sum: { like: 'sha256sum', values: '-l --length' },
  shasum: { like: 'sha256sum', flags: '-0 -s -U -p', values: '-a --algorithm' },
  cksum: {
    like: 'sha256sum',
    flags: '--raw --base64 --untagged --debug',
    values: '-a -l --algorithm --length',
  },
  sum: { flags: '-r -s --sysv', operands: ['...read'] },
  base64: {
    flags: '-d -D -i --decode --ignore-garbage',
    values: '-w --wrap -b --break',
    options: { '-o --output': 'output' },
    operands: ['read'],
  },
  base32: { like: 'base64' },
  basenc: {
    like: 'base64',
    flags: '--base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 --base58',
  },
  file: {
    flags:
      '-b -c -d -E -h -i -I -k -l -L -N -n -p -r -s -S -v -z -Z -0 -C --compile --brief --checking-printout --dereference --extension --keep-going --mime --mime-type --mime-encoding --no-buffer --no-dereference --no-pad --no-sandbox --preserve-date --print0 --raw --special-files --uncompress --uncompress-noreport --version',
    values: '-e -F -P --exclude --separator --parameter --exclude-quiet',
    options: {
      '-f --files-from': 'read',
      '-m --magic-file': 'read',
    },
    operands: ['...read'],
    does: ['write/** . if -C --compile'],
  },
  look: {
    flags: '-a -d -f --alternative --alphanum --ignore-case',
    values: '-t --terminate',
    operands: ['value', 'read'],
  },
  iconv: {
    flags: '-c -l -s --list --silent --verbose',
    values: '-f -t --from-code --to-code',
    options: { '-o --output': 'output' },
    operands: ['...read'],
  },
  cmp: {
    flags: '-b -l -s --print-bytes --verbose --quiet --silent -v',
    values: '-i -n --ignore-initial --bytes',
    operands: ['read', 'read', 'value', 'value'],
  },
};
