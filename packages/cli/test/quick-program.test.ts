import { describe, expect, it } from 'vitest';
import { lineStreams } from '../src/commands/given/filter.js';
import { decideLines } from '../src/decide-program.js';
import type { Host } from '../src/host.js';
import { quickCall } from '../src/quick-call.js';
import { wholeAnswers } from '../src/quick-program.js';
import { ambit, folderOf } from './host.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.read: pre_approved }\n',
  'open.yaml': 'version: 1\ndefault: pre_approved\n',
  'wrong.yaml': 'version: 1\ndefault: pre_approved\ncapabilities: { fs.read: alow }\n',
  '--policy': 'version: 1\ndefault: blocked\n',
  'inner/a.md': '',
};
const stdin =
  '{"tool": "x.y", "capabilities": ["fs.read"]}\n{"tool": "filesystem.read_file", "args": {"path": "a.md"}}\nno\n';

describe('the quick program', () => {
  it.each([
    [['--policy', 'policy.yaml']],
    [['--policy=policy.yaml', '--root', 'inner']],
    [['--policy', 'policy.yaml', '--root=inner', '--json']],
    [['--policy', 'policy.yaml', '--policy', 'open.yaml']],
    [['--policy', 'open.yaml']],
    [['--open', '--policy', 'open.yaml', '--open']],
    [['--policy=--policy']],
    [['--policy', 'policy.yaml', '--']],
    [['--policy', 'policy.yaml', '--root', 'nowhere']],
    [['--policy', 'none.yaml', '--json']],
    [['--policy', 'wrong.yaml']],
    [['--policy', 'wrong.yaml', '--json']],
    [[]],
  ] as const)('has the same output as the full program: %j', async (args) => {
    const argv = ['decide', ...args];
    const call = quickCall(argv);
    if (call?.command !== 'decide') throw new Error('the options are plain');
    const { options } = call;
    const folder = folderOf(files);
    const run = (_: unknown, host: Host) =>
      decideLines({ argv, options, host, streams: lineStreams(host), whole: wholeAnswers });
    const alone = await ambit(argv, { folder, stdin, run });
    const whole = await ambit(argv, { folder, stdin });
    expect(alone).toEqual(whole);
  });

  it.each([
    ['another command', ['check', 'policy.yaml']],
    ['nothing', []],
    ['help', ['decide', '--help']],
    ['short help', ['decide', '-h']],
    ['an unknown option', ['decide', '--polcy', 'p']],
    ['an option without its value', ['decide', '--policy']],
    ['an option in place of a value', ['decide', '--policy', '--json']],
    ['an empty value', ['decide', '--policy', '']],
    ['an unexpected value', ['decide', '--open=yes']],
    ['an argument', ['decide', '--policy', 'policy.yaml', 'more']],
    ['an argument after the options', ['decide', '--', 'more']],
    ['another command of the hook', ['hook', 'install', 'codex']],
    ['an unknown client', ['hook', 'cursor']],
    ['a hook without a client', ['hook', '--after']],
    ['a second client', ['hook', 'codex', 'gemini']],
    ['an invalid time', ['hook', 'codex', '--timeout', '0']],
    ['help of the hook', ['hook', 'codex', '--help']],
  ] as const)('leaves %s to the full program', (_, argv) => {
    expect(quickCall(argv)).toBe(null);
  });
});
