import { symlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { world } from '../../../toolsets/test/filesystem/world.js';
import { optionsFor, run, textOf, usual } from './command.js';

describe('the environment of a command', () => {
  it('holds the given and the fixed variables, and no variable of the host', async () => {
    const { base } = world();
    for (const name of ['AMBIT_KEY', 'ANTHROPIC_API_KEY', 'ORDINARY', 'BASH_ENV'])
      process.env[name] = 'of the host';
    onTestFinished(() => {
      for (const name of ['AMBIT_KEY', 'ANTHROPIC_API_KEY', 'ORDINARY', 'BASH_ENV']) delete process.env[name];
    });
    const options = { ...optionsFor(base), searchPath: ['/usr/bin', '/bin'] };
    const { stdout } = await run({ command: 'env', env: { COLOUR: 'red\nPATH=/tmp' } }, options);
    expect(
      textOf(stdout)
        .replace(/(SHELL_CALL=)[0-9a-f]{32}/, '$1…')
        .trimEnd()
        .split('\n')
        .sort(),
    ).toEqual(
      [
        'COLOUR=red',
        'HOME=/nowhere/home',
        'LANG=C.UTF-8',
        'PATH=/tmp',
        'PATH=/usr/bin:/bin',
        `PWD=${base}`,
        'SHELL_CALL=…',
        'SHLVL=0',
        'TERM=dumb',
        '_=/usr/bin/env',
      ].sort(),
    );
  });

  it('has no function, start-up file or option of a shell', async () => {
    const { base, at } = world({
      'home/.bashrc': 'echo bashrc',
      'home/.bash_profile': 'echo profile',
      'home/.profile': 'echo profile',
    });
    const options = { ...optionsFor(base), home: at('home') };
    expect(await run('declare -F; shopt -q expand_aliases; echo $? $SHELLOPTS', options)).toEqual({
      ...usual,
      stdout: '1 braceexpand:hashall:interactive-comments\n',
    });
  });

  it.each([
    'BASH_ENV',
    'ENV',
    'SHELLOPTS',
    'BASHOPTS',
    'BASH_COMPAT',
    'BASH_XTRACEFD',
    'PATH',
    'HOME',
    'PWD',
    'CDPATH',
    'IFS',
    'GLOBIGNORE',
    'POSIXLY_CORRECT',
    'PS4',
    'TEXTDOMAINDIR',
    'LOCPATH',
    'SHELL_CALL',
    '_',
  ])('does not accept %s from a call', async (name) => {
    const { base } = world();
    await expect(run({ command: 'true', env: { [name]: 'x' } }, optionsFor(base))).rejects.toThrow(
      `\`${name}\` is fixed, because it changes how a command is read or found`,
    );
  });

  it.each([
    'AMBIT_HOME',
    'ambit_home',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'GITHUB_TOKEN',
    'TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'DB_PASSWORD',
    'MYSQL_PWD',
    'PGPASSWORD',
    'npm_config_authtoken',
    'OPENAI_APIKEY',
    'SSH_KEY',
    'SESSION_COOKIE',
    'GOOGLE_CREDENTIALS',
  ])('does not pass %s on', async (name) => {
    const { base } = world();
    await expect(run({ command: 'true', env: { [name]: 'x' } }, optionsFor(base))).rejects.toThrow(
      `\`${name}\` has the name of a secret, or of what guards this run, and is not passed on`,
    );
  });

  it.each([
    'KEYBOARD',
    'PATHS',
    'COMPASS',
    'AUTHOR',
    'GIT_AUTHOR_NAME',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'NODE_ENV',
  ])('passes %s on', async (name) => {
    const { base } = world();
    expect(await run({ command: `echo $${name}`, env: { [name]: 'x' } }, optionsFor(base))).toMatchObject({
      stdout: 'x\n',
    });
  });

  it.each([
    ['BASH_FUNC_ls%%', '() { echo; }', 'the name of a variable has letters'],
    ['a=b', 'x', 'the name of a variable has letters'],
    ['', 'x', 'the name of a variable has letters'],
    ['A', 'x\0y', 'the value of `A` is not well-formed text'],
    ['LC_ALL', 'zh_TW.BIG5', '`LC_ALL` may be C, POSIX or C.UTF-8'],
    ['A', 'x'.repeat(70_000), 'the variables hold 70002 bytes, and may hold at most 65536'],
  ])('refuses the variable %j', async (name, value, message) => {
    const { base } = world();
    await expect(run({ command: 'true', env: { [name]: value } }, optionsFor(base))).rejects.toThrow(message);
  });

  it('searches programs only in folders that it cannot write', async () => {
    const { at } = world({ 'w/bin/ls': '#!/bin/sh\necho mine' });
    const { searchPathOf } = await import('../../src/run/search-path.js');
    const { roots } = optionsFor(at('w'));
    symlinkSync(at('w/bin'), at('alias'));
    expect(searchPathOf([at('w/bin'), at('alias'), at('none'), 'bin', '/usr/bin'], roots)).toEqual([
      '/usr/bin',
    ]);
  });
});
