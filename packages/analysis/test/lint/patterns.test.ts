import { describe, expect, it } from 'vitest';
import { findingsIn } from './findings.js';

/** The code and the help for one pattern. */
async function saidOf(fact: string, pattern: string): Promise<readonly string[]> {
  const name = fact === 'path' ? 'fs.write' : 'proc.exec';
  const text = JSON.stringify(pattern).replace(
    /[\u200b\u202e]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16)}`,
  );
  const rules = `${name}: { decision: blocked, match: { ${fact}: ${text} } }`;
  const found = await findingsIn(`version: 1\ndefault: needs_approval\ncapabilities:\n  ${rules}\n`);
  return found
    .filter(({ code }) => code !== 'OPACITY_NOT_DECIDED')
    .map(({ code, help }) => `${code} ${help}`);
}

const lists = 'write a list, with a whole pattern for each value';
const sets = '`?` is any one character; or write a list, with a whole pattern for each';
const values =
  'write the value; a path begins with `~/` at the home folder, with `./` at the root of the run';
const backslash = 'remove it; `?` is any one character, also a star';
const tilde = 'begin the text with `~/`, the home folder';

describe('patterns that hardly anything matches', () => {
  it.each([
    ['program', 'rm ', 'write `rm`'],
    ['program', '\trm', 'write `rm`'],
    ['program', 'rm\n', 'write `rm`'],
    ['program', 'rm|mv', 'write `["rm","mv"]`'],
    ['program', 'rm,', 'write `rm`'],
    ['program', 'rm, mv', 'write `["rm","mv"]`'],
    ['program', 'rm\nmv\n', 'write `["rm","mv"]`'],
    ['program', '{rm,mv}', 'write `["rm","mv"]`'],
    ['program', '*/bin/rm|*/bin/mv', lists],
    ['program', '+(r)m', lists],
    ['program', 'python[23]', sets],
    ['program', '\brm\b', 'remove it'],
    ['path', '/w/x ', 'write `/w/x`'],
    ['path', '/a, /b', 'write `["/a","/b"]`'],
    ['path', '/a ~/b;./c', 'write `["/a","~/b","./c"]`'],
    ['path', '/a\n/b c\n', 'write `["/a","/b c"]`'],
    ['path', '**/*.pem,*.key', 'write `["**/*.pem","*.key"]`'],
    ['path', './{a,b}/$&', 'write `["./a/$&","./b/$&"]`'],
    ['path', '/w/(a|b)', lists],
    ['path', '/w/@(a)', lists],
    ['path', './*.[ch]', sets],
    ['path', './[!a]*', sets],
    ['path', './[a-z]*', sets],
    ['path', './[Tt]emp', sets],
    ['path', '/$HOME/x', values],
    ['path', '/w/$' + '{X}', values],
    ['path', '/w/$(pwd)', values],
    ['path', '/w/\\*', backslash],
    ['path', '/w/a\\ b', backslash],
    ['path', '/~/.ssh/**', tilde],
    ['path', '**/~', tilde],
    ['path', '/w/a\u200bb', 'remove it'],
    ['path', '/w/\u202ea', 'remove it'],
    ['path', '/w/a\tb', 'remove it'],
    ['cwd', '/w/{a,b}', 'write `["/w/a","/w/b"]`'],
  ])('%s: %j', async (fact, pattern, help) => {
    expect(await saidOf(fact, pattern)).toEqual([`UNLIKELY_PATTERN ${help}`]);
  });

  it.each([
    ['program', 'rm -rf'],
    ['program', 'rm -rf $HOME {a,b}'],
    ['program', '/bin/rm -rf /tmp'],
  ])('one word is a program: %s: %j', async (fact, pattern) => {
    const [found, ...others] = await saidOf(fact, pattern);
    expect(found).toMatch(/^NO_SUCH_PROGRAM `program: (\/bin\/)?rm`/);
    expect(others).toEqual([]);
  });

  it.each([
    ['path', '/Users/a b/c'],
    ['path', '~/Library/Application Support/**'],
    ['path', '/w/Screenshot *'],
    ['path', '/w/a, b;c & d'],
    ['path', '**/*,v'],
    ['path', './app/[id]/[...slug]/[[...all]]/[lang]-[version]/(group)/@slot/[user-id].tsx'],
    ['path', './$id.tsx'],
    ['path', '/mnt/$RECYCLE.BIN/**'],
    ['path', '**/A$B.class'],
    ['path', './{{cookiecutter.name}}/**'],
    ['path', './a (1).pdf'],
    ['path', './a[1].pdf'],
    ['path', '**/*~'],
    ['path', '**/*\u202e*'],
    ['path', '**/*\n*'],
    ['path', '/w/日本語\u3000名/x'],
    ['program', ','],
    ['program', '['],
    ['program', '[['],
    ['program', 'g++'],
    ['program', 'python3.?'],
    ['program', '/opt/a b/run'],
  ])('names that exist have no finding: %s: %j', async (fact, pattern) => {
    expect(await saidOf(fact, pattern)).toEqual([]);
  });

  it('are found in `except` and in combinations', async () => {
    const text = `version: 1
default: needs_approval
capabilities:
  fs: { decision: blocked, except: { path: [/a, "/b,/c"] } }
  proc.exec.opaque: needs_approval
together:
  - { decision: blocked, capabilities: [secret.read, { name: fs.write, match: { path: "/b,/c" } }] }
`;
    const found = await findingsIn(text);
    expect(found.map(({ line, code, message }) => [line, code, message])).toEqual(
      [4, 7].map((line) => [
        line,
        'UNLIKELY_PATTERN',
        'hardly any `path` matches `/b,/c`: it has a separator, and a text is one value',
      ]),
    );
  });
});
