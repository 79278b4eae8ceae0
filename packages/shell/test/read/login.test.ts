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

const pnpm = `export PNPM_HOME="$HOME/.local/share/pnpm"
case ":$PATH:" in
  *":$PNPM_HOME:"*) ;;
  *) export PATH="$PNPM_HOME:$PATH" ;;
esac
`;

const rbenv = 'eval "$(~/.rbenv/bin/rbenv init - --no-rehash bash)"';

const fzf = `if [[ ! "$PATH" == */.fzf/bin* ]]; then
  PATH="\${PATH:+\${PATH}:}/opt/fzf/bin"
fi

eval "$(fzf --bash)"
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
    ['a start for shells with a prompt', { '.profile': '[ -z "$PS1" ] && return\nrm ~/x' }],
    ['aliases, which no line expands', { '.profile': "alias rm='rm -i'\nalias cat=rm" }],
    ['a function that the line does not call', { '.profile': 'k() { rm "$1"; }' }],
    ['a function for itself', { '.profile': 'add() { PATH="$1:$PATH"; }\nadd ~/bin' }],
    ['variables that change nothing', { '.profile': 'export EDITOR=vim LANG=de_DE.UTF-8\nHISTSIZE=9' }],
    ['a secret', { '.profile': 'export OPENAI_API_KEY=hidden GITHUB_TOKEN=hidden' }],
    ['a terminal', { '.profile': 'export GPG_TTY=$(tty)' }],
    [
      'what bun adds',
      { '.profile': 'export BUN_INSTALL="$HOME/.bun"\nexport PATH="$BUN_INSTALL/bin:$PATH"' },
    ],
    ['what pnpm adds', { '.profile': pnpm }],
    ['what Homebrew adds', { '.profile': 'eval "$(/opt/homebrew/bin/brew shellenv)"' }],
    ['what direnv adds', { '.profile': 'eval "$(direnv hook bash)"' }],
    ['what rbenv adds', { '.profile': 'eval "$(~/.rbenv/bin/rbenv init - --no-rehash bash)"' }],
    ['what a plug-in of pyenv adds', { '.profile': 'eval "$(pyenv virtualenv-init -)"' }],
    ['a pager', { '.profile': "export PAGER='less -R'" }],
    ['what zoxide adds', { '.profile': 'eval "$(zoxide init bash)"' }],
    ['what fzf adds', { '.profile': '[ -f ~/.fzf.bash ] && source ~/.fzf.bash', '.fzf.bash': fzf }],
    ['shims', { '.profile': 'PATH=~/.asdf/shims:$PATH' }],
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
    ['a prompt', { '.profile': 'PS1=x\n[ -z "$PS1" ] && return\neval x' }],
    [
      'a prompt that some commands set',
      { '.profile': '[ -d ~/z ] || PS1="${PS1:-x}"\n[ -z "$PS1" ] && return\neval x' },
    ],
    ['a prompt of the file', { '.profile': 'export PS1="${PS1-x}"\n[ -z "$PS1" ] && return\neval x' }],
    ['an end for another prompt', { '.profile': '[ -z "$PS2" ] && return\neval x' }],
    ['a folder of a tool in a root', { '.profile': 'export JAVA_HOME=~/../root/jdk' }],
    [
      'a folder of a tool that the line makes',
      { '.profile': 'export GOPATH=~/go' },
      `mkdir -p ~/go/x; ${cat}`,
    ],
    ['a folder of a tool that is relative', { '.profile': 'export BUN_INSTALL=.' }],
    ['a folder of a tool that is unknown', { '.profile': 'export GOPATH=$x' }],
    ['a function of the name of a builtin', { '.profile': 'cd() { rm x; }' }],
    ['a function that the line calls', { '.profile': 'k() { cat "$1"; }' }, "bash -lc 'k a.txt'"],
    ['a function for programs', { '.profile': 'k() { rm x; }; export -f k' }],
    [
      'a function in place of a program',
      { '.profile': 'direnv() { echo rm x; }\neval "$(direnv hook bash)"' },
    ],
    ['a function of rbenv', { '.profile': rbenv }, "bash -lc 'rbenv shell 3'"],
    ['rbenv in a root', { '.profile': `export RBENV_ROOT=~/../root\n${rbenv}` }],
    ['rbenv in an unknown place', { '.profile': `export RBENV_ROOT="$(cat ~/z)"\n${rbenv}`, z: '' }],
    ['rbenv that the line replaces', { '.profile': rbenv }, `cp a.txt ~/.rbenv/bin/rbenv; ${cat}`],
    ['shims that the line replaces', { '.profile': rbenv }, `cp a.txt ~/.rbenv/shims/cat; ${cat}`],
    ['a pager of the project', { '.profile': 'export PAGER=./less' }],
    ['a pager by a shell', { '.profile': "export MANPAGER='sh -c ./less'" }],
    ['a function of zoxide', { '.profile': 'eval "$(zoxide init bash)"' }, "bash -lc 'z a'"],
    ['words of its own', { '.profile': 'eval "$(zoxide init bash --cmd cat)"' }],
    ['another program in its place', { '.profile': 'eval "$(~/brew shellenv)"' }],
    ['a second text', { '.profile': 'eval "$(fzf --bash)" "rm x"' }],
    ['a variable for it', { '.profile': 'x=y eval "$(fzf --bash)"' }],
    ['words without quotes', { '.profile': 'eval $(fzf --bash)' }],
    [
      'a program that the line replaces',
      { '.profile': 'eval "$(fzf --bash)"' },
      `cp a.txt /usr/bin/fzf; ${cat}`,
    ],
    ['a variable for git', { '.profile': 'export GIT_DIR=/x' }],
    ['a variable for Python', { '.profile': 'export PYTHONSTARTUP=/x' }],
    ['a function', { '.profile': 'cat() { rm -rf "$1"; }' }],
    ['a text that is not UTF-8', { '.profile': 'rm ~/\ufffd' }],
    ['an end beside it', { '.profile': '[[ $- != *i* ]] && return &\nrm ~/x' }],
    ['an end of a shell of its own', { '.profile': "bash -c '[[ $- == *i* ]] || return\nrm ~/x'" }],
    ['a mask that lets others write', { '.profile': 'umask 000' }],
    ['files that are printed by another option', {}, "bash -l -o verbose -c 'cat a.txt'"],
    ['an alias', { '.profile': 'shopt -s expand_aliases; alias cat=rm' }],
    ['a trap', { '.profile': "trap 'rm ~/x' EXIT" }],
    ['an end', { '.profile': 'exit', '.bash_logout': 'rm ~/x' }],
    ['an end that the line writes', {}, "bash -lc 'echo x > ~/.bash_logout; exit'"],
    ['unknown code', { '.profile': 'eval "$(mise activate bash)"' }],
    ['files that are printed', { '.profile': 'x=1' }, "bash -lxc 'cat a.txt'"],
    ['a later change beside it', {}, `(sleep 1; echo x > ~/.profile) & ${cat}`],
    ['a test of a file that is made beside it', { '.profile': '[ -f ~/z ] && eval x' }, `touch ~/z & ${cat}`],
  ])('takes the strict way for %s', async (_, files, line = cat) => {
    expect(await saysWith(files)(line)).toContain(opaque);
  });

  it('says what the text does beside an unknown login file, and how to do without it', async () => {
    const { describe: described, says } = project({ 'a.txt': '', '../home/.profile': 'eval x' });
    expect(await says(cat)).toContain('fs.read a.txt (cat)');
    const why = 'line 1 of `~/.profile` may do more than is known; write `bash -c` without -l';
    expect(await described(cat)).toContainEqual(expect.objectContaining({ why }));
  });

  it.each<[string, Record<string, string>]>([
    [
      'line 3 of `~/.bashrc`',
      { '.profile': '\n. ~/.bashrc', '.bashrc': 'if [ -d ~ ]; then\n  x=1\n  eval x\nfi' },
    ],
    ['line 2 of `~/.profile`', { '.profile': '\n. ~/own/of-a-client', 'own/of-a-client': '\n\n\neval x' }],
    ['line 2 of `~/.profile`', { '.profile': 'x=1\n. ~/own/.bashrc', 'own/.bashrc': 'eval x' }],
    ['`~/.profile`', { '.profile': '\nif' }],
  ])('says that it is %s, and names no other file', async (place, files) => {
    const atHome = Object.entries(files).map(([path, text]) => [`../home/${path}`, text]);
    const { describe: described } = project({ 'a.txt': '', ...Object.fromEntries(atHome) });
    const whys = (await described(cat)).flatMap(({ why }) => why ?? []);
    expect(whys).toContain(`${place} may do more than is known; write \`bash -c\` without -l`);
    expect(JSON.stringify(whys)).not.toContain('client');
  });

  it.each([
    'bash -o pipefail -lc',
    'bash -euo pipefail -lc',
    'bash --login -o errexit -c',
    'timeout 60 bash -lc',
  ])('follows login files before the text of `%s`', async (start) => {
    expect(await saysWith({ '.profile': 'rm ~/x' })(`${start} 'cat a.txt'`)).toEqual(
      expect.arrayContaining([deleted, 'fs.read a.txt (cat)']),
    );
    expect(await saysWith({})(`${start} 'cat a.txt'`)).not.toContain(opaque);
  });

  it('reports that pyenv writes its shims', async () => {
    const profile = 'eval "$(pyenv init -)"\neval "$(pyenv virtualenv-init -)"';
    const says = saysWith({ '.profile': profile, '.pyenv/shims/cat': '' });
    expect(await says(cat)).toEqual([
      known[0],
      'fs.write.outside ~/.pyenv/shims (pyenv)',
      'fs.write.outside and others under ~/.pyenv/shims (pyenv)',
      known[1],
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['rbenv', { '.profile': rbenv, '.rbenv/shims/cat': '' }],
    ['a version manager', { '.profile': 'PATH=~/s/shims:$PATH', 's/shims/cat': '' }],
    ['Volta', { '.profile': 'PATH=~/volta:$PATH', 'volta/cat': '-> volta-shim', 'volta/volta-shim': '' }],
  ])('finds the shims of %s in a search path of login files', async (_, files) => {
    const says = saysWith(files);
    expect(await says(cat)).toEqual(known);
    expect(await says(`echo 'cat path:/x' > .tool-versions; ${cat}`)).toContain('proc.exec.opaque cat');
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['a variable', { '.profile': 'f=b.txt\ng=$x\nf=c.txt' }, 'rm "$f"', 'fs.delete.outside and others (rm)'],
    ['another folder', { '.profile': 'x=$y\ncd ~' }, 'rm f', opaque],
    ['nothing', { '.profile': usual, '.bashrc': interactive }, 'cat a.txt', 'fs.read a.txt (cat)'],
  ])('knows with -u that login files may end early: %s', async (_, files, text, expected) => {
    const says = saysWith(files);
    expect(await says(`bash -ulc '${text}'`)).toContain(expected);
    expect(await says(`bash -o nounset -lc '${text}'`)).toContain(expected);
    expect(await says(`bash -o errexit -lc '${text}'`)).not.toContain('fs.delete.outside and others (rm)');
  });

  it('takes a secret of a login file for one of the environment', async () => {
    const says = saysWith({ '.profile': 'export OPENAI_API_KEY=hidden' });
    expect(await says("bash -lc 'echo $OPENAI_API_KEY'")).toContain('env.read OPENAI_API_KEY');
    expect(await says('bash -lc env')).toContain('env.read');
    expect(await says("OPENAI_API_KEY=a bash -lc 'echo $OPENAI_API_KEY'")).toContain(
      'env.read OPENAI_API_KEY',
    );
    expect(await says("bash -lc 'printenv OPENAI_API_KEY'")).toContain('env.read OPENAI_API_KEY');
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
    expect(await says("bash -lc 'rm ${PS1-a.txt}'")).toContain(any);
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
