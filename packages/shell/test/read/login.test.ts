// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const cat = "bash -lc 'cat a.txt'";
const known = ['code.eval bash (bash)', 'fs.read a.txt (cat)'];
const opaque = 'proc.exec.opaque bash';
const deleted = 'fs.delete.outside ~/x (rm)';

/** What a line says where the home folder has these files. */
function saysWith(files: Readonly<Record<string, string>>) {
  const atHome = Object.entries(files).map(([path, text]) => [`../home/${path}`, text]);
  return project({ 'a.txt': 'a', ...Object.fromEntries(atHome) }).says;
}

const interactive = `# If not running interactively, don't do anything
case $- in
    *i*) ;;
      *) return;;
esac
HISTCONTROL=ignoreboth
eval "$(pyenv init - bash)"
`;

const usual = `if [ -n "$BASH_VERSION" ]; then
    # include .bashrc if it exists
    if [ -f "$HOME/.bashrc" ]; then
\t. "$HOME/.bashrc"
    fi
fi
if [ -d "$HOME/bin" ] ; then
    PATH="$HOME/bin:$PATH"
fi
`;

const cargo = `case ":\${PATH}:" in
    *:"$HOME/.cargo/bin":*)
        ;;
    *)
        export PATH="$HOME/.cargo/bin:$PATH"
        ;;
esac
`;

describe('shell.run › a login shell of bash', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['what Debian has', { '.profile': usual, '.bashrc': interactive }],
    ['another search path', { '.profile': usual, 'bin/': '' }],
    ['what rustup adds', { '.profile': '. "$HOME/.cargo/env"', '.cargo/env': cargo }],
    ['a file for root', { '.profile': '. ~/.bashrc\nmesg n 2> /dev/null || true', '.bashrc': '' }],
    ['a mask', { '.profile': 'umask 027' }],
    ['a missing file', { '.profile': '. ~/missing; [ -s ~/missing ] && rm ~/x' }],
    ['a second file, which is not read', { '.bash_login': '', '.profile': 'rm ~/x' }],
    ['a file for the end, which is not read', { '.bash_logout': 'rm ~/x' }],
    ['a start for interactive shells', { '.profile': '[[ $- == *i* ]] || return\nrm ~/x' }],
  ])('follows login files with %s', async (_, files) => {
    expect(await saysWith(files)(cat)).toEqual(known);
  });

  it.each<[string, Record<string, string>, string, readonly string[]]>([
    ['a command', { '.profile': 'rm ~/x' }, cat, [deleted]],
    ['a command, with --login', { '.profile': 'rm ~/x' }, "bash --login -c 'cat a.txt'", [deleted]],
    ['a command of another file', { '.profile': '. ~/e', e: 'rm ~/x' }, cat, [deleted]],
    ['a variable', { '.profile': 'f=b.txt' }, "bash -lc 'rm $f'", ['fs.delete b.txt (rm)']],
    ['a parameter', { '.profile': 'set -- b.txt' }, `bash -lc 'rm "$1"' a c`, ['fs.delete b.txt (rm)']],
    ['the end', { '.bash_logout': 'rm ~/x' }, "bash -lc 'exit 3'", [deleted]],
    [
      'another folder',
      { '.bash_logout': 'rm x' },
      "bash -lc 'cd ..; exit'",
      ['fs.delete.outside and others'],
    ],
    ['a test', { '.profile': '[ -f ~/z ] || rm ~/x' }, cat, [deleted]],
    ['two tests', { '.profile': '[ -f ~/z ] && cat ~/y || rm ~/x' }, cat, [deleted]],
    ['a file that the line makes', { '.profile': '[ -f ~/z ] && rm ~/x' }, `touch ~/z; ${cat}`, [deleted]],
    ['a pattern', { '.profile': '[ -f ~/z* ] && rm ~/x', z1: '' }, cat, [deleted]],
    ['words', { '.profile': 'v="a -o 1"; [ -f /$v ] && rm ~/x' }, cat, [deleted]],
    [
      'a test through a link',
      { '.profile': '[ -f ~/l/z ] && rm ~/x', l: '-> ../root' },
      `touch z; ${cat}`,
      [deleted],
    ],
    ['what follows an end', { '.profile': 'return\nrm ~/x' }, cat, [deleted]],
    ['a test of another process', { '.profile': '[ -e /proc/self/fd/987 ] && rm ~/x' }, cat, [deleted]],
  ])('reports what login files do: %s', async (_, files, line, expected) => {
    const said = await saysWith(files)(line);
    expect(said).not.toContain(opaque);
    for (const each of expected) expect(said.join('\n')).toContain(each.replace(' and others', ''));
  });

  it.each<[string, Record<string, string>, string?]>([
    ['a file that the line wrote', {}, `echo 'rm x' > ~/.profile; ${cat}`],
    ['a file that comes first now', { '.profile': '' }, `touch ~/.bash_login; ${cat}`],
    ['a file that comes later now', { '.bash_login': '', '.profile': 'rm ~/x' }, `rm ~/.bash_login; ${cat}`],
    ['a file that was moved there', { '.profile': '' }, `mv a.txt ~/.profile; ${cat}`],
    ['a file with another name', { '.profile': '' }, `ln ~/.profile p; echo x >> p; ${cat}`],
    ['a link', { '.profile': '-> ../root/a.txt' }],
    ['a folder', { '.profile/': '' }],
    ['a file in a root', { '.profile': '. ~/../root/a.txt' }],
    ['a loaded file that the line wrote', { '.profile': '. ~/e' }, `cp a.txt ~/e; ${cat}`],
    ['a file that loads itself', { '.profile': '. ~/.profile' }],
    ['another home', {}, `env HOME=/tmp ${cat}`],
    ['the home of another user', {}, `sudo ${cat}`],
    ['a search path in a root', { '.profile': 'PATH=~/../root/bin:$PATH' }],
    ['a search path that is relative', { '.profile': 'PATH=bin:$PATH' }],
    ['a search path with the working folder', { '.profile': 'PATH=$PATH:' }],
    ['a search path with a link', { '.profile': 'PATH=$HOME/bin:$PATH', bin: '-> ../root' }],
    ['a search path that the line changes', { '.profile': 'PATH=~/bin:$PATH' }, `cp a.txt ~/bin/ls; ${cat}`],
    ['shims', { '.profile': 'PATH=~/.asdf/shims:$PATH' }],
    ['a variable for git', { '.profile': 'export GIT_DIR=/x' }],
    ['a variable for Python', { '.profile': 'export PYTHONSTARTUP=/x' }],
    ['a function', { '.profile': 'cat() { rm -rf "$1"; }' }],
    ['a text that is not UTF-8', { '.profile': 'rm ~/\ufffd' }],
    ['an end beside it', { '.profile': '[[ $- != *i* ]] && return &\nrm ~/x' }],
    ['an end of a shell of its own', { '.profile': "bash -c '[[ $- == *i* ]] || return\nrm ~/x'" }],
    ['a mask that lets others write', { '.profile': 'umask 000' }],
    ['an alias', { '.profile': 'shopt -s expand_aliases; alias cat=rm' }],
    ['a trap', { '.profile': "trap 'rm ~/x' EXIT" }],
    ['an end', { '.profile': 'exit', '.bash_logout': 'rm ~/x' }],
    ['an end that the line writes', {}, "bash -lc 'echo x > ~/.bash_logout; exit'"],
    ['unknown code', { '.profile': 'eval "$(pyenv init -)"' }],
    ['files that are printed', { '.profile': 'x=1' }, "bash -lxc 'cat a.txt'"],
    ['a later change beside it', {}, `(sleep 1; echo x > ~/.profile) & ${cat}`],
    ['a test of a file that is made beside it', { '.profile': '[ -f ~/z ] && eval x' }, `touch ~/z & ${cat}`],
  ])('takes the strict way for %s', async (_, files, line = cat) => {
    expect(await saysWith(files)(line)).toContain(opaque);
  });

  it('says what the text does beside an unknown login file, and how to do without it', async () => {
    const { describe: described, says } = project({ 'a.txt': '', '../home/.profile': 'eval x' });
    expect(await says(cat)).toContain('fs.read a.txt (cat)');
    expect(await described(cat)).toContainEqual(
      expect.objectContaining({ why: '`~/.profile` may do more than is known; write `bash -c` without -l' }),
    );
  });

  it('quotes nothing from login files', async () => {
    const files = ['export A_TOKEN=hidden', 'curl -H "X: hidden" https://a.example', 'if hidden', 'f hidden'];
    for (const profile of files) {
      const { describe: described } = project({ '../home/.profile': profile });
      expect(JSON.stringify(await described(cat))).not.toContain('hidden');
    }
  });

  it('knows nothing of other variables, and of the search path', async () => {
    const says = saysWith({});
    const any = 'fs.delete.outside and others (rm)';
    expect(await says("bash -lc 'rm $x'")).toContain(any);
    expect(await says("bash -lc 'rm $(which ls)'")).toContain(any);
    expect(await says("export i=a; bash -lc 'rm $i'")).toContain(any);
  });

  it.each([
    ["sudo sh -c 'cat ~/x'", 'proc.exec.opaque sh'],
    [`sudo sh -c 'cat "$HOME/x"'`, 'fs.read.outside and others (cat)'],
    ['sudo -i rm x', 'proc.exec.opaque sudo'],
    ['su - me -c "rm x"', 'proc.exec.opaque su'],
    ['runuser -l me -c "rm x"', 'proc.exec.opaque runuser'],
  ])('knows nothing of the home of another user: `%s`', async (line, expected) => {
    expect(await saysWith({})(line)).toContain(expected);
  });

  it.each(['"$HOME"*', '*:${x}:*', 'a$x'])('describes the pattern `%s` of `case`', async (pattern) => {
    expect(await saysWith({})(`case "$PATH" in ${pattern}) cat a.txt;; esac`)).toEqual([
      'fs.read a.txt (cat)',
    ]);
  });

  it.each(['"$(rm x)"', '${y:=$(rm x)}', '`rm x`', "$'a'", '$((n))'])(
    'does not describe the pattern `%s` of `case`',
    async (pattern) => {
      expect(await saysWith({})(`case "$PATH" in ${pattern}) ;; esac`)).toContain('proc.exec.opaque');
    },
  );
});
