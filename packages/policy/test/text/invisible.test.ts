import { describe, expect, it } from 'vitest';
import { load, mistakes } from '../world.js';

const head = 'version: 1\ndefault: needs_approval\n';

describe('a policy with an invisible character', () => {
  it.each([
    ['a bidirectional control in a pattern', 'match: { path: "/w/\u202etxt.exe" }', '202E'],
    ['a zero-width blank in a pattern', 'match: { path: /w/a\u200bb }', '200B'],
    ['an isolate in a comment', 'match: { path: /w/a } } # \u2066', '2066'],
    ['a soft hyphen in a reason', 'reason: do\u00adne', '00AD'],
    ['a Hangul filler in an id', 'id: a\u3164', '3164'],
    ['a variation selector', 'reason: a\ufe0f', 'FE0F'],
    ['a tag character', 'reason: a\u{e0041}', 'E0041'],
    ['a line separator', 'reason: a\u2028b', '2028'],
    ['a Braille blank', 'reason: a\u2800b', '2800'],
    ['a byte order mark within', 'reason: a\ufeffb', 'FEFF'],
  ])('is refused at its place: %s', (_, text, code) => {
    const close = text.includes('#') ? '' : ' }';
    const found = mistakes(`${head}capabilities: { fs.read: { decision: blocked, ${text}${close} }\n`);
    expect(found).toEqual([expect.stringMatching(/^3:\d+ CONTROL_CHARACTER/)]);
    const loaded = load(`${head}capabilities: { fs.read: { decision: blocked, ${text}${close} }\n`);
    const [first] = loaded.ok ? [] : loaded.diagnostics;
    expect(first).toMatchObject({
      message: expect.stringContaining(`U+${code}`),
      help: expect.stringContaining('write it as an escape'),
    });
    // The caret is under the character; the text before it is shown unchanged.
    const column = first === undefined ? 0 : first.column;
    expect(
      (`capabilities: { fs.read: { decision: blocked, ${text}`.slice(column - 1).codePointAt(0) ?? 0)
        .toString(16)
        .toUpperCase()
        .padStart(4, '0'),
    ).toBe(code);
  });

  it('is refused with a carriage return that ends a line for other readers alone', () => {
    const rule = 'capabilities: { fs.read: blocked }';
    expect(mistakes(`${head}# what never happens\r${rule}\n`)).toEqual(['3:21 CONTROL_CHARACTER']);
    expect(load(`${head}# what never happens\r\n${rule}\r\n`).ok).toBe(true);
  });

  it('is refused in a key', () => {
    expect(mistakes(`${head}capabilities: { fs\u200b.write: blocked }\n`)).toEqual([
      expect.stringMatching(/^3:19 CONTROL_CHARACTER/),
    ]);
  });

  it('is accepted as a visible escape', () => {
    const rule = 'capabilities: { fs.read: { decision: blocked, match: { path: "/w/\\u202etxt" } } }\n';
    expect(load(head + rule).ok).toBe(true);
  });

  it('is accepted with common characters: other scripts, blanks and signs', () => {
    const rule = 'capabilities: { fs.read: { decision: blocked, reason: "שלום, 東京\u00a0é 🔑" } }\n';
    expect(load(head + rule).ok).toBe(true);
  });
});
