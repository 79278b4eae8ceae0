import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { questionText } from '../../src/questions/question-text.js';
import { wrapped } from '../../src/view/text.js';
import { question } from './question.js';

const plain = { width: 80, colour: false, whole: false };

describe('questionText', () => {
  it('shows who asks, the effect, the reasons, and the change of the file', () => {
    expect(
      questionText(question, plain),
    ).toBe(`──────────────────────────────────────────────────────────────────────────────
orchestrator › evaluator wants to call filesystem.write_file

It would
  ? write /work/out/a.md  (fs.write, 25 bytes)
  · list /work/out  (fs.list)

Needs approval because
  - the rule drafts (policy.yaml:12:5) asks about fs.write
  - no rule in org.yaml covers fs.write, so its default asks
reason: drafts are looked at before they are written

Arguments
  path: "out/a.md"
  content: the text that is shown below

changes /work/out/a.md
@@ -1,3 +1,3 @@
 one
-two
+two and a half
 three
`);
  });

  it('shows why it asks again, who must answer, and what is undecided', () => {
    const text = questionText(
      {
        ...question,
        again: 'the call changed while it waited',
        preview: null,
        asked_by: [
          {
            capability: 1,
            policy: 'policy.yaml',
            decision: 'needs_approval',
            default: false,
            rules: [],
            undecided: [
              { id: 'r', at: 'policy.yaml:3:1', decision: 'needs_approval', why: 'no fact `amount`' },
              { id: 'b', at: 'policy.yaml:4:1', decision: 'pre_approved', why: 'no fact `amount`' },
            ],
            answer: 'person',
            answered_by: null,
          },
        ],
      },
      plain,
    );
    expect(text).toContain('asked again: the call changed while it waited');
    expect(text).toContain(
      '  - the rule r (policy.yaml:3:1) may ask about fs.list: no fact `amount`; only a\n    person may answer, for this one call\n',
    );
    expect(text).not.toContain('policy.yaml:4:1');
    expect(text).toContain('  · write /work/out/a.md  (fs.write, 25 bytes)\n  ? list /work/out  (fs.list)\n');
  });

  it('cuts long arguments and differences with a note, and shows them completely on request', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
    const long = {
      ...question,
      args: { content: lines, last: 'the end' },
      preview: { path: '/a', before: null, after: lines },
    };
    const short = questionText(long, plain);
    expect(short).toContain('  … 24 more lines; v shows everything');
    expect(short).not.toContain('+line 59');
    const whole = questionText(long, { ...plain, whole: true });
    expect(whole).not.toContain('v shows');
    expect(whole).toContain('\n+line 59\n');
    expect(whole).toContain('last: "the end"');
  });

  it('escapes all data, and stays within the width', () => {
    const evil = 'a\u001b[2K\u202e\u200b\r\nApprove it? ';
    const text = questionText(
      {
        ...question,
        chain: [evil, evil],
        tool: evil,
        args: { [evil]: evil },
        capabilities: [
          {
            capability: {
              name: 'fs.write',
              path: evil,
              argv: [evil],
              cwd: evil,
              toolsets: [evil],
              [evil]: evil,
            },
            words: evil.repeat(20),
          },
        ],
        asked_by: question.asked_by.map((judgement) => ({
          ...judgement,
          policy: evil,
          rules: judgement.rules.map((rule) => ({ ...rule, id: evil, at: evil })),
        })),
        reason: evil,
        instead: evil,
        again: evil,
        preview: { path: evil, before: evil, after: `${' '.repeat(79)}${evil}` },
        calls: [evil, evil],
        before: {
          approved: 1,
          refused: 0,
          latest: [
            {
              question: evil,
              person: evil,
              at: 0,
              approved: true,
              calls: 1,
              what: [evil, evil],
              edited: false,
              note: evil,
            },
          ],
        },
      },
      { ...plain, whole: true },
    );
    for (const bad of ['\u001b', '\u202e', '\u200b', '\r']) expect(text).not.toContain(bad);
    expect(text.split('\n').filter((line) => line.startsWith('Approve it?'))).toEqual([]);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('stays within the width for wide characters, so that no line begins with its rest', () => {
    const wide = `${'\u6f22'.repeat(39)}Approve it? ${'\u{1f642}'.repeat(60)}`;
    const text = questionText(
      {
        ...question,
        args: { content: wide },
        reason: wide,
        preview: { path: `/${wide.repeat(3)}`, before: null, after: wide },
      },
      { ...plain, whole: true },
    );
    const columns = (line: string) =>
      [...line].reduce((sum, character) => sum + (/[\u6f22\u{1f642}]/u.test(character) ? 2 : 1), 0);
    expect(text.split('\n').filter((line) => columns(line) > 80)).toEqual([]);
    expect(text.split('\n').filter((line) => line.startsWith('Approve it?'))).toEqual([]);
    expect([...text].filter((character) => character === '\u{1f642}').length).toBe(5 * 60);
  });

  it('uses colours only on request, without changing the text', () => {
    const coloured = questionText(question, { ...plain, colour: true });
    const text = questionText(question, plain);
    expect(coloured).not.toBe(text);
    expect(stripVTControlCharacters(coloured)).toBe(text);
  });
});

describe('wrapped', () => {
  it('breaks long text into lines, and omits nothing', () => {
    const lines = wrapped(`ab ${'x'.repeat(50)} cd`, 24, '- ');
    expect(lines).toEqual(['- ab', `  ${'x'.repeat(22)}`, `  ${'x'.repeat(22)}`, `  ${'x'.repeat(6)} cd`]);
  });
});

describe('a question about many files', () => {
  const paths = Array.from({ length: 1204 }, (_, index) => `/w/src/${String(index).padStart(4, '0')}.ts`);

  it('lists all files in full view, deciding ones first, with the number of the rest', () => {
    const [asked] = question.asked_by;
    if (asked === undefined) throw new Error('no question was asked');
    const shown = (all: readonly string[]) =>
      questionText(
        {
          ...question,
          preview: null,
          capabilities: [{ capability: { name: 'fs.read', path: { paths: all } }, words: 'read files' }],
          asked_by: [{ ...asked, member: { path: '/w/src/0040.ts', count: 1, of: all.length } }],
        },
        { ...plain, whole: true },
      );
    const files = shown(paths.slice(0, 50)).match(/^ {6}\/w\/src\/\d{4}\.ts$/gm);
    expect(files).toHaveLength(50);
    expect(files?.slice(0, 2)).toEqual(['      /w/src/0040.ts', '      /w/src/0000.ts']);
    expect(shown(paths)).toContain('\n      and 204 more, which the log names\n');
  });

  it('shows ten files including the deciding one, and their number', () => {
    const [asked] = question.asked_by;
    if (asked === undefined) throw new Error('no question was asked');
    const text = questionText(
      {
        ...question,
        preview: null,
        capabilities: [
          {
            capability: { name: 'fs.read', path: { paths } },
            words: 'read 1 204 files under /w/src: /w/src/0000.ts, /w/src/0001.ts, /w/src/0002.ts, …',
          },
        ],
        asked_by: [{ ...asked, member: { path: '/w/src/0900.ts', count: 1, of: 1204 } }],
      },
      { ...plain, width: 200 },
    );
    expect(text).toContain('read 1 204 files under /w/src');
    expect(text).toContain('asks about fs.read of /w/src/0900.ts (1 of 1 204 files)');
    expect(text).toMatch(/also \/w\/src\/0900\.ts, \/w\/src\/0003\.ts/);
    expect(new Set(text.match(/\d{4}\.ts/g)).size).toBe(10);
    expect(text.replace(/\s+/g, ' ')).toContain('and 1194 more');
  });

  it('folds permitted capabilities on a low screen, and never the asked ones', () => {
    const permitted = Array.from({ length: 20 }, (_, index) => ({
      capability: { name: 'fs.read', path: `/work/in/${index}.md` },
      words: `read /work/in/${index}.md`,
    }));
    const [first, ...others] = permitted.slice(1);
    if (first === undefined) throw new Error('there are twenty');
    const capabilities = [first, ...others, ...question.capabilities] as const;
    const long = { ...question, capabilities };
    const asked_by = question.asked_by.map((each) => ({ ...each, capability: 19 }));
    const shown = (whole: boolean) =>
      questionText({ ...long, asked_by }, { width: 80, colour: false, whole, rows: 17 });
    const text = shown(false);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(17);
    expect(text).toContain('  ? write /work/out/a.md  (fs.write');
    expect(text).toMatch(/· \d+ more, permitted: v shows all/);
    expect(text).toContain('the rule drafts (policy.yaml:12:5) asks about fs.write');
    for (const { words } of long.capabilities) expect(shown(true)).toContain(words);
  });
});
