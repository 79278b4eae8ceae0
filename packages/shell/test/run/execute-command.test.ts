import { renameSync, symlinkSync } from 'node:fs';
import { type Json, pathFact } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { world } from '../../../toolsets/test/filesystem/world.js';
import { contextOf, described, optionsFor, run, textOf, usual } from './command.js';

describe('executeCommand', () => {
  it('runs the text, and returns its output and exit code', async () => {
    const { at } = world({ 'w/a': 'x' });
    const options = optionsFor(at('w'));
    expect(await run('ls; echo oops >&2; exit 3', options)).toEqual({
      ...usual,
      exit_code: 3,
      stdout: 'a\n',
      stderr: 'oops\n',
    });
    expect(await run('kill -USR1 $$', options)).toEqual({ ...usual, exit_code: null, signal: 'SIGUSR1' });
  });

  it.each(['-x', '-s', '-i', '--version', '-c echo', '--', '-O extglob'])(
    'reads the text `%s` as a command, not as an option of bash',
    async (command) => {
      const { base } = world();
      const result = await run(`${command} 'and more'`, optionsFor(base));
      expect(result).toMatchObject({
        exit_code: 127,
        stdout: '',
        stderr: expect.stringContaining('command not found'),
      });
    },
  );

  it('passes the text on byte for byte', async () => {
    const { base } = world();
    const text = `'"\\$(x)\`x\`!*{a,b}\r\t\u0001é\u202e`;
    const { stdout } = await run(`cat <<'END'\n${text}\nEND`, optionsFor(base));
    expect(stdout).toBe(`${text}\n`);
  });

  it.each([
    ['a NUL', { command: 'echo a\0b' }, 'a command cannot contain a NUL character'],
    ['half a surrogate pair', { command: 'echo \ud800' }, 'the command is not well-formed text'],
    [
      'too long a text',
      { command: ' '.repeat(131_072) },
      /^the command is 131072 bytes long, and the system takes at most 131071/,
    ],
  ])('does not run %s', async (_, args, message) => {
    const { base } = world();
    await expect(run(args, optionsFor(base))).rejects.toThrow(message);
  });

  it('runs the longest text that the system accepts', async () => {
    const { base } = world();
    expect(await run(`echo ${' '.repeat(131_071 - 5)}`, optionsFor(base))).toMatchObject({ stdout: '\n' });
  });

  it('does not run a command that now reports more than was described', async () => {
    const { base, at } = world();
    const more = { describe: () => ({ capabilities: [...described, { name: 'fs.write', path: at('x') }] }) };
    await expect(run('echo > x', optionsFor(base, more))).rejects.toThrow(
      'what the command would do changed after it was judged; look again, then call again',
    );
    const no = { describe: () => ({ capabilities: described, cannot: 'no bash here' }) };
    await expect(run('echo', optionsFor(base, no))).rejects.toThrow('no bash here');
  });
});

describe('a command that writes the name of its root', () => {
  const hint = 'the command started inside the root `work`: write `src/a` in place of `work/src/a`';
  const hintOf = async (files: Record<string, string>, named: Json) => {
    const { base, at } = world(files);
    const path =
      typeof named === 'string' ? at(named) : { paths: (named as readonly string[]).map((name) => at(name)) };
    const context = { ...contextOf(), described: [{ name: 'fs.read', path }] };
    const describe = () => ({ capabilities: context.described });
    return (await run('true', optionsFor(base, { describe }), context)).hint ?? null;
  };

  it.each<[string, Json]>([
    ['a file', 'work/src/a'],
    ['one of a set', ['b', 'work/src/a']],
  ])('is told to omit it, for %s', async (_, named) => {
    expect(await hintOf({ b: '' }, named)).toBe(hint);
  });

  it.each<[string, Record<string, string>, Json]>([
    ['with the name of a folder in it', { 'work/b': '' }, 'work/src/a'],
    ['that is only a prefix of a name', {}, 'works/a'],
  ])('is told nothing about a path %s', async (_, files, named) => {
    expect(await hintOf(files, named)).toBe(null);
  });
});

describe('a command that touches a set of files', () => {
  const before = ['/w/a', '/w/b'];
  const options = (now: readonly string[], open = false) => ({
    describe: () => ({ capabilities: [{ name: 'fs.delete', by: 'rm', path: pathFact(now, { open }) }] }),
  });
  const context = {
    ...contextOf(),
    described: [{ path: pathFact(before), name: 'fs.delete', by: 'rm' }],
  };

  it('runs if the set lost a member since the description', async () => {
    const { base } = world();
    for (const now of [before, ['/w/a'], ['/w/b']])
      expect(await run('echo x', optionsFor(base, options(now)), context)).toMatchObject({ stdout: 'x\n' });
  });

  it('does not run if the set gained a member or became open', async () => {
    const { base } = world();
    for (const more of [options([...before, '/w/c']), options(['/w/c']), options(before, true)])
      await expect(run('echo x', optionsFor(base, more), context)).rejects.toThrow(
        'what the command would do changed after it was judged',
      );
  });
});

describe('a started command', () => {
  it('has no input, no terminal, no descriptor of the host, its own session and a fixed umask', async () => {
    const { base } = world();
    const { stdout } = await run(
      'cat; ls /proc/self/fd | wc -l; (: < /dev/tty) 2>/dev/null || echo no terminal; ps -o sid= -p $$ | tr -d " "; echo $$; umask; ulimit -c; trap',
      optionsFor(base),
    );
    const [descriptors, terminal, session, own, ...rest] = textOf(stdout).split('\n');
    // The three streams, and the descriptor with which `ls` reads the folder.
    expect([descriptors, terminal, ...rest]).toEqual(['4', 'no terminal', '0022', '0', '']);
    expect(session).toBe(own);
  });

  it('starts in the named folder, by its real path', async () => {
    const { at } = world({ 'w/sub/a': '', 'other/b': '' });
    symlinkSync('sub', at('w/link'));
    const options = optionsFor(at('w'));
    expect(await run({ command: 'pwd; ls', cwd: 'work/link' }, options)).toMatchObject({
      stdout: `${at('w/sub')}\na\n`,
    });
    expect(await run('pwd', options)).toMatchObject({ stdout: `${at('w')}\n` });
    for (const cwd of ['work/none', 'work/sub/a', 'work/../other', '/etc', 'none'])
      await expect(run({ command: 'pwd', cwd }, options)).rejects.toThrow(`\`${cwd}\``);
  });

  it('does not start in a folder that a link has replaced', async () => {
    const { at } = world({ 'w/sub/a': '', 'other/b': '' });
    const swap = () => {
      renameSync(at('w/sub'), at('w/was'));
      symlinkSync(at('other'), at('w/sub'));
    };
    const swapping = {
      describe: () => {
        swap();
        return { capabilities: described };
      },
    };
    await expect(
      run({ command: 'ls > mine', cwd: 'work/sub' }, optionsFor(at('w'), swapping)),
    ).rejects.toThrow('`work/sub` changed after the call was judged; look again, then call again');
    await expect(run({ command: 'ls', cwd: 'work/sub' }, optionsFor(at('w')))).rejects.toThrow(
      'leads out of the sandbox',
    );
  });
});
