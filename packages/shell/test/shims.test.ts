import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from './read/world.js';

/** What is opaque of a line, where `node` is a shim, or a link to one, and `NAME` has a text. */
async function opaque(line: string, name = 'x', text = '') {
  const { root, home, describe: described } = project({ [name]: text, 'src/': '' });
  const [shims, bin] = [join(home, '.asdf/shims'), join(home, 'bin')];
  mkdirSync(shims, { recursive: true });
  mkdirSync(bin);
  writeFileSync(join(shims, 'node'), '');
  chmodSync(join(shims, 'node'), 0o755);
  symlinkSync(join(shims, 'node'), join(bin, 'nodejs'));
  symlinkSync(join(shims, 'node'), join(bin, 'python3'));
  writeFileSync(join(bin, 'volta-shim'), '');
  chmodSync(join(bin, 'volta-shim'), 0o755);
  symlinkSync(join(bin, 'volta-shim'), join(bin, 'ruby'));
  const found = await described(line, { searchPath: [shims, bin, '/usr/bin'] });
  return found
    .filter(({ name: each }) => each === 'proc.exec.opaque')
    .map(({ why, files }) => [
      why,
      ...((files ?? []) as { path: string }[]).map(({ path }) => path.replace(`${root}/`, '')),
    ]);
}

const why = 'files of the project choose which program this shim runs';

describe('a shim of a version manager', () => {
  it.each([
    ['.tool-versions', 'nodejs path:./x\n'],
    ['.node-version', '../../x'],
    ['mise.toml', '[tools]\nnode = "path:/x"\n'],
    ['mise.local.toml', '[tools]\nnode = "20"\n[env]\n_.path = ["bin"]\n'],
    ['mise.toml', '[env]\nNODE_OPTIONS = "-r x"\n'],
    ['.mise/config.toml', '[tools]\nnode = { version = "20", path = "x" }\n'],
    ['mise.toml', '[ env ]\nNODE_OPTIONS = "-r x"\n'],
    ['mise.toml', 'env.NODE_OPTIONS = "-r x"\n'],
    ['mise.toml', '[[env]]\nNODE_OPTIONS = "-r x"\n'],
    ['mise.toml', '["\\u0065nv"]\nNODE_OPTIONS = "-r x"\n'],
    ['.prototools', '[tools.node.env]\nNODE_OPTIONS = "-r x"\n'],
    ['.prototools', '[plugins]\nnode = "source:x.toml"\n'],
    ['.volta/hooks.json', '{"node": {"distro": {"bin": "x"}}}'],
    ['mise.toml', '[tasks.a]\nrun = """\n[tasks.b]\n"""\n[env]\n_.path = "x"\n'],
  ])('is opaque if %s leads to a file: %j', async (name, text) => {
    expect(await opaque('node -v', name, text)).toEqual([[why, name]]);
    expect(await opaque('cd src && python3 --version', name, text)).toEqual([[why, name]]);
  });

  it('is one of Volta, too', async () => {
    expect(await opaque('ruby -v', '.volta/hooks.json', '{"node": {"index": {"bin": "./x"}}}')).toEqual([
      [why, '.volta/hooks.json'],
    ]);
  });

  it.each([
    'echo "nodejs path:./x" > .tool-versions; node -v',
    'cp x .node-version && node -v',
    'tar xf x && node -v',
    'mkdir -p .mise; mv x .mise/config.toml; node -v',
  ])('is opaque after a change of such a file: %s', async (line) => {
    expect((await opaque(line)).map(([first]) => first)).toEqual([why]);
  });

  it.each([
    ['.tool-versions', '# ./x\nnodejs 20.1.0\npython 3.11\n'],
    ['.python-version', '3.11\n'],
    ['.nvmrc', 'lts/iron\n'],
    ['mise.toml', '[tools]\nnode = "20"\n"npm:@a/b" = "1"\n[tasks.a]\nrun = "./x"\n'],
    ['.prototools', 'node = "20"\n'],
    ['notes.toml', 'path = "/x"\n'],
  ])('is a program like others beside plain versions in %s: %j', async (name, text) => {
    expect(await opaque('echo 1 > a && node -v && python3 --version', name, text)).toEqual([]);
  });

  it('does not matter to other programs', async () => {
    expect(await opaque('echo x > .tool-versions; ls', '.node-version', './x')).toEqual([]);
  });
});
