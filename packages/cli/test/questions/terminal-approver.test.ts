import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { bundled, hasTmux, Tmux } from '../tmux.js';

/** The last words of the question: from here on, keys answer it. */
const prompt = 'v  show everything';
const answers = (screen: string) =>
  [...screen.matchAll(/^ANSWER (.*)$/gm)].map(([, json]) => JSON.parse(json as string) as unknown);

if (!hasTmux) process.stderr.write('tmux is not installed: the approver was tried in no terminal\n');

describe.skipIf(!hasTmux)('the approver in a terminal', () => {
  let script: Awaited<ReturnType<typeof bundled>>;
  let terminal: Tmux | null = null;
  beforeAll(async () => {
    script = await bundled('./questions/approver-script.ts');
  });
  afterEach(() => terminal?.end());
  afterAll(() => script.remove());

  const asking = (...args: readonly string[]): Tmux => {
    terminal = new Tmux([process.execPath, script.file, ...args]);
    return terminal;
  };

  it('approves only this call with y', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('y');
    expect(answers(await tmux.shows('END'))).toEqual([{ answer: 'approve', person: 'ana' }]);
  });

  it('keeps an answer with the chosen reach and duration, after showing its coverage', async () => {
    const tmux = asking('1', '0', '', 'always');
    expect(await tmux.shows(prompt)).toContain('   k  approve and keep the answer\n');
    tmux.type('k');
    const rungs = await tmux.shows('b  back to the question');
    expect(
      rungs.slice(rungs.indexOf('How far?')),
    ).toBe(`How far? Yes to this call, and to later calls of filesystem.tool_0 by
orchestrator › evaluator

  1  with exactly the same arguments
       covers  the same call again
       not     the same, with content "another content"
  2  on /work/out/a.md and /work/out, with any size and other arguments
       covers  write /work/out/a.md, bytes 250
       covers  write /work/out/a.md, bytes 1
       covers  write /work/out/a.md, bytes 0
       not     write /work/out/another.md
  3  on any file below /work/out and /work, and otherwise just like this one
       covers  write /work/out/another.md
       covers  list /work/another
       covers  write /work/out/deeper/down.md
       not     write /work/elsewhere/a.md

  b  back to the question
>`);
    tmux.type('3');
    const times = await tmux.shows('b  back: how far');
    expect(times.slice(times.indexOf('For how long?'))).toBe(`For how long?
  r  for this run
  a  always: in later runs too, until it is revoked, or the tool or a policy
     changes
  u  until a time that you give, in later runs too
  b  back: how far
>`);
    tmux.type('u');
    await tmux.shows('until when?');
    tmux.type('tomorrow', 'Enter');
    await tmux.shows('not a time: 30m');
    await tmux.shows('until when?', 2);
    tmux.type('2999-01-01T00:00Z', 'Enter');
    expect(answers(await tmux.shows('END'))).toEqual([
      {
        answer: 'approve',
        person: 'ana',
        keep: { remember: 'always', until: Date.UTC(2999, 0, 1), reach: 'folder' },
      },
    ]);
  });

  it.skipIf(!isDeep)('returns from each choice, and offers only admitted choices', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('k');
    await tmux.shows('b  back to the question');
    tmux.type('1');
    expect(await tmux.shows('b  back: how far')).not.toContain('  a  always');
    tmux.type('b');
    await tmux.shows('b  back to the question', 2);
    tmux.type('b');
    await tmux.shows(prompt, 2);
    tmux.type('k');
    await tmux.shows('b  back to the question', 3);
    tmux.type('2');
    await tmux.shows('b  back: how far', 2);
    tmux.type('r');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana', keep: { remember: 'run', reach: 'file' } },
    ]);
  });

  it('refuses with a note', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('n');
    await tmux.shows('a note for the model');
    tmux.type('too', 'Space', 'early', 'Enter');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'refuse', person: 'ana', note: 'too early' },
    ]);
  });

  it('refuses with a, and asks again next time', async () => {
    const tmux = asking();
    const shown = await tmux.shows(prompt);
    expect(shown).toContain('  n  deny, also when it is repeated   a  deny, ask again ');
    tmux.type('a');
    await tmux.shows('a note for the model');
    tmux.type('later', 'Enter');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'refuse', person: 'ana', note: 'later', ask_again: true },
    ]);
  });

  it('asks for confirmation before it stops the run', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('s');
    await tmux.shows('stop the whole run?');
    tmux.type('s');
    expect(answers(await tmux.shows('END'))).toEqual([{ answer: 'stop', person: 'ana' }]);
  });

  it('ignores input typed before the question', async () => {
    const tmux = asking('1', '1500');
    await tmux.shows('READY');
    tmux.type('y');
    await tmux.shows('Approve it?');
    tmux.type('n');
    expect(answers(await tmux.shows('a note for the model'))).toEqual([]);
    tmux.type('Enter');
    expect(answers(await tmux.shows('END'))).toEqual([{ answer: 'refuse', person: 'ana' }]);
  });

  it('ignores pasted text, arrows and unknown keys', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.paste('o');
    tmux.paste('rrr');
    tmux.type('Up', 'x', 'O', 'Enter', 'Escape');
    // Read together with the escape before it, the first n is not a single key.
    expect(answers(await tmux.typesUntil('n', 'a note for the model'))).toEqual([]);
  });

  it('asks one question at a time, and one key answers one question', async () => {
    const tmux = asking('2');
    const first = await tmux.shows(prompt);
    expect(first).not.toContain('filesystem.tool_1');
    tmux.type('y');
    await tmux.shows('filesystem.tool_1');
    await tmux.shows(prompt, 2);
    tmux.type('n');
    await tmux.shows('a note for the model');
    tmux.type('Enter');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana' },
      { answer: 'refuse', person: 'ana' },
    ]);
  });

  it('approves edited arguments after showing the changes', async () => {
    const editor = join(temporaryFolder('ambit-editor-'), 'editor');
    writeFileSync(editor, '#!/bin/sh\nls -l "$1" | cut -c1-10 > "$0.mode"\nsed -i s/half/third/ "$1"\n');
    chmodSync(editor, 0o755);
    const tmux = asking('1', '0', editor);
    await tmux.shows(prompt);
    tmux.type('e');
    const shown = await tmux.shows('approves the call with these arguments');
    expect(shown).toContain('-  "content": "one\\ntwo and a half\\nthree\\n"');
    expect(shown).toContain('+  "content": "one\\ntwo and a third\\nthree\\n"');
    tmux.type('y');
    expect(answers(await tmux.shows('END'))).toEqual([
      {
        answer: 'approve',
        person: 'ana',
        args: { path: 'out/a.md', content: 'one\ntwo and a third\nthree\n' },
      },
    ]);
  });

  it('reads arguments from a line if there is no editor, and reports errors in them', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('e');
    await tmux.shows('the arguments as JSON');
    tmux.type('C-u', '[1]', 'Enter');
    await tmux.shows('the arguments are not a JSON object');
    await tmux.shows('e edits again, b goes back');
    tmux.type('e');
    await tmux.shows('the arguments as JSON', 2);
    tmux.type('C-u', '{"path":"b.md"}', 'Enter');
    await tmux.shows('approves the call with these arguments');
    tmux.type('y');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana', args: { path: 'b.md' } },
    ]);
  });

  it('asks for a line if the editor is missing', async () => {
    const tmux = asking('1', '0', 'no-such-editor --wait');
    await tmux.shows(prompt);
    tmux.type('e');
    await tmux.shows('cannot find the editor `no-such-editor --wait`');
    await tmux.shows('the arguments as JSON');
    tmux.type('C-u', '{"path":"b.md"}', 'Enter');
    await tmux.shows('approves the call with these arguments');
    tmux.type('y');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana', args: { path: 'b.md' } },
    ]);
  });

  it('restores the terminal, even if the process ends during a question', async () => {
    const then = `"$0" "$@"; echo "SET $(stty -a | grep -o -e '-*icanon' -e ' -*echo ' | tr -d '\\n')"`;
    terminal = new Tmux(['sh', '-c', then, process.execPath, script.file]);
    await terminal.shows(prompt);
    terminal.type('C-c');
    await terminal.shows('INTERRUPTED');
    expect(await terminal.shows('SET')).toMatch(/^SET icanon echo/m);
  });
});
