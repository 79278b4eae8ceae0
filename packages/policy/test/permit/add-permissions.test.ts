import { createRequest, decide, type Pin } from '@ambit/core';
import { addPermissions, type NewPermission } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

const under: Pin = { pin: 'under', folder: '/w/out' };
const write: NewPermission = {
  name: 'fs.write',
  facts: { path: under, bytes: { pin: 'free' } },
  workers: ['w', 'x'],
  tools: ['filesystem.write_file'],
  note: null,
};

function edited(source: string, ...permissions: readonly NewPermission[]) {
  const result = addPermissions(source, permissions.length === 0 ? [write] : permissions);
  return result.ok ? result.text : result.why;
}

const head = 'version: 1\ndefault: needs_approval\n';
const when =
  'when: { and: [{ in: [{ var: worker }, [w, x]] }, { "==": [{ var: tool }, filesystem.write_file] }] }';
const rule = `{ decision: pre_approved, match: { path: "/w/out/*/**" }, ${when} }`;
const item = (indent: string) =>
  [
    `${indent}- decision: pre_approved`,
    `${indent}  match: { path: "/w/out/*/**" }`,
    `${indent}  ${when}`,
  ].join('\n');

describe('addPermissions', () => {
  it.each([
    ['creates a missing section', head, `${head}capabilities:\n  fs.write:\n${item('    ')}\n`],
    [
      'makes the name at the end of its section, before the comments of the next',
      `${head}capabilities:\n  fs.read: pre_approved # fine\n\n# who answers\ngrants: { remember: run }\n`,
      `${head}capabilities:\n  fs.read: pre_approved # fine\n  fs.write:\n${item('    ')}\n\n# who answers\ngrants: { remember: run }\n`,
    ],
    [
      'extends a list at any indentation',
      `${head}capabilities:\n    fs.write:\n    # secrets\n    - decision: blocked # never\n      match: { path: "**/.env" } # not even once\n    # nothing else\n`,
      `${head}capabilities:\n    fs.write:\n    # secrets\n    - decision: blocked # never\n      match: { path: "**/.env" } # not even once\n${item('    ')}\n    # nothing else\n`,
    ],
    [
      'converts a decision to a list',
      `${head}capabilities:\n  fs.write: blocked # why\n  net: blocked\n`,
      `${head}capabilities:\n  fs.write:\n    - blocked # why\n${item('    ')}\n  net: blocked\n`,
    ],
    [
      'converts a rule in one line to a list',
      `${head}capabilities:\n  fs.write: { decision: pre_approved, match: { path: /a } }\n`,
      `${head}capabilities:\n  fs.write:\n    - { decision: pre_approved, match: { path: /a } }\n${item('    ')}\n`,
    ],
    [
      'converts a rule in several lines to a list, and keeps comments',
      `${head}capabilities:\n  fs.write: # w\n    decision: pre_approved\n    # only this\n    match: { path: /a }\n    note: |\n      one\n\n      two\n\n  net: blocked\n`,
      `${head}capabilities:\n  fs.write: # w\n    - decision: pre_approved\n      # only this\n      match: { path: /a }\n      note: |\n        one\n\n        two\n${item('    ')}\n\n  net: blocked\n`,
    ],
    [
      'extends a section in one line',
      `${head}capabilities: { fs.read: pre_approved } # all\n`,
      `${head}capabilities: { fs.read: pre_approved, fs.write: [${rule}] } # all\n`,
    ],
    [
      'extends a list in one line',
      `${head}capabilities: { fs.write: [blocked] }\n`,
      `${head}capabilities: { fs.write: [blocked, ${rule}] }\n`,
    ],
    [
      'converts a decision in one line to a list',
      `${head}capabilities: { fs.write: blocked }\n`,
      `${head}capabilities: { fs.write: [blocked, ${rule}] }\n`,
    ],
    [
      'keeps the line ends of the file, and a last line without one',
      'version: 1\r\ndefault: needs_approval\r\ncapabilities:\r\n  net: blocked',
      `version: 1\r\ndefault: needs_approval\r\ncapabilities:\r\n  net: blocked\r\n  fs.write:\r\n${item('    ').replaceAll('\n', '\r\n')}`,
    ],
  ])('%s', (_, source, wanted) => {
    expect(edited(source)).toBe(wanted);
  });

  it('adds a rule for one worker under that worker', () => {
    const one: NewPermission = { ...write, workers: ['w'], note: 'learnt: 2 answers' };
    const lines = [
      '        - decision: pre_approved',
      '          match: { path: "/w/out/*/**" }',
      '          when: { "==": [{ var: tool }, filesystem.write_file] }',
      '          note: "learnt: 2 answers"',
    ].join('\n');
    expect(edited(head, one)).toBe(`${head}workers:\n  w:\n    capabilities:\n      fs.write:\n${lines}\n`);
    const there = `${head}workers:\n  # mine\n  w:\n    capabilities:\n      net: blocked\n  v: { capabilities: { net: blocked } }\n`;
    expect(edited(there, one)).toBe(
      `${head}workers:\n  # mine\n  w:\n    capabilities:\n      net: blocked\n      fs.write:\n${lines}\n  v: { capabilities: { net: blocked } }\n`,
    );
  });

  it('adds several rules one after the other', () => {
    const text = edited(head, write, { ...write, facts: { path: { pin: 'exactly', value: '/b' } } });
    expect(text.match(/decision: pre_approved/g)).toHaveLength(2);
    expect(text).toContain('match: { path: /b }');
  });

  it.each([
    ['an anchored list', `${head}capabilities:\n  fs.write: &all [blocked]\n  fs.delete: *all\n`],
    ['an alias', `${head}capabilities:\n  fs.delete: &all [blocked]\n  fs.write: *all\n`],
    ['an anchored section', `${head}workers:\n  w: &w { capabilities: { net: blocked } }\n  v: *w\n`],
  ])('does not add to rules that are also used elsewhere: %s', (name, source) => {
    const one: NewPermission = { ...write, workers: name.includes('section') ? ['w'] : write.workers };
    expect(edited(source, one)).toMatch(/shared by an alias/);
  });

  it.each([
    ['/w/out', ['.md'], '"/w/out/**/*.md"', '["/w/out/**/.*", "**/*.??", "**/a/**"]'],
    ['/w/o*t', ['.b', '.md'], '["**/*.b", "**/*.md"]', '["**/**/.*", "**/*.??", "**/a/**"]'],
    ['/w/out', [''], '"/w/out/*/**"', '["**/*.*", "**/a/**", "**/xmd", "**/md"]'],
  ] as const)('writes below %s only names that end in %j', (folder, endings, match, except) => {
    const excepted = ['./**/.*', '**/*.??', '**/a/**', '**/*.env', '**/xmd', '**/md'];
    const facts: NewPermission['facts'] = { path: { pin: 'under', folder } };
    const text = edited(head, { ...write, facts, endings, except: excepted });
    expect(text).toContain(`match: { path: ${match} }\n      except: { path: ${except} }\n`);
  });

  it('writes a condition for a fact that no pattern can express', () => {
    const text = edited(head, {
      ...write,
      name: 'proc.exec',
      facts: {
        program: { pin: 'exactly', value: 'ls' },
        argv: { pin: 'exactly', value: ['ls', '*'] },
        cwd: { pin: 'under', folder: '/w/a*' },
      },
    });
    expect(text).toContain('match: { program: ls }');
    expect(text).toContain(
      '{ "==": [{ var: capability.argv.0 }, ls] }, { "==": [{ var: capability.argv.1 }, "*"] }, { "!!": [{ missing: [capability.argv.2] }] }, { "!": [{ var: [capability.argv.2, false] }] }, { under: [{ var: capability.cwd }, "/w/a*"] }, { "!==": [{ var: capability.cwd }, "/w/a*"] }',
    );
  });

  it.each([
    [['git', 'push'], 'pre_approved'],
    [['git'], 'needs_approval'],
    [['git', 'push', '--force'], 'needs_approval'],
    [['git', 'push', ''], 'needs_approval'],
    [['git', 'push', '', '--force'], 'needs_approval'],
    [['git', 'push', null, '--force'], 'needs_approval'],
    [['git', 'push', false, '--force'], 'needs_approval'],
  ] as const)('covers no list with further words: %j', (argv, decision) => {
    const facts: NewPermission['facts'] = { argv: { pin: 'exactly', value: ['git', 'push'] } };
    const loaded = load(edited(head, { ...write, name: 'proc.exec', facts }));
    const call = {
      tool: 'filesystem.write_file',
      chain: ['w'] as const,
      args: {},
      context: {},
      history: [],
      now: 0,
    };
    const request = createRequest({ ...call, capabilities: [{ name: 'proc.exec', argv }] });
    expect(loaded.ok && decide(request, [loaded.policy]).decision).toBe(decision);
  });

  it('hides nothing, and never turns text into YAML', () => {
    const value = 'a: b\u202e"#\u0000\n- x 😀ü';
    const text = edited(head, { ...write, facts: { to: { pin: 'exactly', value } } });
    expect(text).toContain(String.raw`to: "a: b\U0000202e\"#\U00000000\U0000000a- x \U0001f600ü"`);
  });

  it.each<[string, Pin]>([
    ['null', { pin: 'exactly', value: null }],
    ['a map', { pin: 'exactly', value: { a: 1 } }],
    ['a list of numbers', { pin: 'exactly', value: [1] }],
    ['a text that is too long for a rule', { pin: 'exactly', value: 'x'.repeat(2000) }],
  ])('writes no rule about %s', (_, pin) => {
    expect(edited(head, { ...write, facts: { to: pin } })).toBe('its facts cannot be written as a rule');
  });
});
