import type { ProgramTable } from '../spec.js';

/** Programs that look for text in files, and for files. */
export const searchingPrograms: ProgramTable = {
  grep: {
    flags:
      '-a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -R -s -T -u -U -v -V -w -x -y -z -Z -# --basic-regexp --binary --byte-offset --color? --colour? --count --dereference-recursive --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --initial-tab --invert-match --line-buffered --line-number --line-regexp --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --silent --text --with-filename --word-regexp',
    values:
      '-A -B -C -d -D -e -m --after-context --before-context --binary-files --context --devices --directories --exclude --exclude-dir --include --label --max-count --regexp --group-separator',
    options: { '-f --file': 'read', '--exclude-from': 'read' },
    operands: [
      'value unless -e --regexp -f --file',
      '...read unless -r -R --recursive --dereference-recursive -d --directories',
      '...read/**=. if -r -R --recursive --dereference-recursive -d --directories',
    ],
  },
  egrep: { like: 'grep' },
  fgrep: { like: 'grep' },
  zgrep: { like: 'grep' },
  zegrep: { like: 'grep' },
  zfgrep: { like: 'grep' },
  bzgrep: { like: 'grep' },
  xzgrep: { like: 'grep' },
  zstdgrep: { like: 'grep' },
  pcregrep: { like: 'grep', flags: '-M --multiline' },
  pcre2grep: { like: 'pcregrep' },
  rg: {
    flags:
      '-. -a -b -c -F -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -z -0 -h --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --no-byte-offset --case-sensitive --column --no-column --context-separator? --no-context-separator --count --count-matches --crlf --no-crlf --debug --files --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --hidden --no-hidden --ignore-case --ignore-file-case-insensitive --no-ignore-file-case-insensitive --include-zero --invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered --line-number --no-line-number --line-regexp --max-columns-preview --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename --with-filename --no-ignore --ignore --no-ignore-dot --ignore-dot --no-ignore-exclude --no-ignore-files --ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --passthrough --pcre2 --no-pcre2 --pcre2-version --pretty --quiet --search-zip --no-search-zip --smart-case --sort-files --stats --no-stats --stop-on-nonmatch --text --no-text --trace --trim --no-trim --type-list --unrestricted --vimgrep --word-regexp --no-pre',
    values:
      '-A -B -C -d -e -E -g -j -m -M -r -t -T --after-context --before-context --color --colors --context --dfa-size-limit --encoding --engine --field-context-separator --field-match-separator --generate --glob --hyperlink-format --iglob --max-columns --max-count --max-depth --maxdepth --max-filesize --path-separator --pre-glob --regexp --regex-size-limit --replace --sort --sortr --threads --type --type-add --type-clear --type-not',
    options: { '-f --file': 'read', '--ignore-file': 'read', '--pre --hostname-bin': 'run' },
    operands: ['value unless -e --regexp -f --file --files --type-list', '...read/**=. unless --type-list'],
    does: ['gzip', 'bzip2', 'xz', 'lz4', 'brotli', 'zstd'].map((each) => `run ${each} if -z --search-zip`),
  },
  ripgrep: { like: 'rg' },
  ag: {
    flags:
      '-a -c -D -f -F -H -i -l -L -o -Q -r -R -s -S -u -U -v -V -w -z -0 -t --ackmate --all-text --all-types --break --nobreak --color --nocolor --column --count --filename --nofilename --files-with-matches --files-without-matches --fixed-strings --follow --group --nogroup --hidden --ignore-case --invert-match --literal --list-file-types --no-numbers --null --numbers --only-matching --one-device --passthrough --print-long-lines --recurse --no-recurse --search-binary --search-files --search-zip --silent --skip-vcs-ignores --smart-case --stats --stats-only --unrestricted --vimgrep --word-regexp',
    values:
      '-A -B -C -g -G -m -W --after --before --context --depth --file-search-regex --ignore --ignore-dir --max-count --width --workers --color-match --color-path --color-line-number',
    options: { '-p --path-to-ignore': 'read', '--pager': 'code:command' },
    operands: ['value unless -g', '...read/**=.'],
  },
  ack: {
    flags:
      '-c -f -F -h -H -i -I -k -l -L -n -o -Q -r -R -s -S -v -w -x -1 --break --nobreak --color --nocolor --colour --column --count --files-with-matches --files-without-matches --follow --nofollow --group --nogroup --heading --ignore-case --invert-match --literal --match --no-filename --passthru --print0 --recurse --no-recurse --smart-case --sort-files --with-filename --word-regexp',
    values:
      '-A -B -C -g -m -t --type --after-context --before-context --context --ignore-dir --ignore-file --max-count --output',
    options: { '--files-from': 'read', '--pager': 'code:command', '--ackrc': 'load' },
    operands: ['value unless -f -g', '...read/**=.'],
  },
  fd: {
    flags:
      '-0 -1 -a -F -g -H -i -I -l -L -p -q -s -u --absolute-path --case-sensitive --fixed-strings --follow --full-path --glob --has-results --hidden --ignore-case --list-details --no-ignore --no-ignore-vcs --no-ignore-parent --no-global-ignore-file --one-file-system --print0 --prune --quiet --regex --show-errors --strip-cwd-prefix? --unrestricted --no-follow --no-hidden --and',
    values:
      '-c -d -e -E -j -o -S -t --changed-before --changed-within --color --exact-depth --exclude --extension --format --max-depth --max-results --min-depth --older --newer --owner --path-separator --size --threads --type --max-buffer-time --batch-size --hyperlink',
    options: {
      '-C --base-directory': 'folder',
      '--ignore-file': 'read',
      '--search-path': 'list/**',
      '-x --exec': 'command:;',
      '-X --exec-batch': 'command:;',
    },
    operands: ['value', '...list/**=.'],
  },
  fdfind: { like: 'fd' },
  find: {
    flags:
      '-H -L -P -E -X -d -s -x -and -a -o -or -not -true -false -daystart -depth -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn -noleaf -empty -executable -readable -writable -nogroup -nouser -print -print0 -prune -quit -ls -delete -O0 -O1 -O2 -O3 -help -version',
    values:
      '-D -maxdepth -mindepth -regextype -amin -atime -cmin -ctime -mmin -mtime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -path -perm -regex -size -type -uid -used -user -wholename -xtype -context -printf -flags',
    options: {
      '-name': 'value',
      '-anewer -cnewer -newer -samefile -newer*': 'exists',
      '-files0-from': 'read+opaque:which folders it looks in is said by a file',
      '-fprint -fprint0 -fls': 'write',
      '-fprintf': 'write, value',
      '-exec -execdir -ok -okdir': 'command:;',
    },
    ignored: '( ) ! ,',
    isDashed: true,
    operands: ['...list/**=. unless -delete', '...list/**+delete/**=. if -delete'],
  },
  locate: {
    flags:
      '-A -b -c -e -i -L -p -P -q -r -S -w -0 -N -V --all --basename --count --existing --ignore-case --wholename --regex --statistics --null --quiet --follow --nofollow',
    values: '-l -n --limit --regexp',
    options: { '-d --database': 'read' },
    operands: ['...value'],
    does: ['list/** /'],
  },
  plocate: { like: 'locate' },
  mlocate: { like: 'locate' },
  which: {
    flags:
      '-a -s -i --all --skip-dot --skip-tilde --show-dot --show-tilde --tty-only --read-alias --skip-alias',
    operands: ['...value'],
  },
  whereis: {
    flags: '-b -m -s -u -l -g',
    options: { '-B -M -S': 'list', '-f': 'value' },
    operands: ['...value'],
  },
  whatis: {
    flags: '-d -r -w -l -k -v --regex --wildcard --long',
    values: '-s -L -m -M -C',
    operands: ['...value'],
  },
  apropos: { like: 'whatis' },
  fzf: {
    flags:
      '-e -i -m -x -0 -1 -q? --exact --multi? --no-multi --no-sort --cycle --ansi --select-1 --exit-0 --print0 --read0 --reverse --tac --border? --print-query --sync',
    values:
      '-d -f -n --delimiter --filter --height --layout --margin --nth --with-nth --prompt --query --header --pointer --marker --info --color --scheme --tiebreak --min-height --padding --expect',
    options: {
      '--preview': 'code:sh',
      '--bind': 'code:sh',
      '--history': 'write',
      '--listen': 'net.listen',
    },
  },
};
