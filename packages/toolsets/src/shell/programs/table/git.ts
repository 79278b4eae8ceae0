import type { ProgramSpec, ProgramTable } from '../spec.js';
import { gitCommands } from './git-changing.js';
import { gitReadingCommands } from './git-reading.js';
import { gitRemoteCommands } from './git-remote.js';
import { gitSettings } from './git-settings.js';

const git: ProgramSpec = {
  flags:
    '-p -P -v -h --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --html-path --man-path --info-path',
  values: '--namespace --super-prefix --attr-source --list-cmds',
  options: {
    '-C': 'folder',
    '-c': 'key',
    '--config-env': 'opaque:a variable says what a setting is',
    '--exec-path': '?load',
    '--git-dir': 'read/**+load',
    '--work-tree': 'folder',
  },
  keys: gitSettings,
  commands: { ...gitReadingCommands, ...gitCommands, ...gitRemoteCommands },
};

/** Git, by what its commands do. One that is not here may be an alias, or any program called `git-…`. */
export const gitPrograms: ProgramTable = {
  git,
  hub: { like: 'git' },
  gitk: { isLoose: true, does: ['read/** .'] },
  tig: { isLoose: true, does: ['read/** .', 'code:sh ?'] },
  lazygit: { like: 'tig', does: ['write/** .', 'code:sh ?', 'connect ?'] },
  'git-lfs': { isLoose: true, does: ['connect ?', 'write/** .'] },
  'pre-commit': {
    isLoose: true,
    commands: {
      'install|init-templatedir|uninstall|autoupdate|migrate-config': {
        isLoose: true,
        does: ['code:sh ?', 'write/** .', 'write/** .git/hooks', 'connect ?'],
      },
      '*': { isLoose: true, does: ['code:sh ?', 'write/** .', 'connect ?'] },
    },
  },
  svn: {
    isLoose: true,
    options: {
      '--config-dir': 'load',
      '--config-option': 'code:svn-setting',
      '--diff-cmd --diff3-cmd --editor-cmd': 'code:command',
      '-F --file': 'read',
    },
    commands: {
      'status|st|diff|di|log|info|list|ls|blame|cat|proplist|propget|annotate|praise': {
        isLoose: true,
        operands: ['...read|url'],
        does: ['read/** .', 'connect ?'],
      },
      'commit|ci|import|copy|cp|mkdir|delete|rm|lock|unlock': {
        isLoose: true,
        operands: ['...read|url'],
        does: ['vcs.push', 'connect ?', 'write/** .'],
      },
      '*': { isLoose: true, operands: ['...read|url'], does: ['connect ?', 'write/** .'] },
    },
  },
  hg: {
    isLoose: true,
    isInherited: true,
    options: { '--config': 'code:hg-setting', '-R --repository --cwd': 'folder' },
    commands: {
      'status|st|diff|log|history|id|identify|summary|branches|tags|cat|annotate|blame|heads|parents|root|files|manifest':
        { isLoose: true, does: ['read/** .'] },
      push: { isLoose: true, operands: ['code:git-remote'], does: ['vcs.push', 'connect ?'] },
      '*': { isLoose: true, does: ['connect ?', 'write/** .', 'code:python ?'] },
    },
  },
  jj: { isLoose: true, does: ['write/** .', 'connect ?'] },
};
