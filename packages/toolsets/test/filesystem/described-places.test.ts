import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { whatValues } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { filesystemAt, openRoots, wellKnown, wellKnownAt } from '../../src/index.js';
import { Hand, world } from './world.js';

const by = 'toolset:filesystem';

describe('the table of well-known places', () => {
  const homes = ['/home/u', '/data/homes/u'];
  const secrets = (path: string) => wellKnownAt(path, 'secret.read', homes);
  const persistent = (path: string) => wellKnownAt(path, 'sys.persist', homes).map(({ what }) => what);

  it.each([
    '/home/u/.ssh/id_ed25519',
    '/root/.ssh',
    '/w/id_rsa',
    '/home/u/.aws/credentials',
    '/home/u/.netrc',
    '/home/u/.gnupg/private-keys-v1.d/k',
    '/home/u/.config/gh/hosts.yml',
    '/home/u/.docker/config.json',
    '/home/u/.kube/config',
    '/etc/shadow',
    '/w/server.pem',
    '/w/.env',
    '/w/.env.local',
    '/home/u/.npmrc',
    '/home/u/.pypirc',
    '/home/u/.git-credentials',
    '/home/u/.config/gcloud/x',
    '/home/u/.mozilla/firefox/p/logins.json',
    '/data/homes/u/.local/share/keyrings/login.keyring',
    '/home/u/Library/Application Support/Google/Chrome/Default/Cookies',
    '/proc/self/environ',
    '/proc/1/mem',
    '/proc/self/fd/3',
    '/run/secrets/db',
    '/w/config/prod.secret.exs',
    '/w/wp-config.php',
    '/w/local.settings.json',
    '/w/.streamlit/secrets.toml',
    '/home/u/.kaggle/kaggle.json',
    '/home/u/.cache/huggingface/token',
    '/home/u/.hex/hex.config',
    '/home/u/.bundle/config',
    '/home/u/.local/share/gem/credentials',
    '/home/u/.claude/.credentials.json',
    '/home/u/.codex/auth.json',
    '/w/SERVER.PEM',
    '/etc/pki/tls/certs/host.pem',
    '/w/config/credentials.json',
    '/w/service-account-prod.json',
    '/w/.Env',
    '/home/u/.SSH/ID_RSA',
    ...`terraform.tfstate.backup terraform.tfstate.1700000000.backup .dev.vars .dev.vars.prod .env~ #.env# .env.swp .env.orig .env.save
      .env-prod id_ed25519_sk id_rsa.bak id_rsa~ server.key.old key.pem.bak key.pem.1 key.pem.~1~ .key.pem.swp .id_rsa.swp #key.pem# .dockercfg
      .secrets.toml prod.tfvars.json x.agekey x.pkcs12 .clasprc.json .ftpconfig sftp-config.json
      .vscode/sftp.json .envrc.local .sentryclirc secrets.yml serviceAccountKey.json kubeconfig.yaml client_secret_1.apps.json
      app-firebase-adminsdk-x.json AuthKey_1.p8 client.ovpn http.keytab .vault_pass .Renviron .npmrc.bak .netrc.swp
      .databrickscfg deploy_rsa github_ed25519 keys/ci_ecdsa deploy_rsa.bak config/credentials.json.old .git-credentials.bak .irb_history
      gcp-credentials.json play_store_credentials.json keystore.properties key.properties secrets.properties .kamal/secrets .kamal/secrets.prod
      .kamal/secrets-common .microsoft/usersecrets/a/secrets.json id_rsa.gz key.pem.xz .env.gz .env.zip .env.tar.bz2 .env.bak.7z .ssh.tgz id_rsa.zst key.pem.tar
      .dvc/config.local kaggle.json .comet.config .modal.toml .dbt/profiles.yml prod-service-account.json ci_service_account.json
      gha-creds-1a2b.json .clerk/.tmp/keyless.json playwright/.auth/user.json e2e/.auth/admin.json conf/local/credentials.yml
      credentials.yaml .vault_pass.txt .vault-pass .vault-password vault_pass.txt vault-password.txt .config/pypoetry/auth.toml
      .local/share/uv/credentials/credentials.toml .config/ngrok/ngrok.yml .ngrok2/ngrok.yml .supabase/access-token rclone.conf
      .config/stripe/config.toml .snowsql/config .snowflake/connections.toml .railway/config.json .config/netlify/config.json
      .local/share/com.vercel.cli/auth.json .config/.wrangler/config/default.toml .secret .secrets/token src/arduino_secrets.h
      wifi_credentials.h keystore/UTC--2024-03-01T00-00-00.000Z--4df8 config/mnemonic.txt .mnemonic
      .foundry/keystores/deployer .brownie/accounts/a.json .config/solana/id.json target/deploy/vault-keypair.json
      .near-credentials/testnet/a.json wallet.dat .config/hardhat-nodejs/vars.json flash_encryption_key.bin
      keys/secure_boot_signing_key.bin secrets/prod.json secrets/db-password.txt secrets/db_password deploy/secrets/jwt_key
      secrets/prod.enc.yaml secrets.d/10-db config/secrets/api-token
      .bundle/config tmp/local_secret.txt tmp/development_secret.txt config/initializers/secret_token.rb config/local_env.yml
      infra/prod.tfbackend infra/tfplan plan.tfplan infra/tfplan.json group_vars/all/vault.yml group_vars/all/vault
      roles/db/vars/vault.yml helm_vars/prod/secrets.yaml secrets.yaml.dec sealed-secrets-key.yaml .dockerconfigjson .erlang.cookie
      rel/app/releases/COOKIE vault_pass vault-password .vaultpass keys/bigquery-sa.json sa-key.json gcp-key.json gcloud-key.json
      azureauth.json rootkey.csv config/credentials.csv new_user_credentials.csv ana_accessKeys.csv accessKeys.csv airflow.cfg
      airflow_connections.json airflow_variables.json simple_auth_manager_passwords.json.generated standalone_admin_password.txt
      .mlflow/credentials .jupyter/jupyter_server_config.json .local/share/jupyter/runtime/jpserver-1.json .cdsapirc .httr-oauth
      .condarc .odbc.ini .pg_service.conf .cassandra/credentials .cache/huggingface/stored_tokens .Rhistory .pry_history
      .duckdb_history .local/share/fish/fish_history .dbshell .mongosh/mongosh_repl_history local.properties signing.properties
      sentry.properties agconnect-services.json fastlane/api_key.json fastlane/AuthKey.json .fastlane/spaceship/a@b.c/cookie
      Parcels/Secrets.xcconfig Parcels/Secrets.swift Secrets.plist res/values/secrets.xml values/google_maps_api.xml
      values/api_keys.xml export_credentials.cfg .godot/export_credentials.cfg Unity_v2022.x.ulf secring.gpg`
      .split(/\s+/)
      .map((name) => `/w/${name}`),
  ])('marks %s as a secret, named by its path', (path) => {
    expect(secrets(path)).toEqual([{ name: 'secret.read', path }]);
  });

  it.each([
    '/w/.env.example',
    '/w/src/secrets.ts',
    '/w/src/secrets/index.ts',
    '/w/src/secrets',
    '/w/modules/secrets/main.tf',
    '/w/packages/secrets/package.json',
    '/w/secrets/README.md',
    '/w/secrets/prod.example.json',
    '/w/private/a.json',
    '/w/env',
    '/w/env.md',
    `/w/${'.1~'.repeat(30)}x`,
    '/w/pem',
    '/w/token',
    '/w/auth.json',
    '/w/config/config.exs',
    '/w/ssh/x',
    '/home/u/notes.md',
    '/etc/passwd',
    '/other/.local/share/keyrings/x',
    '/etc/ssl/certs/ca-bundle.pem',
    '/w/certs/ca-bundle.pem',
    '/w/certs/fullchain.pem',
    '/w/.venv/lib/python3.12/site-packages/certifi/cacert.pem',
    '/w/certs/ca.crt',
    ...`secrets.ts secrets.yaml secrets.json secrets.md .env.example .env-example .env.example.bak .env.sample~ keyboard.key.ts id_rsa.pub id_ed25519_sk.pub deploy_rsa.pub
      .dvc/config profiles.yml credentials.md credentials.yml.enc my-service-account.ts .auth/login.ts vault_pass.py
      credentials.ts x-credentials.ts gradle.properties .kamal/hooks/pre-build .bundle/plugin deploy_rsa.ts my_rsa/x _rsa/x rsa
      ca-cert.pem.bak service-account.ts client_secret.go kubeconfig.go a.bak #a.ts# a~ 1 .bak .1 ~ ## key.test.ts
      .kamal/secrets.example .kamal/secrets-example .kamal/secrets.sample .vault_pass.example .vault-password.sample .wrangler/tmp/x
      secrets.h credentials.h secrets.py settings.toml wallets/icons.json keystore/index.ts .secrets.baseline .config/solana/cli/config.yml
      application.yml vault.yml vault_test.go connections.json keys.txt locales/ar-SA.json keys/en.json sa.json gcp.json
      secret_token.ts secrets.xml values/strings.xml SecretsView.swift cookie fastlane/Fastfile session.yaml airflow.py
      .jupyter/lab/x group_vars/all/vars.yml group_vars/all/vault.yml.example accesskeys.ts lib/key.snk
      sentry.properties.example local.properties.example Secrets.example.xcconfig gradle-wrapper.properties google-services.json
      .env.example.gz id_rsa.pub.gz .gz a.tgz x.tar.gz key.pem.gpg id_rsa.age`
      .split(/\s+/)
      .map((name) => `/w/${name}`),
  ])('does not mark %s as a secret', (path) => {
    expect(secrets(path)).toEqual([]);
  });

  it.each([
    ['/home/u/.bashrc', ['shell start-up files']],
    ['/etc/cron.d/job', ['scheduled jobs']],
    ['/home/u/.config/systemd/user/x.service', ['services']],
    ['/home/u/.config/autostart/x.desktop', ['what starts with a session']],
    ['/home/u/.ssh/authorized_keys', ['who may log in']],
    ['/w/.venv/bin/ls', ['environments whose programs shells find first']],
    ['/w/app/venv/pip.conf', ['environments whose programs shells find first']],
    ['/w/env/pyvenv.cfg', ['environments whose programs shells find first']],
    ['/w/.git/hooks/pre-commit', ['git hooks and settings']],
    ['/w/.git/config', ['git hooks and settings']],
    ['/w/.github/workflows/ci.yml', ['CI definitions']],
    ['/w/sub/.gitlab-ci.yml', ['CI definitions']],
    ['/w/.github/CODEOWNERS', ['CI definitions']],
    ['/w/.github/dependabot.yml', ['CI definitions']],
    ['/w/.appveyor.yml', ['CI definitions']],
    ['/w/.cirrus.yml', ['CI definitions']],
    ['/w/.semaphore/semaphore.yml', ['CI definitions']],
    ['/w/.teamcity/settings.kts', ['CI definitions']],
    ['/w/azure-pipelines.yaml', ['CI definitions']],
    ['/w/.builds/alpine.yml', ['CI definitions']],
    ['/w/buildspec.yml', ['CI definitions']],
    ['/w/cloudbuild.yaml', ['CI definitions']],
    ...`bitrise.yml codemagic.yaml .tekton/pull.yaml azure-pipelines-release.yml azure-pipelines/steps.yaml .azuredevops/ci.yml
      .pipelines/a.yml .vsts-ci.yml build.gitlab-ci.yml .gitlab-ci/a.yml Jenkinsfile.release ci.jenkinsfile .drone.jsonnet
      .woodpecker.yaml .cirrus.star cloudbuild.yml .zuul.d/a.yaml .packit.yaml .copr/build.sh renovate.json5 .renovaterc`
      .split(/\s+/)
      .map((name): [string, string[]] => [`/w/${name}`, ['CI definitions']]),
    ['/w/.overcommit.yml', ['git hooks and settings']],
    ['/w/.git-hooks/pre_commit/a.rb', ['git hooks and settings']],
    ['/w/.lefthook.yml', ['git hooks and settings']],
    ['/w/Makefile', ['build definitions']],
    ['/w/.GIT/hooks/pre-commit', ['git hooks and settings']],
    ['/w/package.json', ['build definitions']],
    ['/w/package.yaml', ['build definitions']],
    ['/w/compose.override.yml', ['build definitions']],
    ['/w/docker-compose.yaml', ['build definitions']],
    ['/w/.mvn/jvm.config', ['build definitions']],
    ['/w/mise.toml', ['shell start-up files', 'build definitions']],
    ['/w/.azure-pipelines/ci.yml', ['CI definitions']],
    ['/w/.amp/settings.json', ['instructions, settings and servers of agents']],
    ['/w/app.code-workspace', ['tasks and settings that editors run']],
    ['/w/.gitpod.yml', ['tasks and settings that editors run']],
    ['/w/.github/extensions/x/extension.mjs', ['instructions, settings and servers of agents']],
    ['/w/.agents/skills/x/SKILL.md', ['instructions, settings and servers of agents']],
    ['/w/src/main.ts', []],
    ['/w/agents/main.ts', []],
    ['/w/github/workflows/ci.yml', []],
  ])('marks %s as persistent beyond a run: %j', (path, what) => {
    expect(persistent(path)).toEqual(what);
  });

  it('treats a star in a home folder literally', () => {
    const keys = (home: string) => `${home}/.local/share/keyrings/k`;
    expect(wellKnownAt(keys('/home/*'), 'secret.read', ['/home/*'])).toHaveLength(1);
    expect(wellKnownAt(keys('/home/u'), 'secret.read', ['/home/*'])).toEqual([]);
  });

  it('has only places that match something, without duplicates', () => {
    const example = (place: string) =>
      place
        .replace(/^\*\*|^~/, '/home/u')
        .replace('/**', '/x')
        .replaceAll('*', 'x');
    const dead = wellKnown.flatMap(({ capability, places, beside }) =>
      places.filter(
        (place) => wellKnownAt(example(place), capability, homes).length === (beside === undefined ? 0 : 1),
      ),
    );
    expect(dead).toEqual([]);
    const repeated = wellKnown.flatMap(({ places }) =>
      places.filter((place, index) => places.indexOf(place) !== index),
    );
    expect(repeated).toEqual([]);
    const persisting = wellKnown.filter(({ capability }) => capability === 'sys.persist');
    expect(whatValues['sys.persist']).toEqual(expect.arrayContaining(persisting.map(({ what }) => what)));
  });
});

describe('a call', () => {
  const scene = () => {
    const { at } = world({
      'w/.git/hooks/.keep': '',
      'w/.env': 'x',
      'w/a': 'x',
      'policy/policy.yaml': 'x',
      'w/state/log/run.jsonl': 'x',
    });
    const hand = (home = '/nowhere') =>
      Hand.with({
        roots: [
          { name: 'work', folder: at('w'), mode: 'rw' },
          { name: 'policy', folder: at('policy'), mode: 'rw' },
        ],
        home,
        guarded: [
          { path: at('policy/policy.yaml'), what: 'policy file' },
          { path: at('w/state'), what: 'state folder' },
        ],
      });
    return { at, hand };
  };

  it('reports a secret read by name, through a link, by an edit and by a move', async () => {
    const { at, hand } = scene();
    symlinkSync('.env', at('w/innocent'));
    expect(await hand().capabilities('read_file', { path: 'work/innocent' })).toEqual([
      { name: 'fs.read', path: at('w/innocent'), by },
      { name: 'fs.read', path: at('w/.env'), by },
      { name: 'secret.read', path: at('w/.env'), by },
    ]);
    const secret = { name: 'secret.read', path: at('w/.env'), by };
    expect(
      await hand().capabilities('edit_file', { path: 'work/.env', old_text: 'a', new_text: 'b' }),
    ).toContainEqual(secret);
    expect(await hand().capabilities('move_file', { path: 'work/.env', to: 'work/b' })).toContainEqual(
      secret,
    );
    expect(await hand().capabilities('write_file', { path: 'work/.env', content: '' })).not.toContainEqual(
      secret,
    );
  });

  it('reports a write that persists beyond the run, and the folders that it creates', async () => {
    const { at, hand } = scene();
    const persists = async (path: string) =>
      (await hand().capabilities('write_file', { path, content: '' })).filter(
        ({ name }) => name === 'sys.persist',
      );
    const what = 'git hooks and settings';
    symlinkSync('.git/hooks', at('w/scripts'));
    expect(await persists('work/scripts/pre-commit')).toEqual([
      { name: 'sys.persist', what, path: at('w/.git/hooks/pre-commit') },
    ]);
    expect(await persists('work/new/.git/hooks/x')).toEqual(
      ['new/.git', 'new/.git/hooks', 'new/.git/hooks/x'].map((path) => ({
        name: 'sys.persist',
        what,
        path: at(`w/${path}`),
      })),
    );
  });

  it('reports a change of a guarded place, its content or a parent folder, but not a read', async () => {
    const { at, hand } = scene();
    const guards = async (tool: string, args: { [key: string]: string }) =>
      (await hand().capabilities(tool, args)).filter(({ name }) => name === 'sys.guard');
    const policy = { name: 'sys.guard', what: 'policy file', path: at('policy/policy.yaml') };
    expect(await guards('write_file', { path: 'policy/policy.yaml', content: '' })).toEqual([policy]);
    expect(await guards('delete_file', { path: 'policy/policy.yaml' })).toEqual([policy]);
    expect(await guards('move_file', { path: 'policy/policy.yaml', to: 'work/x' })).toEqual([policy]);
    expect(await guards('edit_file', { path: 'policy/policy.yaml', old_text: 'a', new_text: 'b' })).toEqual([
      policy,
    ]);
    expect(await guards('move_file', { path: 'work/a', to: 'work/state/new' })).toEqual([
      { name: 'sys.guard', what: 'state folder', path: at('w/state/new') },
    ]);
    expect(await guards('delete_file', { path: 'work' })).toEqual([
      { name: 'sys.guard', what: 'state folder', path: at('w') },
    ]);
    expect(await guards('read_file', { path: 'policy/policy.yaml' })).toEqual([]);
    expect(await guards('write_file', { path: 'policy/other.yaml', content: '' })).toEqual([]);
  });

  it('reports no new folder above a guarded place that is missing', async () => {
    const { at } = scene();
    const hand = Hand.with({
      roots: [{ name: 'work', folder: at('w'), mode: 'rw' }],
      guarded: [{ path: at('w/.github/hooks'), what: 'agent settings' }],
    });
    const guards = async (tool: string, args: { [key: string]: string }) =>
      (await hand.capabilities(tool, args)).flatMap(({ name, path }) => (name === 'sys.guard' ? [path] : []));
    expect(await guards('write_file', { path: 'work/.github/x.md', content: '' })).toEqual([]);
    expect(await guards('move_file', { path: 'work/a', to: 'work/.github' })).toEqual([at('w/.github')]);
    expect(await guards('write_file', { path: 'work/.github/hooks/x', content: '' })).toEqual([
      at('w/.github/hooks'),
      at('w/.github/hooks/x'),
    ]);
  });

  it('reports a guarded place behind a link, also if the place was given as a link', async () => {
    const { at } = scene();
    symlinkSync(at('w/state'), at('w/link'));
    symlinkSync(at('w'), at('alias'));
    const hand = Hand.with({
      roots: [{ name: 'work', folder: at('w'), mode: 'rw' }],
      guarded: [{ path: at('alias/state'), what: 'state folder' }],
    });
    expect(await hand.capabilities('write_file', { path: 'work/link/x', content: '' })).toContainEqual({
      name: 'sys.guard',
      what: 'state folder',
      path: at('w/state/x'),
    });
  });

  it('reports a read or a move out of an untrusted root', async () => {
    const { at } = world({ 'in/a': 'x', 'out/.keep': '' });
    symlinkSync(at('in/a'), at('out/link'));
    const hand = Hand.with({
      roots: [
        { name: 'in', folder: at('in'), mode: 'rw', untrusted: true },
        { name: 'out', folder: at('out'), mode: 'rw' },
      ],
    });
    const source = { name: 'content.untrusted', source: at('in/a') };
    expect(await hand.capabilities('read_file', { path: 'in/a' })).toEqual([
      { name: 'fs.read', path: at('in/a'), by },
      source,
    ]);
    expect(await hand.capabilities('read_file', { path: 'out/link' })).toContainEqual(source);
    expect(await hand.capabilities('move_file', { path: 'in/a', to: 'out/a' })).toContainEqual(source);
  });
});

describe('roots', () => {
  it('apply the rules of the innermost of nested roots', async () => {
    const { at } = world({ 'w/ref/a': 'x', 'w/ref/out/a': 'x' });
    const hand = Hand.with({
      roots: [
        { name: 'work', folder: at('w'), mode: 'rw' },
        { name: 'ref', folder: at('w/ref'), mode: 'ro' },
        { name: 'out', folder: at('w/ref/out'), mode: 'rw' },
      ],
    });
    const write = (path: string) => hand.cannot('write_file', { path, content: '' });
    expect(await write('work/b')).toBe(null);
    expect(await write('work/ref/b')).toMatch(/^`work\/ref\/b` lies in the root `ref`, which is read only: /);
    expect(await write('work/ref/out/b')).toBe(null);
    expect(await write('ref/out/b')).toBe(null);
  });

  it('do not include a neighbour with the same name prefix', async () => {
    const { at } = world({ 'out/.keep': '', 'outside/a': 'x' });
    const hand = new Hand(filesystemAt(at('out'), { home: '/nowhere', guarded: [] }));
    expect(await hand.capabilities('read_file', { path: '../outside/a' })).toEqual([
      { name: 'fs.read.outside', path: at('outside/a'), by },
    ]);
  });

  it('report both paths if their folder is given through a link', async () => {
    const { at } = world({ 'real/a': 'x' });
    symlinkSync('real', at('link'));
    const hand = Hand.with({ roots: [{ name: 'in', folder: at('link'), mode: 'ro' }] });
    expect(await hand.describe('read_file', { path: 'in/a' })).toEqual({
      capabilities: [
        { name: 'fs.read', path: at('link/a'), by },
        { name: 'fs.read', path: at('real/a'), by },
      ],
    });
    expect(await hand.call('read_file', { path: 'in/a' })).toMatchObject({ path: 'in/a', text: 'x' });
  });

  it('contain nothing if their folder now leads elsewhere', async () => {
    const { at } = world({ 'w/a': 'x', 'other/a': 'secret' });
    const hand = Hand.with({ roots: [{ name: 'in', folder: at('w'), mode: 'ro' }] });
    renameSync(at('w'), at('old'));
    symlinkSync('other', at('w'));
    expect(await hand.capabilities('read_file', { path: 'in/a' })).toEqual([
      { name: 'fs.read', path: at('w/a'), by },
      { name: 'fs.read.outside', path: at('other/a'), by },
    ]);
    expect(await hand.cannot('list_files', { path: 'in' })).toMatch(
      /leads out of the sandbox through a link/,
    );
    expect(await hand.call('list_files', { recursive: true })).toEqual({
      path: '.',
      entries: [{ path: 'in', kind: 'folder' }],
      rest: null,
    });
  });

  it('accept any name of one segment, and no other', async () => {
    const { at } = world({ 'w/a': 'x' });
    const open = (name: string, folder = at('w')) => openRoots([{ name, folder, mode: 'ro' }]);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const hand = Hand.with({ roots: [{ name, folder: at('w'), mode: 'ro' }] });
      expect(await hand.call('read_file', { path: `${name}/a` })).toMatchObject({
        path: `${name}/a`,
        text: 'x',
      });
    }
    for (const name of ['', '.', '..', 'a/b', 'a\0'])
      expect(() => open(name)).toThrow('cannot be the name of a root');
    expect(() => open('a', 'relative')).toThrow('the folder of root `a` is not absolute');
    const twice = { name: 'a', folder: at('w'), mode: 'ro' } as const;
    expect(() => openRoots([twice, twice])).toThrow('two roots are called `a`');
  });

  it('list only files that may be read', async () => {
    const { at } = world({ 'in/a.pdf': 'x', 'in/b.txt': 'x', 'in/c/d.pdf': 'x' });
    mkdirSync(at('in/e.txt'));
    const hand = Hand.with({ roots: [{ name: 'in', folder: at('in'), mode: 'ro', suffixes: ['.pdf'] }] });
    expect(await hand.call('list_files', { path: 'in', recursive: true })).toEqual({
      path: 'in',
      entries: [
        { path: 'in/a.pdf', kind: 'file', bytes: 1 },
        { path: 'in/c', kind: 'folder' },
        { path: 'in/c/d.pdf', kind: 'file', bytes: 1 },
        { path: 'in/e.txt', kind: 'folder' },
      ],
      rest: null,
    });
  });
});
