import type { ProgramSpec } from '../spec.js';

/** What a command does that changes the files that are worked on: git's own hooks may run, too. */
const changes = ['write/** .', 'load .git/hooks'];

/** Git's commands that change the repository, its settings or the files that are worked on. */
export const gitCommands: Readonly<Record<string, ProgramSpec>> = {
  add: {
    flags:
      '-A -e -f -i -n -N -p -u -v --all --chmod? --dry-run --edit --force --ignore-errors --ignore-missing --ignore-removal --intent-to-add --interactive --no-all --no-ignore-removal --no-warn-embedded-repo --patch --pathspec-file-nul --refresh --renormalize --sparse --update --verbose',
    options: { '--pathspec-from-file': 'read' },
    operands: ['...read/**'],
    does: ['read/** . if -A -u --all --update', 'write/** .git', 'run editor if -e --edit'],
  },
  stage: { isLoose: true, operands: ['...read/**'], does: ['write/** .git'] },
  commit: {
    isLoose: true,
    flags: '-a -p -s -v -q -n -e -i -o --all --amend --no-edit --no-verify --edit --allow-empty',
    values:
      '-m --message -C -c --reuse-message --reedit-message --fixup --squash --author --date --trailer --cleanup',
    options: { '-F --file -t --template --pathspec-from-file': 'read' },
    operands: ['...read/**'],
    does: ['write/** .git', 'load .git/hooks'],
  },
  'checkout|switch|restore|reset|merge|revert|cherry-pick|read-tree|checkout-index|sparse-checkout|merge-file|merge-index|merge-one-file|rerere':
    {
      isLoose: true,
      values: '-m -X -s --strategy --strategy-option --message --cleanup -b -B -c -C --orphan --source',
      options: { '-F --file --pathspec-from-file': 'read' },
      operands: ['...value'],
      does: changes,
    },
  rebase: {
    isLoose: true,
    values: '-s -X --strategy --strategy-option --onto -C --whitespace --empty',
    options: { '-x --exec': 'code:sh' },
    operands: ['...value'],
    does: changes,
  },
  stash: {
    commands: {
      'list|show': { isLoose: true, does: ['read/** .'] },
      '*': { isLoose: true, does: changes },
    },
    isLoose: true,
    does: ['write/** . if none', 'load .git/hooks if none'],
  },
  clean: {
    flags: '-d -f -i -n -q -x -X --dry-run --force --interactive --quiet',
    values: '-e --exclude',
    operands: ['...delete/**=.'],
  },
  rm: {
    flags: '-f -n -q -r --cached --dry-run --force --ignore-unmatch --pathspec-file-nul --quiet --sparse',
    options: { '--pathspec-from-file': 'read' },
    operands: ['...delete/**'],
    does: ['write/** .git'],
  },
  mv: {
    flags: '-f -k -n -v --dry-run --force --sparse --verbose',
    operands: ['...read/**+delete/**', 'write/**'],
    does: ['write/** .git'],
  },
  apply: {
    isLoose: true,
    values: '-C -p --whitespace --exclude --include --directory --inaccurate-eof',
    options: { '--build-fake-ancestor': 'write' },
    operands: ['...read'],
    does: ['write/** . unless --stat --numstat --summary --check', 'write/** / if --unsafe-paths'],
    flags: '--stat --numstat --summary --check --unsafe-paths --index --cached -3 --3way -R --reverse',
  },
  am: {
    isLoose: true,
    values: '-C -p --whitespace --directory --exclude --include --patch-format',
    operands: ['...read'],
    does: changes,
  },
  init: {
    flags: '-q --quiet --bare --shared?',
    values: '-b --initial-branch --object-format --ref-format',
    options: { '--template': 'load', '--separate-git-dir': 'write/**' },
    operands: ['write/**=.'],
  },
  config: {
    isLoose: true,
    flags:
      '-e -l -z --add --all --append --edit --get --get-all --get-color --get-colorbool --get-regexp --get-urlmatch --global --list --local --name-only --null --remove-section --rename-section --replace-all --show-origin --show-scope --system --unset --unset-all --worktree --includes --no-includes --bool --int --path --fixed-value',
    values: '-t --type --default --value --url',
    options: { '-f --file': 'read', '--blob': 'value', '--comment': 'value' },
    operands: ['...value'],
    does: [
      'read .git/config unless --global --system -f --file',
      'read ~/.gitconfig if --global',
      'write .git/config.worktree if --worktree unless --get --get-all --get-regexp -l --list get list',
      'write .git/config if many unless --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list --global --system -f --file --blob get list',
      'write .git/config if --unset --unset-all --remove-section --rename-section --add --replace-all -e --edit edit unless --global --system -f --file',
      'write ~/.gitconfig if --global unless --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list get list',
      'write /etc/gitconfig if --system unless --get --get-all --get-regexp --get-urlmatch -l --list get list',
      'write {-f} if -f --file if many unless --get --get-all --get-regexp --get-urlmatch -l --list get list',
      'write {-f} if -f --file if --unset --unset-all --remove-section --rename-section --add --replace-all -e --edit edit',
      'run editor if -e --edit edit',
    ],
  },
  worktree: {
    commands: {
      list: { isLoose: true, does: ['read/** .'] },
      add: {
        isLoose: true,
        values: '-b -B --reason',
        operands: ['write/**', '...value'],
        does: ['write/** .git', 'load .git/hooks'],
      },
      remove: { isLoose: true, operands: ['delete/**'], does: ['write/** .git'] },
      move: { isLoose: true, operands: ['read/**+delete/**', 'write/**'], does: ['write/** .git'] },
      '*': { isLoose: true, does: ['write/** .git'] },
    },
  },
  bisect: {
    commands: {
      run: { isPosix: true, operands: ['command'], does: ['code:sh ?', ...changes] },
      'log|view|visualize|terms|help': { isLoose: true, does: ['read/** .'] },
      replay: { isLoose: true, operands: ['read'], does: changes },
      '*': { isLoose: true, does: changes },
    },
  },
  'filter-branch': {
    isLoose: true,
    options: {
      '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --setup':
        'code:sh',
      '-d': 'write/**',
    },
    does: changes,
  },
  'filter-repo': {
    isLoose: true,
    options: {
      '--commit-callback --blob-callback --message-callback --name-callback --filename-callback --refname-callback --tag-callback --reset-callback --email-callback':
        'code:python',
      '--mailmap --paths-from-file --replace-text': 'read',
    },
    does: changes,
  },
  'difftool|mergetool': {
    isLoose: true,
    values: '-t --tool',
    options: { '-x --extcmd': 'code:sh', '-O': 'read' },
    operands: ['...code:git-path'],
    does: ['code:sh ? unless -x --extcmd', 'read/** .', 'write/** .'],
  },
  archive: {
    flags: '-l -v -# --list --verbose --worktree-attributes',
    values: '--format --prefix --mtime --add-virtual-file',
    options: {
      '-o --output': 'write',
      '--remote': 'code:git-remote',
      '--exec': 'code:command',
      '--add-file': 'read',
    },
    operands: ['...value'],
    does: ['read/** .'],
  },
  bundle: {
    commands: {
      create: { isLoose: true, operands: ['output', '...value'], does: ['read/** .'] },
      'verify|list-heads|unbundle': {
        isLoose: true,
        operands: ['read', '...value'],
        does: ['write/** .git'],
      },
    },
  },
  'format-patch': {
    isLoose: true,
    values: '-v --start-number --subject-prefix --suffix --to --cc --from --in-reply-to --base -n',
    options: {
      '-o --output-directory': 'write/**',
      '--output': 'write',
      '--signature-file --description-file': 'read',
    },
    operands: ['...code:git-path'],
    does: ['read/** .', 'write/** . unless -o --output-directory --stdout --output'],
    flags: '--stdout',
  },
  'replace|repack|pack-refs|pack-objects|pack-redundant|prune-packed|index-pack|unpack-objects|update-index|update-ref|update-server-info|write-tree|commit-tree|mktag|mktree|multi-pack-index|commit-graph|refs|fast-import|maintenance|rebase--interactive|quiltimport|interpret-trailers|mailinfo|mailsplit|hash-object|fast-export':
    {
      isLoose: true,
      values: '-m --message --stage --cacheinfo',
      options: { '-F --file --import-marks --ref-file': 'read', '--export-marks -w': '?write' },
      operands: ['...code:git-path'],
      does: ['read/** .', 'write/** .git'],
    },
  'gc|prune': { isLoose: true, does: ['read/** .', 'write/** .git', 'delete/** .git/objects'] },
  notes: {
    isLoose: true,
    values: '--ref',
    commands: {
      'list|show': { operands: ['...value'], does: ['read/** .'] },
      '*': { isLoose: true, options: { '-F --file': 'read' }, does: ['read/** .', 'write/** .git'] },
    },
    does: ['read/** .'],
  },
  'symbolic-ref': {
    flags: '-d -q --delete --quiet --short --recurse --no-recurse',
    values: '-m',
    operands: ['value', 'value'],
    does: ['read/** .', 'write/** .git if many', 'write/** .git if -d --delete'],
  },
  reflog: {
    isLoose: true,
    commands: {
      'expire|delete|drop|write': { isLoose: true, does: ['write/** .git'] },
      '*': { isLoose: true, does: ['read/** .'] },
    },
    does: ['read/** .'],
  },
  hook: { isLoose: true, does: ['load .git/hooks'] },
  submodule: {
    isInherited: true,
    flags: '-q --quiet --cached',
    commands: {
      'status|summary': { isLoose: true, does: ['read/** .'] },
      foreach: { isPosix: true, flags: '--recursive', operands: ['code:sh', 'rest'] },
      add: {
        isLoose: true,
        values: '-b --branch --name --depth',
        options: { '--reference': 'read/**' },
        operands: ['code:git-remote', 'write/**'],
        does: ['connect ?', ...changes],
      },
      '*': { isLoose: true, does: ['connect ?', ...changes] },
    },
    does: ['read/** .'],
  },
  instaweb: {
    isLoose: true,
    options: { '-d --httpd -b --browser': 'code:command' },
    does: ['net.listen:1234'],
  },
  daemon: {
    isLoose: true,
    options: { '--access-hook': 'run', '--port': 'net.listen' },
    does: ['net.listen:9418', 'read/** .'],
  },
  credential: { isLoose: true, does: ['secret.read:git'] },
  'credential-store|credential-cache': { isLoose: true, does: ['secret.read:git'] },
  'citool|gui': { isLoose: true, does: changes },
};
