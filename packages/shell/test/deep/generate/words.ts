// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines
import type { Random } from '../random.js';

/** Files and folders of the fixture, and some that are missing. */
export const paths = (
  'a.txt b.txt src docs test src/main.js src/a.js src/util docs/guide.md README.md package.json list.txt cmd.txt n.txt ' +
  'data.json data.csv run.sh lib.sh link.txt out.link src.link etc.link docs/up docs/up/secret.txt etc.link/passwd ' +
  'policy.yaml .env .gitignore Makefile sums.md5 args.txt nul.list prog.awk prog.sed prog.jq archive.tar archive.tgz ' +
  'b.txt.gz new.txt new/file build build/out.log ../secret.txt ../other ~/.netrc ~/secret.txt ~ . .. ./a.txt ' +
  'src/../a.txt ./src/./main.js /etc/passwd /etc/shadow /tmp/out /dev/null odd empty dangling .git/config ' +
  '/home/dev/project/a.txt /proc/self/cwd/a.txt bin/tool ./run.sh tool.py part-1.txt'
).split(' ');

/** Values with a special meaning when they are expanded, evaluated or read as an option. */
export const values = [
  'a.txt',
  '../secret.txt',
  'pwned',
  '-rf',
  '-n',
  'a.txt b.txt',
  '*',
  '*.txt',
  '~/secret.txt',
  '$(touch pwned)',
  'a[$(touch pwned)]',
  '2-',
  '1',
  'x',
  '',
  '.',
  '..',
  '/etc',
  'touch pwned',
  'ls',
  'src/main.js',
  '-delete',
  '{a,b}.txt',
  ':',
  'PATH',
];

/** Variables: of the line, of bash itself, and of programs. */
export const variables = [
  ...'x y f d name x y f d'.split(' '),
  ...(
    'RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS HISTCMD BASHPID OPTIND OPTARG OPTERR PATH IFS GLOBIGNORE HISTFILE HISTFILESIZE ' +
    'HISTSIZE BASH_ENV ENV PS4 PS1 PROMPT_COMMAND TMPDIR HOME CDPATH PWD OLDPWD DIRSTACK FUNCNAME BASH_ARGV0 BASH_COMMAND ' +
    'BASH_LINENO BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO SHELLOPTS BASHOPTS POSIXLY_CORRECT LANG LC_ALL LC_CTYPE TZ INPUTRC ' +
    'EXECIGNORE FIGNORE COLUMNS LINES UID EUID PPID GROUPS REPLY MAPFILE COPROC TERM EDITOR PAGER GIT_PAGER GIT_DIR ' +
    'GIT_EDITOR GIT_EXTERNAL_DIFF GIT_SSH_COMMAND LESSOPEN LESS LD_PRELOAD LD_LIBRARY_PATH NODE_OPTIONS NODE_ENV PYTHONPATH ' +
    'PYTHONSTARTUP PERL5OPT PERL5LIB RUBYOPT TAR_OPTIONS GREP_OPTIONS GZIP RIPGREP_CONFIG_PATH MAKEFLAGS CC DEBUG CI ' +
    'XDG_CONFIG_HOME SHELL MAIL MAILCHECK TMOUT auto_resume histchars BASH_XTRACEFD BASH_COMPAT BASH_LOADABLES_PATH CHILD_MAX'
  ).split(' '),
];

/** A path, sometimes written in a form that the shell must expand or unquote. */
export function pathWord(random: Random): string {
  const path = random.pick(paths);
  return random.weighted<() => string>([
    [8, () => path],
    [2, () => (path.startsWith('~') ? path : `'${path}'`)],
    [2, () => (path.startsWith('~') ? path : `"${path}"`)],
    [1, () => path.replace(/([a-z])/, '\\$1')],
    [1, () => path.replace(/([a-z])(?=[^/]*$)/, '?')],
    [1, () => path.replace(/([a-z])(?=[^/]*$)/, '[$1]')],
    [1, () => path.replace(/[^/.]+(?=[^/]*$)/, '*')],
    [1, () => `./${path}`],
    [1, () => `{${path},${random.pick(paths)}}`],
    [1, () => path.replace(/^(.)/, "$$'$1'")],
  ])();
}

/** A pattern that names files. */
export function glob(random: Random): string {
  return random.pick([
    '*',
    '*.txt',
    'src/*',
    '*/',
    '.*',
    '[ab].txt',
    '?.txt',
    'src/*.js',
    'docs/*/*',
    '*/*.js',
    '**/*.js',
    '../*',
    '~/.ssh/*',
    '*.{txt,md}',
    'odd/*',
    '.e*',
    '[!a]*.txt',
    '*.link',
    './*',
    'docs/up/*.txt',
    'nothing*',
  ]);
}

/** An expansion of a variable, in one of bash's ways. */
export function expansion(random: Random): string {
  const name = random.pick(random.chance(0.7) ? ['x', 'y', 'f', 'd'] : variables);
  const file = random.pick(paths);
  return random.weighted<string>([
    [10, `$${name}`],
    [10, `"$${name}"`],
    [4, `\${${name}}`],
    [3, `"\${${name}:-${file}}"`],
    [1, `\${${name}:=${file}}`],
    [1, `\${${name}:+${file}}`],
    [1, `\${${name}%.*}`],
    [1, `\${${name}##*/}`],
    [1, `\${${name}/a/b}`],
    [1, `\${${name}^^}`],
    [1, `\${${name}:0:3}`],
    [1, `\${!${name}}`],
    [1, `\${#${name}}`],
    [1, `\${${name}@P}`],
    [1, `\${${name}[0]}`],
    [1, `"\${${name}[@]}"`],
    [1, `\${!${name.slice(0, 1)}*}`],
    [1, `$((${name}))`],
    [1, `$[${name}+1]`],
    [2, `"$${name}.txt"`],
    [1, `part-$${name}.txt`],
    [1, 'part-$RANDOM.txt'],
    [2, `src/$${name}`],
    [1, `$${name}$y`],
    [1, `~$${name}`],
    [1, '$@'],
    [1, '$1'],
    [1, '$?'],
    [1, '$$'],
    [1, '$_'],
    [1, '$0'],
    [1, '$-'],
  ]);
}

/** Text in single quotes. */
export function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
