import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.js';

/** A package manager: how it is started, and how it installs a project with `@ambit` from a registry. */
export interface Manager {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The words after the command that install what `package.json` names. */
  readonly install: readonly string[];
  /** Its configuration: the file, and the text for a registry. */
  readonly settings: readonly [string, (registry: string) => string];
}

const npmrc = ['.npmrc', (registry: string) => `@ambit:registry=${registry}\n`] as const;

export const managers: readonly Manager[] = [
  { name: 'npm', command: ['npm'], install: ['install', '--prefer-offline', '--no-audit'], settings: npmrc },
  {
    name: 'pnpm',
    command: [join(root, 'node_modules/.bin/pnpm')],
    install: ['install', '--prefer-offline'],
    settings: npmrc,
  },
  {
    name: 'yarn',
    command: ['npx', '--yes', '-p', '@yarnpkg/cli-dist@4.18.1', 'yarn'],
    install: ['install', '--no-immutable'],
    settings: [
      '.yarnrc.yml',
      (registry) =>
        [
          'nodeLinker: node-modules',
          'enableTelemetry: false',
          // The packages have the same version in each run: none may come from an earlier one.
          'globalFolder: ./.yarn-global',
          'enableGlobalCache: false',
          'unsafeHttpWhitelist: [127.0.0.1]',
          `npmScopes: { ambit: { npmRegistryServer: "${registry}" } }`,
          '',
        ].join('\n'),
    ],
  },
  {
    name: 'bun',
    command: ['npx', '--yes', 'bun@1.4.4'],
    install: ['install'],
    settings: [
      'bunfig.toml',
      (registry) => `[install.scopes]\n"@ambit" = "${registry}"\n[install.cache]\ndir = "./.cache"\n`,
    ],
  },
];

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end in a folder, with nothing on its standard input. */
export function run(folder: string, [command, ...args]: readonly [string, ...string[]]): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, AMBIT_HOME: join(folder, '.state'), NO_COLOR: '1' };
    const child = execFile(command, args, { cwd: folder, env, maxBuffer: 1 << 26 }, (error, out, err) => {
      const code = error === null ? 0 : error.code;
      resolve({ exit: typeof code === 'number' ? code : 127, out, err });
    });
    child.stdin?.end();
  });
}

/** A project of a new user: `package.json` with dependencies, and where `@ambit` comes from. */
export function writeProject(
  folder: string,
  { manager, registry, ...manifest }: { manager: Manager; registry: string; dependencies: object },
): void {
  const [file, textFor] = manager.settings;
  writeFileSync(join(folder, file), textFor(registry));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', private: true, type: 'module', ...manifest }),
  );
}
