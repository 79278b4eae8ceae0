import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root } from './workspace.cjs';

const stamp = join(root, 'node_modules', '.bootstrap-stamp');

/** Installs the dependencies if they differ from the lockfile. Otherwise it does not use the network. */
export function bootstrap(say) {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const pin = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
  say(`installing dependencies with ${pin} (once; up to a minute)`);
  const failures = [];
  for (const [command, ...args] of [['npx', '--yes', pin], ['pnpm']]) {
    const failure = install(command, args);
    if (failure === undefined) {
      mkdirSync(join(root, 'node_modules'), { recursive: true });
      writeFileSync(stamp, wanted);
      return;
    }
    failures.push(failure);
  }
  throw new Error(`the dependencies could not be installed\n${failures.join('\n')}`);
}

function install(command, args) {
  const result = spawnSync(command, [...args, 'install', '--frozen-lockfile', '--prefer-offline'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    // CI: pnpm may replace a node_modules that it did not make. development: the tools that build are devDependencies.
    env: { ...process.env, CI: '1', NODE_ENV: 'development', npm_config_prefer_offline: 'true' },
  });
  if (result.status === 0) return undefined;
  return `${command}: ${result.error?.message ?? `exit ${result.status}`}\n${result.stdout ?? ''}${result.stderr ?? ''}`;
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`);
  const manifests = ['.', ...packageFolders()].map((folder) => join(folder, 'package.json'));
  for (const file of [...manifests, 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`${file}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
}
