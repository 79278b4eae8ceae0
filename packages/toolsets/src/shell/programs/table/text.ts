import type { ProgramTable } from '../spec.js';

/** Programs with a language of their own for text and data. */
export const textPrograms: ProgramTable = {
  sed: {
    flags:
      '-E -n -r -s -u -z -l -a --debug --follow-symlinks --null-data --posix --quiet --regexp-extended --sandbox --separate --silent --unbuffered',
    values: '--line-length',
    options: {
      '-e --expression': 'code:sed',
      '-f --file': 'load:sed',
      '-i --in-place': '?value',
      '-I': 'value',
    },
    operands: [
      'code:sed unless -e -f --expression --file',
      '...read unless -i -I --in-place',
      '...read+write if -i -I --in-place unless -i= -I',
      '...read+write+write:{-i} if -i=',
      '...read+write+write:{-I} if -I unless -i=',
    ],
  },
  gsed: { like: 'sed' },
  awk: {
    flags:
      '-b -c -C -g -h -k -M -N -n -O -P -r -s -S -t -V --characters-as-bytes --traditional --copyright --gen-pot --csv --bignum --use-lc-numeric --non-decimal-data --optimize --posix --re-interval --no-optimize --sandbox --lint-old --trace -L? --lint?',
    values: '-F -v --field-separator --assign -W -m',
    options: {
      '-f -E --file --exec': 'load:awk',
      '-i --include': 'code:awk-include',
      '-l --load': 'load:awk',
      '-e --source': 'code:awk',
      '-d -o -p --dump-variables --pretty-print --profile': '?write',
      '-D --debug': '?load',
    },
    isPosix: true,
    operands: ['code:awk unless -f -E -e --file --exec --source', '...code:awk-operand'],
    does: ['write awkprof.out if -p --profile -o --pretty-print -d --dump-variables'],
  },
  gawk: { like: 'awk' },
  mawk: { like: 'awk' },
  nawk: { like: 'awk' },
  jq: {
    flags:
      '-a -c -C -e -h -j -M -n -r -R -s -S -V --ascii-output --build-configuration --color-output --compact-output --exit-status --join-output --monochrome-output --null-input --raw-input --raw-output --raw-output0 --seq --slurp --sort-keys --stream --stream-errors --tab --unbuffered --args --jsonargs',
    values: '--indent',
    options: {
      '--arg --argjson': 'value, value',
      '--slurpfile --rawfile --argfile': 'value, read',
      '-f --from-file': 'load',
      '-L --library-path': 'read/**+load',
    },
    operands: [
      'code:jq unless -f --from-file',
      '...read unless --args --jsonargs',
      '...value if --args --jsonargs',
    ],
  },
  gojq: { like: 'jq', flags: '--yaml-input --yaml-output' },
  jaq: { like: 'jq' },
  yq: {
    flags:
      '-C -e -h -j -M -n -N -P -r -s? -v -V -0 -y -Y -S -c -R --colors --exit-status --no-colors --null-input --no-doc --prettyPrint --unwrapScalar --verbose --yaml-output --raw-output --sort-keys --tojson',
    values:
      '-I -o -p --indent --output-format --input-format --arg --front-matter --header-preprocess --split-exp',
    options: { '-i --inplace': '?value', '--from-file': 'read', '--split-exp-file': 'read' },
    operands: [
      'code:yq-first',
      '...read+code:yq-more unless -i --inplace',
      '...read+write+code:yq-more if -i --inplace',
    ],
    does: ['write/** . if -s --split-exp'],
  },
  xmllint: {
    isDashed: true,
    flags:
      '--noent --nonet --noout --nodict --nocatalogs --noblanks --nocdata --nodefdtd --noenc --nofixup-base-uris --noxincludenode --format --c14n --c14n11 --exc-c14n --canonicalize --recover --huge --html --htmlout --xmlout --valid --postvalid --dtdattr --loaddtd --debug --debugent --copy --dropdtd --insert --memory --nsclean --nowarning --nowrap --oldxml10 --push --pushsmall --quiet --repeat --sax --sax1 --stream --timing --testIO --walker --xinclude --auto --chkregister --catalogs --load-trace --shell',
    values: '--xpath --encode --pattern --pretty --maxmem --max-ampl --dtdvalidfpi',
    options: {
      '--output -o': 'output',
      '--schema --relaxng --schematron --dtdvalid': 'read|url',
      '--path': 'read',
    },
    operands: ['...read|url'],
    does: [
      'opaque:the document may name other files and hosts if --noent --xinclude --loaddtd --dtdattr --valid',
      'opaque:commands come through the standard input if --shell',
    ],
  },
  xsltproc: {
    flags: '-v --verbose --html --novalid --noout --nonet --xinclude --timing --profile --debug',
    values: '--maxdepth --maxvars',
    options: {
      '-o --output': 'write',
      '--param --stringparam': 'value, value',
      '--writesubtree': 'write/**',
      '--path': 'read',
    },
    isDashed: true,
    operands: ['load:xslt', '...read|url'],
    does: ['opaque:a stylesheet may read and write files and hosts'],
  },
  xmlstarlet: { isLoose: true, operands: ['value', '...read'], does: ['code:xml ? if none'] },
  xq: { like: 'jq', flags: '-x' },
  tidy: {
    isLoose: true,
    options: { '-o -output': 'write', '-f -file': 'write', '-config': 'read' },
    isDashed: true,
    flags: '-m -modify',
    operands: ['...read unless -m -modify', '...read+write if -m -modify'],
  },
  csvcut: {
    flags: '-n -x -l -z -S -H -K --names --delete-empty-rows --no-header-row',
    values: '-c -C -d -e -q --columns --not-columns --delimiter --encoding',
    operands: ['read'],
  },
  csvlook: { like: 'csvcut', values: '--max-rows --max-columns --max-column-width' },
  csvgrep: {
    like: 'csvcut',
    flags: '-i -a --invert-match --any-match',
    values: '-m -r --match --regex',
    options: { '-f --file': 'read' },
  },
  mlr: {
    isLoose: true,
    operands: ['...read'],
    options: { '-I': '?value', '-f -s': 'load' },
    does: ['code:miller ?'],
  },
  bc: {
    flags: '-h -i -l -q -s -v -w --interactive --mathlib --quiet --standard --warn',
    values: '-e -S -O -I --expression --scale',
    options: { '-f --file': 'read' },
    operands: ['...read'],
  },
  dc: {
    flags: '-h -V -x -i',
    options: { '-e --expression': 'code:dc', '-f --file': 'load:dc' },
    operands: ['...load:dc'],
    does: ['input:dc if none unless -e -f --expression --file -V'],
  },
  m4: { isLoose: true, operands: ['...load:m4'], does: ['input:m4 if none'] },
  envsubst: { flags: '-v -V -h --variables', operands: ['value'], does: ['env.read'] },
  diff: {
    flags:
      '-a -b -B -c -d -e -E -f -H -i -l -n -N -p -P -q -r -s -t -T -u -v -w -y -Z -# --brief --color? --context? --ed --expand-tabs --ignore-all-space --ignore-blank-lines --ignore-case --ignore-file-name-case --no-ignore-file-name-case --ignore-space-change --ignore-tab-expansion --ignore-trailing-space --initial-tab --left-column --minimal --new-file --no-dereference --normal --paginate --rcs --recursive --report-identical-files --show-c-function --side-by-side --speed-large-files --strip-trailing-cr --suppress-blank-empty --suppress-common-lines --text --unidirectional-new-file --unified?',
    values:
      '-C -D -F -I -L -S -U -W -x --exclude --horizon-lines --ifdef --ignore-matching-lines --label --line-format --new-group-format --new-line-format --old-group-format --old-line-format --palette --show-function-line --starting-file --tabsize --unchanged-group-format --unchanged-line-format --changed-group-format --width --LTYPE-line-format --GTYPE-group-format',
    options: { '-X --exclude-from': 'read', '--from-file --to-file': 'read' },
    operands: ['...read unless -r --recursive', '...read/** if -r --recursive'],
  },
  colordiff: { like: 'diff' },
  diff3: {
    flags: '-A -a -e -E -i -m -T -x -X -3 --text --merge --initial-tab',
    values: '-L --label --strip-trailing-cr',
    options: { '--diff-program': 'run' },
    operands: ['...read'],
  },
  sdiff: {
    flags: '-a -b -B -d -E -H -i -l -s -t -W -Z --text --left-column --suppress-common-lines',
    values: '-I -w --width --ignore-matching-lines',
    options: { '-o --output': 'write', '--diff-program': 'run' },
    operands: ['read', 'read'],
  },
  vimdiff: { like: 'vim' },
  wdiff: { flags: '-1 -2 -3 -a -c -i -l -n -p -s -t -z', values: '-w -x -y', operands: ['read', 'read'] },
  delta: { isLoose: true, options: { '--pager': 'code:command', '--config': 'read' }, operands: ['...read'] },
  difft: {
    flags: '--check-only',
    values: '--color --display --context --width --background --language --tab-width',
    operands: ['...read/**'],
  },
  patch: {
    isMovedFirst: true,
    flags:
      '-b -c -e -E -f -l -n -N -R -s -t -T -u -v -Z --backup --backup-if-mismatch --batch --binary --context --dry-run --ed --follow-symlinks --force --forward --ignore-whitespace --merge? --no-backup-if-mismatch --normal --posix --quiet --remove-empty-files --reverse --set-time --set-utc --silent --unified --verbose',
    values:
      '-B -D -F -g -p -V -Y -z --basename-prefix --fuzz --get --ifdef --prefix --quoting-style --read-only --reject-format --strip --suffix --version-control',
    options: {
      '-d --directory': 'folder',
      '-i --input': 'read',
      '-o --output': 'output',
      '-r --reject-file': 'output',
    },
    operands: ['read+write', 'read'],
    does: [
      'write/** . if none unless --dry-run',
      'delete/** . if none unless --dry-run',
      'run ed if -e --ed',
    ],
  },
  lynx: {
    isLoose: true,
    isDashed: true,
    flags: '-dump -source',
    options: { '-cfg': 'load', '-term': 'value' },
    operands: ['connect'],
    does: ['connect ? if none'],
  },
  w3m: {
    isLoose: true,
    options: { '-o -T -cols': 'value' },
    isDashed: true,
    operands: ['...connect+read'],
  },
  links: { isLoose: true, operands: ['connect'] },
  elinks: { isLoose: true, operands: ['connect'] },
  pandoc: {
    flags:
      '-s -h -v -C -N -i --standalone --toc --table-of-contents --number-sections --citeproc --incremental --self-contained --embed-resources --html-q-tags --ascii --verbose --quiet --fail-if-warnings --preserve-tabs --strip-comments --no-highlight --list-input-formats --list-output-formats --list-extensions? --mathml --mathjax? --katex?',
    values:
      '-V -M --variable --metadata --columns --wrap --toc-depth --shift-heading-level-by --highlight-style --top-level-division --tab-stop --eol --dpi --email-obfuscation --id-prefix --title-prefix --markdown-headings --reference-location --slide-level --track-changes',
    options: {
      '-o --output': 'output',
      '--filter -F': 'run',
      '-f -r -t -w --from --read --to --write': 'code:pandoc-format',
      '-L --lua-filter': 'load:lua',
      '-d --defaults': 'load',
      '--pdf-engine': 'run',
      '--template --bibliography --csl --metadata-file --reference-doc --abbreviations --include-in-header -H --include-before-body -B --include-after-body -A --syntax-definition --css -c --epub-cover-image --epub-metadata --epub-embed-font':
        'read|url',
      '--resource-path --data-dir --extract-media': 'read/**+write/**',
      '--log': 'write',
    },
    operands: ['...read|url'],
  },
};
