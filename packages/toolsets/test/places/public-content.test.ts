import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { secretsAt } from '@ambit/toolsets';
import { afterAll, describe, expect, it } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'public-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const signed =
  '-----BEGIN PGP PUBLIC KEY BLOCK-----\nComment: for releases\n\nmQINBFYa\n-----END PGP PUBLIC KEY BLOCK-----\n';

const android = `## This file must *NOT* be checked into Version Control Systems,
# as it contains information specific to your local configuration.
#
# Location of the SDK. This is only used by Gradle.
#Mon Jan 01 10:00:00 CET 2024
sdk.dir=/Users/ana/Library/Android/sdk
`;
const profile = (password: string) =>
  `shop:\n  target: dev\n  outputs:\n    dev:\n      type: postgres\n      port: 5432\n      password: ${password}\n`;

/** Whether a file with this content is a secret. */
function isSecret(name: string, content: string): boolean {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, content);
  return secretsAt(path, [join(folder, 'home')]).length > 0;
}

describe('secretsAt', () => {
  mkdirSync(join(folder, 'dbt'));
  writeFileSync(join(folder, 'dbt/dbt_project.yml'), '');

  it.each([
    ['a public key', 'release.key', publicKey],
    ['a public key of PGP', 'release.key', signed],
    ['several public keys', 'all.pem', `${publicKey}\n${publicKey.replaceAll('\n', '\r\n')}`],
    ['settings of npm', '.npmrc', 'package-lock=false\nsave-prefix = "~"\n\n'],
    ['settings of a repository', '.git/config', '[remote "origin"]\n\turl = git@github.com:a/b.git\n'],
    ['settings of a submodule', '.git/modules/a/b/config', '[core]\n\tbare = false\n'],
    ['plain values in JSON', 'dev.tfvars.json', '{\n  "region": "eu-west-1",\n  "size": 3\n}\n'],
    ['a user in an address', 'sub/.git/config', '[remote "origin"]\n\turl = https://acme@dev.azure.com/a\n'],
    ['places of tools for Android', 'local.properties', android],
    ['settings of dbt', 'dbt/profiles.yml', profile('"{{ env_var(\'DB_PASSWORD\') }}"')],
    [
      'settings of Bundler',
      'app/.bundle/config',
      '---\nBUNDLE_PATH: "vendor/bundle"\nBUNDLE_WITHOUT: "development:test"\n',
    ],
    ['a registry', '.npmrc', '@acme:registry=https://npm.acme.example/repo/npm/\n'],
    [
      'plain values for Terraform',
      'dev.tfvars',
      'region = "eu-west-1"\ncidrs  = ["10.0.0.0/16", "10.1.0.0/16"]\n\ntags = {\n  team = "web"\n}\nsize = 3\n',
    ],
  ])('does not count as secret: %s', (_what, name, content) => {
    expect(isSecret(name, content)).toBe(false);
  });

  it('does not count settings of git as secret that do not exist', () => {
    expect(secretsAt(join(folder, 'none/.git/config'), [])).toEqual([]);
  });

  it.each([
    ['a private key', 'server.key', privateKey],
    ['a private key behind a public one', 'server.pem', publicKey + privateKey],
    ['a private key within a public one', 'a.pem', publicKey.replace(/(?=-----END)/, privateKey)],
    ['a public key with other text', 'a.pem', `password: hunter2\n${publicKey}`],
    ['other text within a public key', 'a.pem', publicKey.replace(/(?=-----END)/, 'password hunter2\n')],
    ['a public key without an end', 'a.pem', publicKey.replace(/-----END.*/, '')],
    ['a private key with a public label', 'a.pem', privateKey.replace('BEGIN PRIVATE', 'BEGIN PUBLIC')],
    ['an empty file', 'a.pem', ''],
    ['bytes', 'a.key', '\0\x01'],
    ['a public key among those of SSH', '.ssh/a.pem', publicKey],
    ['a header for git', '.git/config', '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: x\n'],
    ['a header in a submodule', '.git/modules/a/b/config', '[http]\n\textraheader = x\n'],
    ['an address with a password', '.git/config', '[remote "origin"]\n\turl = https://me:x@github.com/a/b\n'],
    ['an address with a token', '.git/config', '[url "https://ghp_0123456789abcdefghij@github.com/"]\n'],
    ['a password for git', '.git/config', '[credential]\n\thelper = "!echo password=x"\n'],
    ['a token of npm', '.npmrc', 'save=true\n//registry.example/:_authToken=x\n'],
    ['a password of npm', '.npmrc', '_password=x\n'],
    ['an unknown setting of npm', '.npmrc', 'x-token=x\n'],
    ['a comment in the settings of npm', '.npmrc', '; //registry.example/:_authToken=x\n'],
    ['a registry with a password', '.npmrc', 'registry=https://me:pw@npm.example/\n'],
    ['a registry with a token', '.npmrc', 'registry=https://npm.example/a81bc81bdead4e5d/\n'],
    ['a setting from the environment', '.npmrc', 'save-prefix=$TOKEN\n'],
    ['a password for Terraform', 'dev.tfvars', 'region = "eu-west-1"\ndb_password = "hunter"\n'],
    ['a long value for Terraform', 'dev.tfvars', 'x = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6"\n'],
    ['a comment for Terraform', 'dev.tfvars', '# was hunter2\n'],
    ['settings of a cluster', 'kubeconfig', 'apiVersion: v1\n'],
    ['an environment file', '.env', publicKey],
    ['a password for gems', '.bundle/config', '---\nBUNDLE_PATH: "vendor"\nBUNDLE_GEMS__ACME__COM: "a:b"\n'],
    ['an unknown setting of Bundler', '.bundle/config', 'BUNDLE_X: "hunter2"\n'],
    ['a password for dbt', 'dbt/profiles.yml', profile('hunter')],
    ['a password for dbt by default', 'dbt/profiles.yml', profile("\"{{ env_var('A', 'hunter2') }}\"")],
    ['a key of an app for Android', 'local.properties', 'sdk.dir=/opt/android\nMAPS_API_KEY=x\n'],
    ['a comment for Android', 'local.properties', '# was hunter2\nsdk.dir=/opt/android\n'],
    ['a password after a path for Android', 'local.properties', 'sdk.dir=/opt/android\\\nhunter2\n'],
    ['a copy of a private key', 'x.key.bak', privateKey],
  ])('counts as secret: %s', (_what, name, content) => {
    expect(isSecret(name, content)).toBe(true);
  });

  it.each([
    ['php', 'auth.json', 'composer.json'],
    ['net', 'secrets.json', 'appsettings.json'],
    ['chart', 'secrets.yaml', 'Chart.yaml'],
    ['house', 'secrets.yaml', 'configuration.yaml'],
    ['base', 'secret.yaml', 'kustomization.yaml'],
    ['meter', 'secrets.h', 'main.c'],
    ['clock', 'secrets.h', 'main.cpp'],
    ['lamp/include', 'credentials.h', '../platformio.ini'],
    ['board', 'settings.toml', 'code.py'],
    ['sensor', 'secrets.py', 'boot.py'],
    ['garden', 'secrets.yaml', '.esphome'],
    ['vault/wallets', 'deployer.json', '../foundry.toml'],
    ['coin/keystore', 'deployer', '../hardhat.config.ts'],
    ['dao/keystores', 'deployer', '../hardhat.config.js'],
    ['rails', 'application.yml', 'application.rb'],
    ['freight', 'secrets.prod.yaml', 'Chart.yaml'],
    ['web', 'vault.yml', 'vars.yml'],
    ['job', 'vault', 'vars'],
    ['play/host_vars/web', 'vault', '../../ansible.cfg'],
    ['sops', 'keys.txt', '.sops.yaml'],
    ['airflow', 'connections.json', 'airflow.cfg'],
  ])('counts in %s a file %s as secret beside %s, and no other file of this name', (at, name, beside) => {
    expect(isSecret(`${at}/${name}`, '{}')).toBe(false);
    writeFileSync(join(folder, at, beside), '{}');
    expect(isSecret(`${at}/${name}`, '{}')).toBe(true);
    expect(isSecret(`${at}/templates/${name}`, '{}')).toBe(false);
  });

  it('counts a folder, a missing file, a pipe and a link to a secret as secrets', () => {
    writeFileSync(join(folder, 'real.key'), privateKey);
    symlinkSync('real.key', join(folder, 'link.key'));
    mkdirSync(join(folder, 'folder.pem'));
    execFileSync('mkfifo', [join(folder, 'pipe.pem')]);
    for (const name of ['link.key', 'folder.pem', 'pipe.pem', 'missing.pem'])
      expect(secretsAt(join(folder, name), [])).toHaveLength(1);
  });
});
