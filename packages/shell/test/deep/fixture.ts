import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user's home and the folder in which lines run, in the namespace. */
export const home = '/home/dev';
export const cwd = '/home/dev/project';

/** Folders that lines may change. */
const areas = ['/etc', '/home', '/tmp', '/root', '/run', '/var/tmp', '/dev/shm'];
/** The initial content of each area, as an archive. It is kept in memory, where no line can change it. */
const kept = new Map<string, Buffer>();

/**
 * Files below the working folder, with their content. Some hold text that a line substitutes, others must
 * stay untouched.
 */
const files: Readonly<Record<string, string>> = {
  'README.md': '# Project\n\nTODO: more words\nfoo bar\n',
  'package.json': '{"name": "project", "version": "1.0.0", "scripts": {"test": "node test/a.test.js"}}\n',
  'policy.yaml': 'capabilities:\n  fs.read: pre_approved\n',
  '.env': 'API_KEY=abcdef\nTOKEN=s3cret\n',
  '.gitignore': 'node_modules/\n*.log\nbuild/\n.env\n',
  '.hidden': 'hidden\n',
  Makefile: 'all:\n\ttouch made\nclean:\n\trm -rf build\n',
  'a.txt': 'alpha\nbeta\ngamma\n',
  'b.txt': 'beta\ndelta foo\n',
  'part-1.txt': 'part foo\n',
  'c d.txt': 'a name with a blank\n',
  '-n': 'a name like an option\n',
  '-rf': 'another name like an option\n',
  '*': 'a name like a pattern\n',
  'a;b': 'a name like two commands\n',
  '-': 'a name like a stream\n',
  '--help': 'a name like a question\n',
  'x=y': 'a name like a variable\n',
  '@args.txt': 'a name like a file of options\n',
  '{}': 'a name like a place for names\n',
  'e\nf': 'a name of two lines\n',
  'list.txt': 'a.txt\nb.txt\nsrc/main.js\n../secret.txt\n',
  'nul.list': 'a.txt\0b.txt\0../secret.txt\0',
  'cmd.txt': 'touch pwned\n',
  'n.txt': 'x[$(touch pwned)]\n',
  'args.txt': '-o out.bin --output=out2.bin\n',
  'sums.md5': '5d41402abc4b2a76b9719d911017c592  ../secret.txt\n5d41402abc4b2a76b9719d911017c592  a.txt\n',
  'prog.awk': '{ print $1 > "awk.out" }\n',
  'prog.sed': 's/a/b/w sed.out\n',
  'prog.jq': '.name\n',
  'data.json': '{"name": "x", "list": [1, 2, {"a": "b"}]}\n',
  'data.csv': 'id,name\n1,one\n2,two\n3,three\n',
  'run.sh': '#!/bin/sh\necho running >run.out\ncat "$1" 2>/dev/null\n',
  'tool.py': 'import sys\nopen("py.out", "w").write("x")\n',
  'lib.sh': 'helper() { touch helped; }\nlibrary=1\n',
  'src/main.js': 'import { a } from "./a.js";\nconsole.log(a); // TODO foo\n',
  'src/a.js': 'export const a = 1;\n',
  'src/util/deep/x.ts': 'export const x: number = 2; // foo\n',
  'src/util/.env.local': 'PASSWORD=foo\n',
  'src/style.css': 'body { color: red }\n',
  'test/a.test.js': 'console.log("ok foo");\n',
  'docs/guide.md': 'guide foo\n',
  'docs/old/notes.txt': 'old notes\n',
  'build/out.log': 'log foo\n',
  'node_modules/m/index.js': 'module.exports = 1; // foo\n',
  'bin/ls': '#!/bin/sh\necho fake ls >fake.out\n',
  'bin/tool': '#!/bin/sh\necho tool >tool.out\n',
  'odd/é.txt': 'accent\n',
  'odd/new\nline.txt': 'line feed\n',
  'odd/[x].txt': 'bracket\n',
  'odd/$(touch pwned)': 'dollar\n',
  'empty/.keep': '',
};

const homeFiles: Readonly<Record<string, string>> = {
  'secret.txt': 'the secret\n',
  '.bashrc': 'case $- in\n*i*) ;;\n*) return;;\nesac\nalias ll="ls -l"\n',
  '.profile': '[ -d ~/bin ] && PATH=~/bin:$PATH\n. ~/.bashrc\nset -- own\n',
  '.bash_logout': 'rm -f ~/other/left\n',
  '.bash_history': 'ls\ncd\n',
  '.gitconfig': '[user]\n\tname = Dev\n\temail = dev@example.com\n[safe]\n\tdirectory = *\n',
  '.netrc': 'machine example.com login dev password x\n',
  '.ssh/id_ed25519': 'KEY\n',
  '.ssh/authorized_keys': '',
  '.ssh/known_hosts': '',
  '.aws/credentials': '[default]\naws_secret_access_key = x\n',
  'other/o.txt': 'other foo\n',
  // Files that programs read by themselves. Files that would make the programs opaque are left out.
  '.magic': '',
  '.lesshst': '',
  '.agignore': '',
  '.toprc': '',
  '.manpath': '',
  '.config/fd/ignore': '',
  '.config/git/ignore': '',
};

/** Makes a home, and a project in it. */
export function makeProject(folder: string, project: string): void {
  for (const [name, text] of Object.entries(homeFiles)) put(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) put(join(project, name), text);
  for (const name of ['run.sh', 'bin/ls', 'bin/tool']) chmodSync(join(project, name), 0o755);
  symlinkSync('a.txt', join(project, 'link.txt'));
  symlinkSync('../secret.txt', join(project, 'out.link'));
  symlinkSync('../secret.txt', join(project, 'part-22.txt'));
  symlinkSync('/etc', join(project, 'etc.link'));
  symlinkSync('src', join(project, 'src.link'));
  symlinkSync('..', join(project, 'docs/up'));
  symlinkSync('missing', join(project, 'dangling'));
  symlinkSync('/usr/bin/touch', join(project, 'bin/cat'));
  utimesSync(join(project, 'docs/old/notes.txt'), 1_500_000_000, 1_500_000_000);
  makeRepository(folder, project);
}

/** Makes the project that lines run in, adds to it, and keeps a copy of all that lines may change. */
export function makeFixture(add: () => void = () => undefined): void {
  makeProject(home, cwd);
  const archived = ['a.txt', 'src'];
  execFileSync('tar', ['-cf', 'archive.tar', ...archived], { cwd });
  execFileSync('tar', ['-czf', 'archive.tgz', ...archived], { cwd });
  execFileSync('gzip', ['-k', 'b.txt'], { cwd });
  if (isInstalled('zip')) execFileSync('zip', ['-qr', 'archive.zip', ...archived], { cwd });
  add();
  for (const area of areas) {
    // `readdirSync` would follow circular links.
    const found = execFileSync('find', [area, '-print0'], { encoding: 'utf8', maxBuffer: 200_000_000 });
    for (const path of found.split('\0')) there.add(path);
    const links = execFileSync('find', [area, '-type', 'l', '-printf', '%p\\0%l\\0'], { encoding: 'utf8' });
    for (const [, path = '', target = ''] of links.matchAll(/([^\0]*)\0([^\0]*)\0/g))
      targets.set(path, target);
    kept.set(area, execFileSync('tar', ['-C', area, '-c', '.'], { maxBuffer: 200_000_000 }));
  }
}

const there = new Set<string>();

/** The links that lines may change, with their targets. */
export const targets = new Map<string, string>();

/** The target that a link had before the line ran; null if there was no link. */
export function targetBefore(path: string): string | null {
  return targets.get(path) ?? null;
}

/** Whether a path that lines may change existed before. */
export function wasThere(path: string): boolean {
  return there.has(path);
}

/** Restores the areas of the paths that a line changed. */
export function restore(changed: Iterable<string>): void {
  const paths = [...changed];
  for (const area of areas) {
    if (!paths.some((path) => path === area || path.startsWith(`${area}/`))) continue;
    putBackAtLast(area);
  }
}

/** A process that a line left behind may write until it ends. */
function putBackAtLast(area: string): void {
  for (let left = 20; ; left -= 1) {
    try {
      putBack(area);
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** Clears an area and unpacks it again, whatever state it is in. */
function putBack(area: string): void {
  mkdirSync(area, { recursive: true });
  // Another user owns the one for shared memory, which is empty at first.
  const isOwn = statSync(area).uid === process.getuid?.();
  if (isOwn) chmodSync(area, 0o755);
  const unpack = isOwn ? 'exec tar -xp' : 'exec cat';
  const clear = 'find . -mindepth 1 -delete';
  const script = `${clear} 2>/dev/null || { chmod -R u+rwx . 2>/dev/null; ${clear}; }; ${unpack}`;
  const input = kept.get(area);
  execFileSync('/bin/sh', ['-c', script], {
    cwd: area,
    ...(input && { input }),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A history in which a secret was committed and removed again. */
function makeRepository(folder: string, project: string): void {
  if (!isInstalled('git')) return;
  const script = `
    git init -q -b main
    git add -f .env a.txt src && git commit -qm first
    git rm -q --cached .env && git add README.md .gitignore package.json docs test && git commit -qm second
    git branch topic
    echo changed >>b.txt
    git tag v1
    git config core.autocrlf false
  `;
  const env = { PATH: '/usr/bin:/bin', HOME: folder, GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z' };
  execFileSync('/bin/sh', ['-c', script], {
    cwd: project,
    env: { ...env, GIT_COMMITTER_DATE: env.GIT_AUTHOR_DATE },
  });
  rmSync(join(project, '.git/hooks'), { recursive: true, force: true });
}
