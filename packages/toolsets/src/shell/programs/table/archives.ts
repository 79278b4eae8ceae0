import type { ProgramTable } from '../spec.js';

/** Programs that pack, unpack, compress and copy whole folders. */
export const archivePrograms: ProgramTable = {
  tar: {
    isBundled: true,
    flags:
      '-A -c -d -r -t -u -x -B -h -i -j -J -k -l -m -M -n -O -o -p -P -R -s -S -U -v -w -W -y -z -Z -a -G --append --catenate --concatenate --create --diff --compare --extract --get --list --update --auto-compress --no-auto-compress --absolute-names --acls --no-acls --check-device --no-check-device --check-links --checkpoint? --delay-directory-restore --dereference --hard-dereference --force-local --full-time --gzip --gunzip --ungzip --bzip2 --xz --lzip --lzma --lzop --zstd --compress --uncompress --ignore-case --no-ignore-case --ignore-command-error --ignore-failed-read --ignore-zeros --incremental --interactive --confirmation --keep-newer-files --keep-old-files --skip-old-files --keep-directory-symlink --multi-volume --no-null --no-overwrite-dir --no-quote-chars --no-recursion --recursion --no-same-owner --same-owner --no-same-permissions --same-permissions --preserve-permissions --no-seek --seek --no-unquote --unquote --no-verbatim-files-from --verbatim-files-from --null --numeric-owner --occurrence? --old-archive --portability --posix --one-file-system --one-top-level? --overwrite --overwrite-dir --anchored --no-anchored --wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --read-full-records --recursive-unlink --remove-files --selinux --no-selinux --show-defaults --show-omitted-dirs --show-snapshot-field-ranges --show-transformed-names --show-stored-names --sparse --test-label --to-stdout --totals? --touch --unlink-first --utc --verbose --verify --xattrs --no-xattrs --exclude-vcs --exclude-vcs-ignores --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-backups --backup? --block-number --delete --no-ignore-command-error --no-check-links --reset-access --sort --atime-preserve? --usage',
    values:
      '-b -H -K -L -N -V --blocking-factor --record-size --exclude --exclude-ignore --exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --format --group --owner --label --level --mode --mtime --newer --after-date --newer-mtime --pax-option --quote-chars --quoting-style --sparse-version --starting-file --strip-components --suffix --tape-length --transform --xform --warning --xattrs-exclude --xattrs-include --hole-detection --owner-map --group-map --clamp-mtime --set-mtime-format --volno-file',
    options: {
      '-f --file': 'value',
      '-C --directory': 'folder',
      '-T --files-from': 'read',
      '-X --exclude-from': 'read',
      '-g --listed-incremental': 'write',
      '--index-file': 'write',
      '-I --use-compress-program': 'code:command',
      '--to-command': 'code:sh',
      '--checkpoint-action': 'code:tar-action',
      '-F --info-script --new-volume-script': 'code:sh',
      '--rsh-command': 'run',
      '--rmt-command': 'run',
    },
    operands: [
      '...read/** if -c -r -u -A --create --append --update --catenate --concatenate -d --diff --compare',
      '...value unless -c -r -u -A --create --append --update --catenate --concatenate -d --diff --compare',
    ],
    does: [
      'read|remote {-f} unless -c --create',
      'output|remote {-f} if -c -r -u -A --create --append --update --catenate --concatenate --delete',
      'write/** . if -x --extract --get unless -O --to-stdout --to-command',
      'delete/** . if --remove-files --recursive-unlink',
      'read/** . if -T --files-from',
      'read ? if -T --files-from if -c --create -r --append -u --update',
      'write/** / if -P --absolute-names if -x --extract --get',
    ],
  },
  gtar: { like: 'tar' },
  bsdtar: { like: 'tar' },
  zip: {
    flags:
      '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -A -B -c -d -D -e -f -F -FF -FS -g -h -j -J -k -l -L -m -o -q -r -R -S -T -u -U -v -V -w -X -y -z -@ -$ --recurse-paths --recurse-patterns --quiet --verbose --update --freshen --delete --move --junk-paths --no-dir-entries --encrypt --symlinks --test --no-extra --filesync --must-match --display-bytes --display-counts --copy-entries',
    values:
      '-i -n -P -s -t -tt -x -Z -sp --include --exclude --suffixes --password --compression-method --split-size',
    options: {
      '-b --temp-path': 'write/**',
      '-O --output-file --out': 'write',
      '-TT --unzip-command': 'code:command',
      '-lf --logfile-path': 'write',
    },
    operands: ['output', '...read/**'],
    does: ['delete/** . if -m --move', 'read/** . if -@ -R --recurse-patterns'],
  },
  unzip: {
    flags:
      '-a -aa -b -B -c -C -D -DD -f -F -h -i -j -J -K -l -L -LL -M -n -N -o -p -q -qq -s -t -T -u -U -UU -v -V -W -X -Y -z -Z -1 -2 -:',
    values: '-I -O -P -x',
    options: { '-d': 'write/**' },
    operands: ['read', '...value'],
    does: ['write/** . unless -d -l -v -t -p -c -Z -z'],
  },
  zipinfo: { flags: '-1 -2 -s -m -l -v -h -M -t -T -z -Z', operands: ['read', '...value'] },
  funzip: { operands: ['read'] },
  '7z': {
    isDashed: true,
    flags: '-y -r -r0 -ba -bd -slt -sdel -spf -spe -ssc -an -bt',
    values: '-m* -p* -t* -x* -i* -ao* -bb* -bs* -si* -so* -v* -r* -sc* -sf* -sl* -sn* -sp* -ss* -st* -u*',
    options: { '-o*': 'write/**', '-w*': 'write/**', '-sfx*': 'read' },
    commands: {
      'a|u': {
        isInherited: true,
        operands: ['write', '...read/**+code:at-operand'],
        does: ['delete/** . if -sdel'],
      },
      'd|rn': { operands: ['write', '...value'] },
      'e|x': { operands: ['read', '...value'], does: ['write/** . unless -o'] },
      'l|t': { operands: ['read', '...value'] },
      h: { operands: ['...read/**'] },
      'b|i': { operands: ['...value'] },
    },
    isInherited: true,
  },
  '7za': { like: '7z' },
  '7zr': { like: '7z' },
  '7zz': { like: '7z' },
  unrar: { isLoose: true, operands: ['value', 'read', '...value'], does: ['write/** .'] },
  rar: { isLoose: true, operands: ['value', 'write', '...read/**'], does: ['write/** .'] },
  cpio: {
    flags:
      '-0 -a -A -B -c -d -f -i -k -l -L -m -n -o -p -r -s -S -t -u -v -V -b --absolute-filenames --append --create --dereference --dot --extract --force-local --link --list --make-directories --no-absolute-filenames --no-preserve-owner --null --numeric-uid-gid --only-verify-crc --pass-through --preserve-modification-time --quiet --rename --reset-access-time --sparse --swap --swap-bytes --swap-halfwords --to-stdout --unconditional --verbose --nonmatching',
    values: '-C -H -M -R --block-size --format --io-size --message --owner --rename-batch-file --warning',
    options: {
      '-E --pattern-file': 'read',
      '-F --file': 'output|remote+read|remote',
      '-I': 'read|remote',
      '-O': 'write|remote',
      '-D --directory': 'folder',
      '--rsh-command': 'run',
    },
    operands: ['...write/** if -p --pass-through', '...value unless -p --pass-through'],
    does: [
      'write/** . if -i --extract unless -t --list --to-stdout',
      'read/** ? if -o -p --create --pass-through',
      'write/** / if -i --extract unless --no-absolute-filenames -t --list --to-stdout',
    ],
  },
  pax: {
    isLoose: true,
    options: { '-f': 'write+read' },
    operands: ['...read/**'],
    does: ['write/** . if -r'],
    flags: '-r -w -v -z',
  },
  ar: {
    isBundled: true,
    flags: '-d -m -p -q -r -s -t -x -a -b -i -c -C -D -f -N -o -O -P -S -T -u -U -v -V -l',
    options: { '--plugin': 'load', '--target': 'value', '--output': 'write/**' },
    operands: [
      'write unless -t -p -x',
      'read if -t -p -x',
      '...read unless -t -p -x -d',
      '...value if -t -p -x -d',
    ],
    does: ['write/** . if -x'],
  },
  rsync: {
    flags:
      '-0 -4 -6 -8 -a -A -b -c -C -d -D -E -g -h -H -i -I -k -K -l -L -m -n -N -o -O -p -P -q -r -R -s -S -t -u -U -v -V -W -x -X -y -z -J -F --acls --append --append-verify --archive --atimes --backup --checksum --compress --copy-dirlinks --copy-links --copy-unsafe-links --copy-devices --crtimes --cvs-exclude --daemon --del --delay-updates --delete --delete-after --delete-before --delete-delay --delete-during --delete-excluded --delete-missing-args --devices --dirs --dry-run --executability --existing --fake-super --force --from0 --fsync --fuzzy --group --hard-links --human-readable --ignore-errors --ignore-existing --ignore-missing-args --ignore-non-existing --ignore-times --inc-recursive --no-inc-recursive --info? --inplace --ipv4 --ipv6 --itemize-changes --keep-dirlinks --links --list-only --mkpath --munge-links --new-compress --no-implied-dirs --no-motd --no-perms --no-owner --no-group --no-times --no-links --no-recursive --no-relative --no-whole-file --numeric-ids --old-args --old-compress --omit-dir-times --omit-link-times --one-file-system --open-noatime --owner --partial --perms --progress --protect-args --secluded-args --prune-empty-dirs --quiet --recursive --relative --remove-source-files --safe-links --size-only --sparse --specials --stats --super --times --trust-sender --update --verbose --whole-file --xattrs --zc',
    values:
      '-B -f -T -@ --address --block-size --bwlimit --checksum-choice --cc --checksum-seed --chmod --chown --compress-choice --compress-level --contimeout --copy-as --debug --exclude --filter --groupmap --iconv --include --max-alloc --max-delete --max-size --min-size --modify-window --outbuf --out-format --log-file-format --port --protocol --remote-option -M --skip-compress --sockopts --stop-after --stop-at --suffix --timeout --usermap --early-input --zl',
    options: {
      '-e --rsh': 'code:command',
      '--rsync-path': 'value',
      '--files-from --exclude-from --include-from --password-file --config': 'read',
      '--backup-dir --temp-dir --partial-dir': 'write/**',
      '--link-dest --copy-dest --compare-dest': 'read/**',
      '--log-file --write-batch --only-write-batch': 'write',
      '--read-batch': 'read',
      '--dparam': 'value',
    },
    operands: [
      '...read/**|remote unless --remove-source-files',
      '...read/**|remote+delete/** if --remove-source-files',
      'write/**|remote',
    ],
    does: [
      'net.listen:873 if --daemon',
      'delete/** . if --delete --delete-after --delete-before --delete-delay --delete-during --delete-excluded --delete-missing-args --del',
    ],
  },
  rclone: { isLoose: true, operands: ['value', '...read/**|remote+write/**|remote'], does: ['connect ?'] },
  unsquashfs: { isLoose: true, operands: ['...read'], does: ['write/** .'] },
  mksquashfs: { isLoose: true, operands: ['...read/**+write'] },
};
