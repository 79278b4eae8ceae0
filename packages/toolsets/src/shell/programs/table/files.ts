import type { ProgramTable } from '../spec.js';

/** Programs that list, make, change and remove files. */
export const filePrograms: ProgramTable = {
  ls: {
    flags:
      '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 -e -O -W --all --almost-all --author --escape --ignore-backups --color? --directory --dired --classify? --file-type --full-time --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --zero --context --group-directories-first --hyperlink? --help --version',
    values:
      '-I -T -w -D --block-size --format --hide --indicator-style --ignore --quoting-style --sort --tabsize --time --time-style --width',
    operands: ['...list=. unless -R --recursive', '...list/**=. if -R --recursive'],
  },
  dir: { like: 'ls' },
  vdir: { like: 'ls' },
  rm: {
    flags:
      '-d -f -i -I -P -r -R -v -W -x --dir --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --verbose --help --version',
    operands: ['...delete unless -r -R --recursive', '...delete/** if -r -R --recursive'],
  },
  rmdir: {
    flags: '-p -v --ignore-fail-on-non-empty --parents --verbose --help --version',
    operands: ['...delete unless -p --parents', '...delete/** if -p --parents'],
  },
  unlink: { flags: '--help --version', operands: ['delete'] },
  touch: {
    flags: '-a -c -f -h -m --no-create --no-dereference --help --version',
    values: '-d -t -A --date --time',
    options: { '-r --reference': 'exists' },
    operands: ['...write'],
  },
  mkdir: {
    flags: '-p -v -Z --parents --verbose --context? --help --version',
    values: '-m --mode',
    operands: ['...write'],
  },
  mkfifo: { flags: '-Z --context? --help --version', values: '-m --mode', operands: ['...write'] },
  truncate: {
    flags: '-c -o --no-create --io-blocks --help --version',
    values: '-s --size',
    options: { '-r --reference': 'exists' },
    operands: ['...write'],
  },
  shred: {
    flags: '-f -u -v -x -z --force --remove? --verbose --exact --zero --help --version',
    values: '-n -s --iterations --size',
    options: { '--random-source': 'read' },
    operands: ['...write unless -u --remove', '...write+delete if -u --remove'],
  },
  tee: {
    flags: '-a -i -p --append --ignore-interrupts --output-error? --help --version',
    operands: ['...write'],
  },
  chmod: {
    flags:
      '-c -f -h -H -L -P -R -v -r -w -x -X -s -t -u -g -o --changes --dereference --no-dereference --quiet --silent --preserve-root --no-preserve-root --verbose --recursive --help --version',
    options: { '--reference': 'exists' },
    operands: [
      'value unless --reference',
      '...meta:mode unless -R --recursive',
      '...meta/**:mode if -R --recursive',
    ],
  },
  chown: {
    flags:
      '-c -f -h -H -L -P -R -v -n -x --changes --dereference --no-dereference --quiet --silent --preserve-root --no-preserve-root --verbose --recursive --help --version',
    values: '--from',
    options: { '--reference': 'exists' },
    operands: [
      'value unless --reference',
      '...meta:owner unless -R --recursive',
      '...meta/**:owner if -R --recursive',
    ],
  },
  chgrp: { like: 'chown' },
  find: {
    flags:
      '-H -L -P -E -X -d -s -x -and -a -o -or -not -true -false -daystart -depth -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn -noleaf -empty -executable -readable -writable -nogroup -nouser -print -print0 -prune -quit -ls -delete -O0 -O1 -O2 -O3 -help --help -version --version',
    values:
      '-D -maxdepth -mindepth -regextype -amin -atime -cmin -ctime -mmin -mtime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -name -path -perm -regex -size -type -uid -used -user -wholename -xtype -context -printf -flags',
    options: {
      '-anewer -cnewer -newer -samefile -newer*': 'exists',
      '-files0-from': 'read',
      '-fprint -fprint0 -fls': 'write',
      '-fprintf': 'write, value',
      '-exec -execdir -ok -okdir': 'command:;',
    },
    ignored: '( ) ! ,',
    isDashed: true,
    operands: ['...list/**=. unless -delete', '...list/**+delete/**=. if -delete'],
  },
  test: { operands: ['...value'], isLoose: true },
  '[': { like: 'test' },
};
