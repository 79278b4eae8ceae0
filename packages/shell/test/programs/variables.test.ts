import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import file from '../../programs/variables.yaml';
import { changeBy } from '../../src/facts/variable.js';

const list = z.string().regex(/^(?:\*_)?[A-Z]\w*\*?(?: (?:\*_)?[A-Z]\w*\*?)*$/);

const form = z.strictObject({
  login: z.strictObject({ any: list, names: list, folders: list }),
  variables: z.record(
    z.string().regex(/^(?:\*_)?[A-Za-z_]\w*\*?(?: (?:\*_)?[A-Za-z_]\w*\*?)*$/),
    z.strictObject({
      for: z.string().min(1),
      values: z.array(z.string()).min(1).exactOptional(),
      matches: z.string().min(1).exactOptional(),
    }),
  ),
});

function mayBeSet(name: string, value: string | null): boolean {
  return changeBy(name, value) === null;
}

describe('environment variables of the table', () => {
  test('follow the schema and are listed once', () => {
    const { variables, login } = form.parse(file);
    for (const lists of [Object.keys(variables), Object.values(login)]) {
      const names = lists.flatMap((each) => each.split(' '));
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toStrictEqual([]);
    }
  });

  test.each([
    ['NODE_ENV', 'production'],
    ['CI', 'true'],
    ['DEBUG', 'app:*'],
    ['LC_ALL', 'C'],
    ['LANG', 'C.UTF-8'],
    ['TZ', 'Europe/Berlin'],
    ['NO_COLOR', '1'],
    ['MALLOC_CHECK_', '3'],
    ['PYTHONUNBUFFERED', '1'],
    ['GIT_PAGER', 'cat'],
    ['GIT_EDITOR', 'true'],
    ['GIT_AUTHOR_NAME', 'A. Person'],
    ['DATABASE_URL', 'postgres://ledger@localhost/ledger'],
    ['OPENAI_API_KEY', null],
    ['VITE_TITLE', '$(id)'],
    ['FOO', '1'],
    ['LAST_TAG', null],
    ['name', null],
    ['VIRTUAL_ENV', ''],
    ['https_proxy', ''],
    ['NODE_OPTIONS', '--max-old-space-size=4096'],
    ['NODE_OPTIONS', ''],
    ['FLASK_APP', 'app.py'],
  ])('%s may be %s', (name, value) => {
    expect(mayBeSet(name, value)).toBe(true);
  });

  test.each([
    ['_API_KEY_FILE', 'x'],
    ['CI', null],
    ['NODE_OPTIONS', '--require ./a.js'],
    ['NODE_OPTIONS', '--max-old-space-size=1 --require=./a.js'],
    ['NODE_OPTIONS', '--max-old-space-size=1\n--require=./a.js'],
    ['VIRTUAL_ENV', '.'],
    ['https_proxy', 'http://a.example'],
    ['no_proxy', '*'],
    ['npm_config_prefix', ''],
    ['yarn_registry', 'http://a.example'],
    ['pnpm_config_registry', 'http://a.example'],
    ['GIT_DIR', ''],
    ['HOME', ''],
    ['PATH', ''],
    ['GIT_SSH', 'x'],
    ['BASH_ENV', 'x'],
    ['PGHOST', 'x'],
    ['MY_DATABASE_URL', 'x'],
    ['NODE_ENV', '../../etc/passwd'],
    ['NODE_ENV', null],
    ['TZ', ':/etc/shadow'],
    ['TZ', '/etc/shadow'],
    ['TZ', 'Europe/../../../../etc/shadow'],
    ['LC_ALL', '../../home/me/locale'],
    ['LC_ALL', 'en_US.UTF-8'],
    ['LANG', 'en_US.UTF-8\n'],
    ['TERM', '../x'],
    ['GIT_PAGER', 'sh -c id'],
    ['GIT_EDITOR', 'vi'],
    ['EDITOR', 'cat'],
    ['GIT_TRACE', '/tmp/out'],
    ['LESS', '-o/tmp/out'],
    ['MPLBACKEND', 'module://evil'],
    ['PYTHONWARNINGS', 'ignore::evil.Warning'],
    ['PYTHONIOENCODING', 'evil'],
    ['AWS_PAGER', 'sh'],
    ['PATH', '/tmp'],
    ['LD_PRELOAD', 'x.so'],
    ['NODE_OPTIONS', '--require ./x.js'],
    ['PYTHONPATH', '.'],
    ['HOME', '/tmp'],
    ['TMPDIR', '/tmp'],
    ['http_proxy', 'http://x'],
    ['IFS', ' '],
    ['POSIXLY_CORRECT', '1'],
    ['QUOTING_STYLE', 'shell'],
    ['TAR_OPTIONS', '--to-command=sh'],
    ['toString', ''],
    ['__proto__', ''],
  ])('%s may not be %s', (name, value) => {
    expect(mayBeSet(name, value)).toBe(false);
  });
});
