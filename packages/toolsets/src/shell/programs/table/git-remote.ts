import type { ProgramSpec } from '../spec.js';

/** Git's commands that reach other repositories. */
export const gitRemoteCommands: Readonly<Record<string, ProgramSpec>> = {
  clone: {
    flags:
      '-4 -6 -l -n -q -s -v --also-filter-submodules --bare --dissociate --hardlinks --ipv4 --ipv6 --local --mirror --no-checkout --no-hardlinks --no-local --no-reject-shallow --no-remote-submodules --no-shallow-submodules --no-single-branch --no-tags --progress --quiet --recurse-submodules? --recursive --reject-shallow --remote-submodules --shallow-submodules --shared --single-branch --sparse --tags --verbose',
    values:
      '-b -j -o --branch --depth --filter --jobs --origin --ref-format --revision --server-option --shallow-exclude --shallow-since',
    options: {
      '-u --upload-pack': 'code:command',
      '-c --config': 'key',
      '--template': 'load',
      '--reference --reference-if-able': 'read/**',
      '--separate-git-dir': 'write/**',
      '--bundle-uri': 'connect',
    },
    operands: ['code:git-remote', 'write/**=.'],
  },
  'fetch|pull|remote-update': {
    isLoose: true,
    values:
      '-j -o -s -X --depth --deepen --filter --jobs --negotiation-tip --refmap --server-option --shallow-exclude --shallow-since --strategy --strategy-option --cleanup',
    options: { '--upload-pack': 'code:command' },
    operands: ['code:git-remote', '...value'],
    does: ['connect ? if none', 'write/** .', 'load .git/hooks'],
  },
  push: {
    isLoose: true,
    values: '-o --push-option --force-with-lease-ref',
    options: { '--receive-pack --exec': 'code:command', '--repo': 'code:git-remote' },
    operands: ['code:git-remote+vcs.push', '...value'],
    does: ['connect ? if none', 'vcs.push if none', 'load .git/hooks'],
  },
  'send-pack|http-push': {
    isLoose: true,
    options: { '--receive-pack --exec': 'code:command' },
    operands: ['code:git-remote+vcs.push', '...value'],
    does: ['connect ?', 'vcs.push'],
  },
  'fetch-pack|http-fetch': {
    isLoose: true,
    options: { '--upload-pack --exec': 'code:command' },
    operands: ['code:git-remote', '...value'],
    does: ['connect ?', 'write/** .git'],
  },
  'upload-pack|receive-pack|upload-archive': { isLoose: true, operands: ['read/**+write/**'] },
  'ls-remote': {
    flags: '-b -h -q -t --branches --exit-code --get-url --heads --quiet --refs --symref --tags',
    values: '-o --server-option --sort',
    options: { '--upload-pack --exec': 'code:command' },
    operands: ['code:git-remote', '...value'],
    does: ['connect ? if none'],
  },
  remote: {
    flags: '-v --verbose',
    commands: {
      'get-url': { isLoose: true, does: ['read .git/config'] },
      'show|update|prune|set-head': {
        isLoose: true,
        operands: ['...code:git-remote'],
        does: ['connect ?', 'write/** .git'],
      },
      'add|set-url|rename|remove|rm|set-branches': {
        isLoose: true,
        values: '-t -m',
        operands: ['...value'],
        does: ['write .git/config', 'write/** .git', 'connect ? if -f'],
        flags: '-f --tags --no-tags --push --add --delete',
      },
    },
    does: ['read .git/config'],
  },
  'request-pull': { isLoose: true, operands: ['value', 'code:git-remote', 'value'], does: ['connect ?'] },
  'send-email|imap-send': {
    isLoose: true,
    values: '--from --subject --in-reply-to --smtp-user --smtp-pass',
    options: {
      '--to --cc --bcc': 'message.send',
      '--smtp-server': 'connect',
      '--to-cmd --cc-cmd --header-cmd --sendmail-cmd': 'code:sh',
    },
    operands: ['...read'],
    does: ['message.send', 'connect ?'],
  },
  'lfs|svn|p4|annex|cvsimport|cvsserver|cvsexportcommit|archimport': {
    isLoose: true,
    does: ['connect ?', 'write/** .', 'load .git/hooks'],
  },
};
