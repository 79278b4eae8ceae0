import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Runs scripts that the project or a package brings. */
const runs = 'code:sh ?';

const changing: ProgramSpec = {
  isLoose: true,
  operands: ['...value'],
  does: ['sys.admin:packages', 'connect:https ?', runs],
};
const looking: ProgramSpec = { isLoose: true, operands: ['...value'] };
/** Package managers of operating systems: commands that look, and those that change the system. */
export const systemPackagePrograms: ProgramTable = {
  apt: {
    isLoose: true,
    options: {
      '-c --config-file': 'load',
      '-o --option': 'code:apt-setting',
      '-t --target-release': 'value',
    },
    isInherited: true,
    commands: {
      'list|show|search|policy|depends|rdepends|moo|showsrc|madison|showpkg|pkgnames|stats|dump': looking,
      'changelog|download|source': { ...looking, does: ['connect:https ?', 'write/** .'] },
      '*': changing,
    },
  },
  'apt-get': { like: 'apt' },
  'apt-cache': { like: 'apt' },
  aptitude: { like: 'apt' },
  'apt-key': changing,
  'add-apt-repository': changing,
  'apt-mark': changing,
  dpkg: {
    isLoose: true,
    flags:
      '-l -L -s -S -p --list --listfiles --status --search --print-avail --print-architecture --get-selections -c --contents -I --info --audit -C --verify -V --compare-versions',
    operands: ['...read'],
    does: [
      'sys.admin:packages unless -l -L -s -S -p --list --listfiles --status --search --print-avail --print-architecture --get-selections -c --contents -I --info --audit -C --verify -V --compare-versions --version --help',
      'code:sh ? unless -l -L -s -S -p --list --listfiles --status --search --print-avail --print-architecture --get-selections -c --contents -I --info --audit -C --verify -V --compare-versions --version --help',
    ],
  },
  'dpkg-query': { isLoose: true, operands: ['...value'] },
  'dpkg-deb': { isLoose: true, operands: ['...read'], does: ['write/** .'] },
  'dpkg-reconfigure': changing,
  'dpkg-buildpackage': { isLoose: true, does: [runs, 'write/** ..'] },
  rpm: {
    isLoose: true,
    options: { '--eval -E': 'code:rpm', '--pipe': 'code:sh' },
    flags: '-q -a -i -l -f -p -V -K --query --verify',
    operands: ['...read'],
    does: [
      'sys.admin:packages unless -q --query -V --verify -K --version',
      'code:lua ? unless -q -V -K --version',
    ],
  },
  rpmbuild: { isLoose: true, operands: ['...load'], does: [runs, 'write/** ~/rpmbuild'] },
  yum: {
    isLoose: true,
    options: { '-c --config': 'load' },
    commands: {
      'list|info|search|provides|whatprovides|repolist|deplist|history|check-update|repoquery': {
        ...looking,
        does: ['connect:https ?'],
      },
      '*': changing,
    },
  },
  dnf: { like: 'yum' },
  microdnf: { like: 'yum' },
  zypper: { like: 'yum' },
  pacman: {
    isLoose: true,
    operands: ['...value'],
    flags: '-Q -Qi -Ql -Qs -Ss -Si',
    isDashed: true,
    does: [
      'sys.admin:packages unless -Q -Qi -Ql -Qs -Ss -Si',
      'connect:https ? unless -Q -Qi -Ql -Qs',
      'code:sh ? unless -Q -Qi -Ql -Qs -Ss -Si',
    ],
  },
  yay: changing,
  paru: changing,
  apk: { isLoose: true, commands: { 'info|list|search|policy|version|stats|dot': looking, '*': changing } },
  emerge: changing,
  snap: {
    isLoose: true,
    commands: {
      'list|info|find|version|changes|services|connections': looking,
      run: { isPosix: true, operands: ['command'] },
      '*': changing,
    },
  },
  flatpak: {
    isLoose: true,
    commands: {
      'list|info|search|history|remotes': looking,
      run: {
        isPosix: true,
        isLoose: true,
        options: { '--command': 'code:command' },
        operands: ['value', 'rest'],
        does: ['code:flatpak ?'],
      },
      '*': changing,
    },
  },
  brew: {
    isLoose: true,
    commands: {
      'list|ls|leaves|deps|uses|config|doctor|home|cat|desc|--prefix|--cellar|--version|shellenv': looking,
      'info|search|outdated|log': { ...looking, does: ['connect:https ?'] },
      '*': {
        isLoose: true,
        operands: ['...code:package'],
        does: ['connect:https ?', 'code:ruby ?', 'sys.admin:packages'],
      },
    },
  },
  port: changing,
  pkg: changing,
  'nix-env': changing,
  nix: {
    isLoose: true,
    options: { '-f --file': 'load', '--expr -E': 'code:nix', '-c --command': 'command' },
    does: ['connect:https ?', 'code:nix ?'],
  },
  'nix-shell': {
    isLoose: true,
    options: { '--run --command': 'code:sh', '-p --packages': 'value' },
    does: ['connect:https ?', 'code:nix ?'],
  },
  'nix-build': { isLoose: true, does: ['connect:https ?', 'code:nix ?', 'write/** .'] },
};
