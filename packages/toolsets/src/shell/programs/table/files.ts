import type { ProgramTable } from '../spec.js';

/** Programs that list, make, change and remove files. */
export const filePrograms: ProgramTable = {
  ls: {
    flags:
      '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 -e -O -W --all --almost-all --author --escape --ignore-backups --color? --directory --dired --classify? --file-type --full-time --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --zero --context --group-directories-first --hyperlink?',
    values:
      '-I -T -w -D --block-size --format --hide --indicator-style --ignore --quoting-style --sort --tabsize --time --time-style --width',
    operands: ['...list=. unless -R --recursive', '...list/**=. if -R --recursive'],
  },
  dir: { like: 'ls' },
  vdir: { like: 'ls' },
  exa: {
    flags:
      '-1 -a -A -b -B -d -D -F -g -G -h -H -i -l -m -n -r -R -s? -S -T -u -U -x -@ --all --accessed --across --binary --blocks --bytes --classify? --color-scale? --created --extended --git --git-ignore --group --group-directories-first --grid --header --hyperlink --icons? --inode --links --list-dirs --long --modified --no-icons --no-permissions --no-filesize --no-user --no-time --numeric --octal-permissions --oneline --only-dirs --recurse --reverse --tree --total-size',
    values: '-I -L -t -w --color --colour --ignore-glob --level --sort --time --time-style --width',
    operands: ['...list/**=.'],
  },
  eza: { like: 'exa' },
  lsd: { like: 'exa' },
  tree: {
    flags:
      '-a -A -c -C -d -D -f -F -g -h -i -J -l -n -N -p -q -Q -r -s -S -t -u -U -v -x -X --dirsfirst --du --filelimit? --gitignore --ignore-case --info --inodes --device --matchdirs --metafirst --noreport --prune --si --nolinks --hintro? --houtro?',
    values: '-H -I -L -P -T --charset --filesfirst --sort --timefmt --gitfile --infofile',
    options: { '-o': 'write', '--fromfile --fromtabfile': '?read' },
    operands: ['...list/**=.'],
  },
  du: {
    flags:
      '-0 -a -b -c -D -h -H -k -l -L -m -P -s -S -x -g -n --null --all --apparent-size --bytes --total --dereference-args --human-readable --inodes --count-links --dereference --no-dereference --separate-dirs --si --summarize --time? --one-file-system',
    values: '-B -d -I -t -X --block-size --max-depth --threshold --time-style --exclude',
    options: { '--files0-from --exclude-from': 'read' },
    operands: ['...list/**=.'],
  },
  ncdu: {
    flags: '-0 -1 -2 -e -q -r -x -v --color?',
    options: { '-f': 'read', '-o': 'write', '--exclude': 'value' },
    operands: ['...list/**=.'],
  },
  df: {
    flags:
      '-a -h -H -i -k -l -m -P -T -v -g --all --human-readable --si --inodes --local --no-sync --sync --portability --print-type --total',
    values: '-B -t -x --block-size --type --exclude-type',
    options: { '--output': '?value' },
    operands: ['...exists'],
  },
  stat: {
    flags: '-f -L -t -x -l -r -s -q -F -n --dereference --file-system --terse',
    values: '-c --format --printf --cached',
    operands: ['...list'],
  },
  readlink: {
    flags:
      '-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero',
    operands: ['...exists'],
  },
  realpath: {
    flags:
      '-e -m -L -P -q -s -z -E --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero',
    options: { '--relative-to --relative-base': 'exists' },
    operands: ['...exists'],
  },
  namei: { flags: '-x -m -o -l -n -v -h -V -Z', operands: ['...exists'] },
  basename: { flags: '-a -z --multiple --zero', values: '-s --suffix', operands: ['...value'] },
  dirname: { flags: '-z --zero', operands: ['...value'] },
  pathchk: { flags: '-p -P --portability', operands: ['...value'] },
  rm: {
    flags:
      '-d -f -i -I -P -r -R -v -W -x --dir --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --verbose',
    operands: ['...delete unless -r -R --recursive', '...delete/** if -r -R --recursive'],
  },
  rmdir: {
    flags: '-p -v --ignore-fail-on-non-empty --parents --verbose',
    operands: ['...delete unless -p --parents', '...delete/** if -p --parents'],
  },
  unlink: { operands: ['delete'] },
  trash: { isLoose: true, operands: ['...delete/**'] },
  'trash-put': { like: 'trash' },
  touch: {
    flags: '-a -c -f -h -m --no-create --no-dereference',
    values: '-d -t -A --date --time',
    options: { '-r --reference': 'exists' },
    operands: ['...write'],
  },
  mkdir: { flags: '-p -v -Z --parents --verbose --context?', values: '-m --mode', operands: ['...write'] },
  mktemp: {
    flags: '-d -q -u --directory --dry-run --quiet -t',
    values: '--suffix',
    options: { '-p --tmpdir': '?write/**' },
    operands: ['write=/tmp'],
  },
  mkfifo: { flags: '-Z --context?', values: '-m --mode', operands: ['...write'] },
  mknod: {
    flags: '-Z --context?',
    values: '-m --mode',
    operands: ['write', '...value'],
    does: ['sys.admin:device'],
  },
  truncate: {
    flags: '-c -o --no-create --io-blocks',
    values: '-s --size',
    options: { '-r --reference': 'exists' },
    operands: ['...write'],
  },
  fallocate: {
    flags:
      '-c -d -i -n -p -v -x -z --collapse-range --dig-holes --insert-range --keep-size --punch-hole --verbose --posix --zero-range',
    values: '-l -o --length --offset',
    operands: ['write'],
  },
  shred: {
    flags: '-f -u -v -x -z --force --remove? --verbose --exact --zero',
    values: '-n -s --iterations --size',
    options: { '--random-source': 'read' },
    operands: ['...write unless -u --remove', '...write+delete if -u --remove'],
  },
  tee: { flags: '-a -i -p --append --ignore-interrupts --output-error?', operands: ['...write'] },
  sponge: { flags: '-a', operands: ['write'] },
  cp: {
    flags:
      '-a -b -d -f -H -i -l -L -n -p -P -r -R -s -T -u -v -x -Z -c -X --archive --attributes-only --backup? --copy-contents --debug --dereference --force --interactive --keep-directory-symlink --link --no-clobber --no-dereference --no-target-directory --one-file-system --parents --preserve? --no-preserve? --recursive --reflink? --remove-destination --sparse? --strip-trailing-slashes --symbolic-link --update? --verbose --context?',
    values: '-S --suffix',
    options: { '-t --target-directory': 'write/**' },
    operands: [
      '...read unless -r -R -a --recursive --archive',
      '...read/** if -r -R -a --recursive --archive',
      'write/** unless -t --target-directory',
    ],
  },
  mv: {
    flags:
      '-b -f -i -n -T -u -v -Z -h --backup? --debug --exchange --force --interactive --no-clobber --no-copy --no-target-directory --strip-trailing-slashes --update? --verbose --context',
    values: '-S --suffix',
    options: { '-t --target-directory': 'write/**' },
    operands: ['...read/**+delete/**', 'write/** unless -t --target-directory'],
  },
  install: {
    flags:
      '-b -c -C -d -D -p -s -T -v -Z --backup? --compare --debug --directory --no-target-directory --preserve-context --preserve-timestamps --strip --verbose --context?',
    values: '-g -m -o -S --group --mode --owner --suffix',
    options: { '-t --target-directory': 'write/**', '--strip-program': 'run' },
    operands: [
      '...read unless -d --directory',
      'write/** unless -t --target-directory -d --directory',
      '...write if -d --directory',
    ],
  },
  ln: {
    flags:
      '-b -d -f -F -h -i -L -n -P -r -s -T -v --backup? --directory --force --interactive --logical --no-dereference --no-target-directory --physical --relative --symbolic --verbose',
    values: '-S --suffix',
    options: { '-t --target-directory': 'write/**' },
    operands: ['...read+write', 'write/**+meta:link unless -t --target-directory'],
  },
  link: { operands: ['read+write', 'write'] },
  rename: {
    flags:
      '-a -f -i -l -n -o -s -v -V -0 --all --last --no-act --no-overwrite --verbose --symlink --interactive --force -d -u --nopath',
    options: { '-e': 'code:perl' },
    operands: ['code:perl unless -e', '...write+delete'],
    does: ['write/** .'],
  },
  dd: {
    operands: ['...key'],
    keys: {
      if: 'read',
      of: 'write',
      '*': 'value',
    },
  },
  split: {
    flags: '-d -e -u -x --elide-empty-files --numeric-suffixes? --hex-suffixes? --unbuffered --verbose -#',
    values:
      '-a -b -C -l -n -t --suffix-length --additional-suffix --bytes --line-bytes --lines --number --separator',
    options: { '--filter': 'code:sh' },
    operands: ['read', 'write'],
    does: ['write/** .'],
  },
  csplit: {
    flags: '-k -s -q -z --keep-files --quiet --silent --suppress-matched --elide-empty-files',
    values: '-b -n --suffix-format --digits',
    options: { '-f --prefix': 'write' },
    operands: ['read', '...value'],
    does: ['write/** .'],
  },
  chmod: {
    flags:
      '-c -f -h -H -L -P -R -v -r -w -x -X -s -t -u -g -o --changes --dereference --no-dereference --quiet --silent --preserve-root --no-preserve-root --verbose --recursive',
    options: { '--reference': 'exists' },
    operands: [
      'code:mode unless --reference -r -w -x -X -s -t -u -g -o',
      '...meta:mode unless -R --recursive',
      '...meta/**:mode if -R --recursive',
    ],
  },
  chown: {
    flags:
      '-c -f -h -H -L -P -R -v -n -x --changes --dereference --no-dereference --quiet --silent --preserve-root --no-preserve-root --verbose --recursive',
    values: '--from',
    options: { '--reference': 'exists' },
    operands: [
      'value unless --reference',
      '...meta:owner unless -R --recursive',
      '...meta/**:owner if -R --recursive',
    ],
  },
  chgrp: { like: 'chown' },
  chattr: {
    flags: '-R -V -f -a -i -d -s -S -u -A -c -C -e -j -t -T',
    values: '-v -p',
    operands: ['value', '...meta/**:attributes'],
  },
  lsattr: { flags: '-R -V -a -d -l -p -v', operands: ['...list/**=.'] },
  setfacl: {
    flags:
      '-b -k -n -d -R -L -P --remove-all --remove-default --no-mask --mask --default --recursive --logical --physical --test',
    values: '-m -x --modify --remove --set',
    options: { '-M -X --modify-file --remove-file --set-file --restore': 'read' },
    operands: ['...meta/**:access'],
  },
  getfacl: {
    flags:
      '-a -d -c -e -E -s -R -L -P -t -p -n --access --default --omit-header --recursive --tabular --absolute-names --numeric',
    operands: ['...list/**'],
  },
  setfattr: {
    flags: '-h',
    values: '-n -v -x',
    options: { '--restore': 'read' },
    operands: ['...meta:attributes'],
  },
  getfattr: {
    flags: '-h -d -R -L -P --dump --absolute-names --only-values',
    values: '-n -e -m',
    operands: ['...list/**'],
  },
  setcap: { flags: '-q -v -r -n', operands: ['value', 'meta:capabilities'], does: ['priv.escalate'] },
  getcap: { flags: '-r -v -n', operands: ['...list/**'] },
  chcon: { isLoose: true, operands: ['value', '...meta/**:context'] },
  sync: { flags: '-d -f --data --file-system', operands: ['...exists'] },
  inotifywait: {
    flags: '-m -r -q -d -s',
    values: '-e -t --exclude --include --format --timefmt --event',
    operands: ['...list/**'],
  },
  test: {
    flags: '-a -o -eq -ne -lt -le -gt -ge -ef -nt -ot',
    values: '-n -z -t',
    options: {
      '-b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -u -w -x': 'exists',
      '-v -R': 'code:name',
    },
    ignored: '( ) ! ]',
    isDashed: true,
    isClosed: true,
    isLoose: true,
    operands: ['...value'],
  },
  '[': { like: 'test' },
};
