import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, isFile } from './events.js';
import { callsOf } from './trace.js';

const start = `1 execve("/bin/launcher", ["launcher"], 0x1) = 0
1 execve("/bin/bash", ["bash"], 0x1) = 0
1 execve("/bin/man", ["man"], 0x1) = 0
1 clone(child_stack=NULL, flags=X <unfinished ...>
2 execve("/bin/troff", ["troff"], 0x1) = 0
`;

/** The programs that led to each start of a program. */
function startsIn(text: string): readonly (readonly string[])[] {
  return eventsOf(callsOf(text), '/').map(({ programs }) => programs);
}

describe('a trace that is cut off within a fork', () => {
  it.each([
    ['without its end', `${start}1 +++ killed by SIGKILL +++\n`],
    ['without its result', `${start}1 <... clone resumed>) = ?\n1 +++ killed by SIGKILL +++\n`],
  ])('identifies the parent of the process, %s', (_, text) => {
    expect(startsIn(text)).toEqual([['/bin/man'], ['/bin/man', '/bin/troff']]);
  });

  it('does not guess between two', () => {
    const two = start.replace('2 execve', '3 vfork( <unfinished ...>\n2 execve');
    expect(startsIn(two).at(-1)).toEqual(['/unknown', '/bin/troff']);
  });
});

/** What the calls do to files, in a folder with the folders `project` and `other` and a link between them. */
function doneBy(calls: readonly string[]): readonly string[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trace-')));
  try {
    mkdirSync(join(root, 'project'));
    mkdirSync(join(root, 'other'));
    symlinkSync('../other', join(root, 'project/l'));
    const whole = (call: string) => (call.includes(' = ') ? `1 ${call}` : `1 ${call} = 0`);
    const begin = start.split('\n').slice(0, 2);
    const text = [...begin, ...calls.map(whole), ''].join('\n').replaceAll('/ROOT', root);
    const events = eventsOf(callsOf(text), join(root, 'project')).filter(isFile);
    return events.map(({ kind, path }) => `${kind} ${path.slice(root.length + 1)}`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('a path of a descriptor', () => {
  it('is the file that the process opened there', () => {
    expect(doneBy(['openat(3, "x", O_PATH) = 5</ROOT/project/x>', 'chmod("/proc/self/fd/5", 0755)'])).toEqual(
      ['meta project/x'],
    );
  });
});

describe('a path behind a link', () => {
  it('leads above the target of the link with ..', () => {
    expect(doneBy(['rename("l/../secret.txt", "x")', 'unlink("l/../y")'])).toEqual([
      'delete secret.txt',
      'write project/x',
      'delete y',
    ]);
  });

  it('leads where the link led at that moment', () => {
    const calls = [
      'symlink("../other", "m")',
      'rename("m", "n")',
      'unlink("n/x")',
      'unlink("n")',
      'rmdir("n/y")',
    ];
    expect(doneBy(calls)).toEqual([
      'write project/m',
      'delete project/m',
      'write project/n',
      'delete other/x',
      'delete project/n',
      'delete project/n/y',
    ]);
  });
});
