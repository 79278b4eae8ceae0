import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Runs scripts that the project or a package brings. */
const runs = 'code:sh ?';
const publishes: ProgramSpec = {
  isLoose: true,
  options: { '--registry': 'connect' },
  operands: ['...read/**'],
  does: ['connect:https ?', 'vcs.push', runs],
};

/** Package managers of other languages. */
export const languagePackagePrograms: ProgramTable = {
  pip: {
    isLoose: true,
    isInherited: true,
    options: {
      '-i --index-url --extra-index-url --proxy': 'connect',
      '-f --find-links': 'read/**|url',
      '--log': 'write',
      '--cache-dir': 'write/**',
      '--python': 'run',
      '--cert --client-cert': 'read',
      '--timeout --retries --trusted-host': 'value',
    },
    commands: {
      'install|download|wheel': {
        isLoose: true,
        options: {
          '-r --requirement -c --constraint': 'read|url',
          '-e --editable': 'code:package',
          '-t --target --prefix --root --src -d --dest -w --wheel-dir --report': 'write/**',
          '--config-settings --platform --python-version --implementation --abi --no-binary --only-binary --upgrade-strategy --progress-bar':
            'value',
        },
        operands: ['...code:package'],
        does: ['connect:https ?', 'code:python ?', 'write/** .'],
      },
      config: {
        isLoose: true,
        commands: {
          'list|get|debug': { isLoose: true, operands: ['...value'] },
          '*': { isLoose: true, operands: ['...value'], does: ['write/** ~'] },
        },
      },
      'uninstall|cache': {
        isLoose: true,
        operands: ['...value'],
        does: ['write/** ~', 'delete/** ~'],
      },
      'list|show|freeze|check|inspect|debug|hash|help|completion': {
        isLoose: true,
        operands: ['...value'],
        does: ['connect:https ? if -o --outdated -u --uptodate'],
        flags: '-o --outdated -u --uptodate',
      },
      'search|index': { isLoose: true, operands: ['...value'], does: ['connect:https ?'] },
    },
  },
  pipx: {
    isLoose: true,
    operands: ['value', '...code:package'],
    does: ['connect:https ?', 'code:python ?', 'write/** ~'],
  },
  uvx: { like: 'pipx', operands: ['command'], isPosix: true },
  uv: {
    isLoose: true,
    isInherited: true,
    options: {
      '--directory --project': 'folder',
      '--index-url --default-index --index --extra-index-url': 'connect',
      '-p --python': 'run',
    },
    commands: {
      run: {
        isLoose: true,
        isPosix: true,
        values: '--with --extra --group --package --env-file',
        options: { '-m --module': 'entry:python -m', '--with-requirements': 'read' },
        operands: ['command'],
        does: ['code:python ?', 'connect:https ?'],
      },
      pip: { like: 'pip', isLoose: true, does: ['connect:https ?', 'code:python ?', 'write/** .'] },
      'tool|x': { isLoose: true, operands: ['...value'], does: ['connect:https ?', 'code:python ?'] },
      'sync|add|remove|lock|init|venv|build|python|export|tree|self|cache|version': {
        isLoose: true,
        operands: ['...code:package'],
        does: ['connect:https ?', 'code:python ?', 'write/** .'],
      },
      publish: { ...publishes },
      '*': { isLoose: true, does: ['code:python ?', 'connect:https ?'] },
    },
  },
  poetry: {
    isLoose: true,
    isPosix: true,
    options: { '-C --directory --project -P': 'folder' },
    commands: {
      run: { isPosix: true, operands: ['command'], does: ['code:python ?'] },
      publish: publishes,
      '*': { isLoose: true, does: ['connect:https ?', 'code:python ?', 'write/** .'] },
    },
  },
  pipenv: { like: 'poetry' },
  pdm: { like: 'poetry' },
  hatch: { like: 'poetry' },
  rye: { like: 'poetry' },
  conda: {
    isLoose: true,
    commands: {
      run: {
        isLoose: true,
        isPosix: true,
        values: '-n --name',
        options: { '-p --prefix': 'read/**' },
        operands: ['command'],
      },
      'list|info|search': { isLoose: true, does: ['connect:https ?'] },
      '*': {
        isLoose: true,
        options: { '-f --file': 'read', '-c --channel': 'value', '-p --prefix': 'write/**' },
        does: ['connect:https ?', 'code:python ?', 'write/** ~'],
      },
    },
  },
  mamba: { like: 'conda' },
  micromamba: { like: 'conda' },
  easy_install: {
    isLoose: true,
    operands: ['...code:package'],
    does: ['connect:https ?', 'code:python ?', 'write/** ~'],
  },
  twine: {
    isLoose: true,
    options: { '--repository-url': 'connect', '--config-file': 'read' },
    operands: ['value', '...read'],
    does: ['connect:https ?', 'vcs.push'],
  },
  virtualenv: {
    isLoose: true,
    options: { '-p --python': 'run' },
    operands: ['write/**'],
    does: ['connect:https ?', 'code:python ?'],
  },
  gem: {
    isLoose: true,
    commands: {
      'list|environment|env|which|contents|dependency|specification|help|query|check': {
        isLoose: true,
        operands: ['...value'],
      },
      'search|outdated|info|owner|signin|fetch': {
        isLoose: true,
        operands: ['...value'],
        does: ['connect:https ?'],
      },
      push: publishes,
      exec: { isLoose: true, isPosix: true, operands: ['command'], does: ['connect:https ?', 'code:ruby ?'] },
      '*': {
        isLoose: true,
        options: { '-s --source': 'connect', '-i --install-dir': 'write/**', '--file -g': 'load' },
        operands: ['...code:package'],
        does: ['connect:https ?', 'code:ruby ?', 'write/** ~'],
      },
    },
  },
  bundle: {
    isLoose: true,
    commands: {
      exec: { isPosix: true, isLoose: true, operands: ['command'], does: ['code:ruby ?'] },
      '*': { isLoose: true, does: ['connect:https ?', 'code:ruby ?', 'write/** .'] },
    },
    does: ['connect:https ? if none', 'code:ruby ? if none', 'write/** . if none'],
  },
  bundler: { like: 'bundle' },
  composer: {
    isLoose: true,
    options: { '-d --working-dir': 'folder' },
    does: ['connect:https ?', 'code:php ?', 'write/** .'],
  },
  pod: { isLoose: true, does: ['connect:https ?', 'code:ruby ?', 'write/** .'] },
  cpan: {
    isLoose: true,
    operands: ['...code:package'],
    does: ['connect:https ?', 'code:perl ?', 'write/** ~'],
  },
  cpanm: { like: 'cpan' },
  luarocks: { isLoose: true, operands: ['...value'], does: ['connect:https ?', 'code:lua ?', 'write/** ~'] },
  opam: {
    isLoose: true,
    commands: {
      exec: { isLoose: true, isPosix: true, operands: ['command'] },
      '*': { isLoose: true, does: ['connect:https ?', runs, 'write/** ~'] },
    },
  },
  cabal: { isLoose: true, does: ['connect:https ?', 'code:haskell ?', 'write/** .'] },
  stack: { like: 'cabal' },
  mix: { isLoose: true, does: ['connect:https ?', 'code:elixir ?', 'write/** .'] },
  rebar3: { isLoose: true, does: ['connect:https ?', 'code:erlang ?', 'write/** .'] },
  nuget: {
    isLoose: true,
    options: { '-Source': 'connect' },
    isDashed: true,
    does: ['connect:https ?', runs, 'write/** .'],
  },
  vcpkg: { isLoose: true, does: ['connect:https ?', 'code:cmake ?', 'write/** .'] },
  conan: { isLoose: true, does: ['connect:https ?', 'code:python ?', 'write/** .'] },
  spack: { like: 'conan' },
  dart: {
    isLoose: true,
    commands: {
      'analyze|info|doc': { isLoose: true, operands: ['...read/**=.'], does: ['code:dart ?'] },
      '*': { isLoose: true, does: ['connect:https ?', 'code:dart ?', 'write/** .'] },
    },
  },
  flutter: { isLoose: true, does: ['connect:https ?', 'code:dart ?', 'write/** .'] },
};
