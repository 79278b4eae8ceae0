import { formatDiagnostics } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

function report(text: string): string {
  const loaded = load(text);
  return loaded.ok ? '' : formatDiagnostics(loaded.diagnostics);
}

describe('formatDiagnostics', () => {
  it('shows the line, a caret and the help', () => {
    expect(report('version: 1\ndefault: blocked\ncapabilities:\n  net:\n    decision: alow\n')).toBe(
      [
        'policy.yaml:5:15 UNKNOWN_DECISION `alow` is not a decision',
        '  5 |     decision: alow',
        '    |               ^^^^',
        'help: pre_approved, needs_approval or blocked',
      ].join('\n'),
    );
  });

  it('shows all mistakes of a file', () => {
    expect(report('version: 1\ncapabilites:\n  net: bloked\n')).toBe(
      [
        'policy.yaml:1:1 MISSING_KEY `default` is missing',
        '  1 | version: 1',
        '    | ^^^^^^^',
        'help: `default: needs_approval`; pre_approved, needs_approval or blocked',
        '',
        'policy.yaml:2:1 UNKNOWN_KEY `capabilites` is not a key here',
        '  2 | capabilites:',
        '    | ^^^^^^^^^^^',
        'help: did you mean `capabilities`? version, extends, default, undecided, capabilities, tools, carries, workers, grants, together or invariants',
      ].join('\n'),
    );
  });

  it.each<[string, string, readonly string[]]>([
    [
      'a near miss',
      'version: 1\ndefault: block\n',
      [
        'policy.yaml:2:10 UNKNOWN_DECISION `block` is not a decision',
        '  2 | default: block',
        '    |          ^^^^^',
        'help: did you mean `blocked`? pre_approved, needs_approval or blocked',
      ],
    ],
    [
      'another spelling',
      'version: 1\ndefault: Pre-Approved\n',
      [
        'policy.yaml:2:10 UNKNOWN_DECISION `Pre-Approved` is not a decision',
        '  2 | default: Pre-Approved',
        '    |          ^^^^^^^^^^^^',
        'help: did you mean `pre_approved`? pre_approved, needs_approval or blocked',
      ],
    ],
    [
      'a key as other programs write it',
      'version: 1\ndefault: blocked\ncapabilities:\n  net: { decision: blocked, matches: { host: a.example } }\n',
      [
        'policy.yaml:4:29 UNKNOWN_KEY `matches` is not a key here',
        '  4 |   net: { decision: blocked, matches: { host: a.example } }',
        '    |                             ^^^^^^^',
        'help: did you mean `match`? decision, id, match, except, when, below, reason, instead, owner, note, until, answer, undecided, inherit, observe, observed_since or examples',
      ],
    ],
    [
      'wide characters',
      'version: 1\ndefault: blocked\n"日本": 1\n',
      [
        'policy.yaml:3:1 UNKNOWN_KEY `日本` is not a key here',
        '  3 | "日本": 1',
        '    | ^^^^^^',
        'help: version, extends, default, undecided, capabilities, tools, carries, workers, grants, together or invariants',
      ],
    ],
    [
      'wide characters before it',
      'version: 1\ndefault: { "日": 1, decision: x }\n',
      [
        'policy.yaml:2:12 UNKNOWN_KEY `日` is not a key here',
        '  2 | default: { "日": 1, decision: x }',
        '    |            ^^^^',
        'help: decision or answer',
        '',
        'policy.yaml:2:30 UNKNOWN_DECISION `x` is not a decision',
        '  2 | default: { "日": 1, decision: x }',
        '    |                               ^',
        'help: pre_approved, needs_approval or blocked',
      ],
    ],
    [
      'tabs',
      'version: 1\ndefault:\tx\n',
      [
        'policy.yaml:2:10 UNKNOWN_DECISION `x` is not a decision',
        '  2 | default:    x',
        '    |             ^',
        'help: pre_approved, needs_approval or blocked',
      ],
    ],
    [
      'control characters',
      'version: 1\ndefault: "x\u200b"\n',
      [
        'policy.yaml:2:12 CONTROL_CHARACTER the character U+200B is not allowed: it is invisible',
        '  2 | default: "x\\u200b"',
        '    |            ^^^^^^',
        'help: remove it, or write it as an escape in double quotes: "\\u200B"',
      ],
    ],
    [
      'the value of an escape',
      'version: 1\ndefault: "\\u202ex"\n',
      [
        'policy.yaml:2:10 UNKNOWN_DECISION `\\u202ex` is not a decision',
        '  2 | default: "\\u202ex"',
        '    |          ^^^^^^^^^',
        'help: pre_approved, needs_approval or blocked',
      ],
    ],
    [
      'an invalid character of a file',
      'version: 1\ndefault: blocked # \u001b[2J\n',
      [
        'policy.yaml:2:20 CONTROL_CHARACTER the character U+001B is not allowed',
        '  2 | default: blocked # \\u001b[2J',
        '    |                    ^^^^^^',
        'help: remove it, or write it as an escape in double quotes: "\\u001B"',
      ],
    ],
    [
      'Windows line ends',
      'version: 1\r\ndefault: x\r\n',
      [
        'policy.yaml:2:10 UNKNOWN_DECISION `x` is not a decision',
        '  2 | default: x',
        '    |          ^',
        'help: pre_approved, needs_approval or blocked',
      ],
    ],
  ])('shows %s', (_, text, expected) => {
    expect(report(text)).toBe(expected.join('\n'));
  });

  it('cuts a long line to a window, and marks the cuts', () => {
    const lines = report(
      `version: 1\ndefault: { note: ${'x'.repeat(300)}, decision: nope, more: ${'y'.repeat(300)} }\n`,
    ).split('\n');
    const at = lines.findIndex((line) => line.includes('UNKNOWN_DECISION'));
    const [excerpt = '', carets = ''] = lines.slice(at + 1);
    expect([excerpt.slice(0, 7), excerpt.slice(-1), carets.replace(/ /g, '')]).toEqual([
      '  2 | …',
      '…',
      '|^^^^',
    ]);
    expect(excerpt.indexOf('nope')).toBe(carets.indexOf('^'));
    expect(excerpt.length).toBeLessThan(112);
  });

  it('says that a file is too large without its size, of which only so much is read', () => {
    const told = 'policy.yaml:1:1 FILE_TOO_LARGE the file has more than 8000000 bytes (8 MB)';
    expect(report(`#${'x'.repeat(8_000_000)}`).split('\n')[0]).toBe(told);
  });

  it('says where a key is missing in an empty file', () => {
    expect(report('')).toBe(
      'policy.yaml:1:1 EMPTY_FILE the file is empty\nhelp: write at least `version: 1` and `default: needs_approval`',
    );
  });
});
