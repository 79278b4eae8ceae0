import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Runs scripts that the project or a package brings. */
const runs = 'code:sh ?';
/** Fetches packages, writes them into the project, and runs what they bring. */
const installs: ProgramSpec = {
  isLoose: true,
  options: {
    '--registry': 'connect',
    '--prefix --cwd -C --dir': 'folder',
    '--userconfig --globalconfig': 'load',
    '--script-shell': 'run',
    '--node-options': 'code:node-options',
    '-w --workspace --filter -F': 'value',
  },
  operands: ['...code:package'],
  does: ['connect:https ?', 'write/** .', runs],
};
const named: ProgramSpec = {
  isLoose: true,
  isPosix: true,
  options: {
    '--prefix --cwd -C --dir': 'folder',
    '--script-shell': 'run',
    '--node-options': 'code:node-options',
    '-w --workspace --filter -F': 'value',
  },
  does: [runs],
};
const scripts: ProgramSpec = { ...named, operands: ['...value'] };
const asks: ProgramSpec = {
  isLoose: true,
  options: { '--registry': 'connect' },
  operands: ['...value'],
  does: ['connect:https ?'],
};
const reads: ProgramSpec = {
  isLoose: true,
  options: { '--prefix --cwd -C --dir': 'folder' },
  operands: ['...value'],
  does: ['read/** .'],
};
const publishes: ProgramSpec = {
  isLoose: true,
  options: { '--registry': 'connect' },
  operands: ['...read/**'],
  does: ['connect:https ?', 'vcs.push', runs],
};
/** What is called so is a script of the project or a program that it has installed. */
const ownProgram: ProgramSpec = { ...scripts, does: ['sys.guard:ambit', runs] };
const runsNamed: ProgramSpec = { ...named, commands: { ambit: ownProgram, '*': scripts } };
/** Which of the files of settings is written is said by an option, `--location`. */
const npmSettings: readonly string[] = ['write ~/.npmrc', 'write .npmrc if --location'];
const executes: ProgramSpec = {
  isLoose: true,
  isPosix: true,
  flags: '-v -y --yes --no --no-install -q --quiet --ignore-existing',
  options: {
    '-c --call --shell-mode': 'code:sh',
    '-p --package': 'code:package',
    '--registry': 'connect',
    '--prefix': 'folder',
    '--node-options': 'code:node-options',
  },
  operands: ['command'],
  does: ['code:js ? unless -v --version', 'connect:https ? unless -v --version'],
};

/** Package managers of projects in JavaScript. */
export const packagePrograms: ProgramTable = {
  npm: {
    flags: '-v -h -g -l -d -s -q --silent --global --json --location?',
    values: '--loglevel -w --workspace',
    options: { '--prefix -C': 'folder', '--userconfig --globalconfig': 'load', '--registry': 'connect' },
    isInherited: true,
    commands: {
      'install|i|in|ins|inst|add|ci|install-test|it|cit|install-ci-test|clean-install|ic|install-clean|update|up|upgrade|udpate|uninstall|un|unlink|remove|rm|r|link|ln|dedupe|ddp|prune|rebuild|rb|audit|init|create|innit':
        installs,
      'run|run-script|rum|urn': runsNamed,
      'test|t|tst|start|stop|restart': scripts,
      'exec|x': executes,
      'publish|unpublish|deprecate|dist-tag|dist-tags': publishes,
      'view|v|info|show|search|s|se|find|ping|outdated|whoami|owner|author|access|team|org|profile|hook|star|stars|unstar|doctor|fund|diff|docs|home|repo|bugs|issues|token|login|adduser|add-user|logout|sbom|query':
        asks,
      'ls|list|la|ll|root|prefix|bin|explain|why|help|help-search|completion': reads,
      'config|c': {
        isLoose: true,
        commands: {
          'get|list|ls': { isLoose: true, operands: ['...value'] },
          '*': { isLoose: true, operands: ['...value'], does: npmSettings },
        },
      },
      get: { isLoose: true, operands: ['...value'] },
      set: { isLoose: true, operands: ['...value'], does: npmSettings },
      version: {
        isLoose: true,
        operands: ['...value'],
        does: ['read package.json', 'write/** . unless none', 'code:sh ? unless none'],
      },
      pkg: {
        isLoose: true,
        commands: {
          get: { isLoose: true, operands: ['...value'], does: ['read package.json'] },
          '*': { isLoose: true, operands: ['...value'], does: ['read package.json', 'write package.json'] },
        },
      },
      explore: { isLoose: true, operands: ['value', 'command'], does: ['input:sh unless many'] },
      shrinkwrap: { isLoose: true, does: ['write npm-shrinkwrap.json'] },
      cache: { isLoose: true, operands: ['...code:package'], does: ['write/** ~/.npm'] },
      pack: { isLoose: true, operands: ['...code:package'], does: ['write/** .', runs] },
    },
  },
  cnpm: { like: 'npm' },
  npx: executes,
  pnpx: executes,
  pnpm: {
    like: 'npm',
    options: { '--dir': 'folder', '--filter -F': 'value' },
    flags: '-r --recursive --version',
    isLoose: true,
    commands: {
      dlx: executes,
      'store|server|setup|env|self-update|import|deploy|patch|patch-commit|fetch|approve-builds|catalog':
        installs,
      ambit: ownProgram,
      '*': scripts,
    },
  },
  yarn: {
    isLoose: true,
    isInherited: true,
    options: { '--cwd': 'folder', '--registry': 'connect', '--use-yarnrc': 'load' },
    commands: {
      'install|add|remove|upgrade|up|link|unlink|set|dedupe|rebuild|global|import|create|init|patch|plugin|autoclean|cache|unplug':
        installs,
      dlx: executes,
      exec: { isLoose: true, isPosix: true, operands: ['command'], does: [runs] },
      publish: publishes,
      npm: publishes,
      'info|outdated|audit|owner|tag|team|login|logout|search': { ...asks, does: ['connect:https ?', runs] },
      config: { isLoose: true, does: ['write .yarnrc.yml', runs] },
      run: runsNamed,
      ambit: ownProgram,
      '*': scripts,
    },
    does: ['connect:https ? if none', 'write/** . if none', runs],
  },
  corepack: { isLoose: true, operands: ['...value'], does: ['connect:https ?', runs, 'write/** ~'] },
  lerna: scripts,
  nx: scripts,
  turbo: scripts,
  rush: { ...scripts, does: ['connect:https ?', runs] },
  nvm: { isLoose: true, does: ['connect:https ?', runs, 'write/** ~'] },
  fnm: { like: 'nvm' },
  volta: { like: 'nvm' },
  n: { like: 'nvm' },
};
