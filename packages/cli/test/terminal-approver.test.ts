import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundled, hasTmux, Tmux } from './tmux.js';

/** The last words of the question: from here on, keys answer it. */
const prompt = 'v  show the whole';
const answers = (screen: string) =>
  [...screen.matchAll(/^ANSWER (.*)$/gm)].map(([, json]) => JSON.parse(json as string) as unknown);

if (!hasTmux) process.stderr.write('tmux is not installed: the approver was tried in no terminal\n');

describe.skipIf(!hasTmux)('the approver in a terminal', { timeout: 60_000 }, () => {
  let script: Awaited<ReturnType<typeof bundled>>;
  let terminal: Tmux | null = null;
  beforeAll(async () => {
    script = await bundled('./approver-script.ts');
  }, 60_000);
  afterEach(() => terminal?.end());
  afterAll(() => script.remove());

  const asking = (...args: readonly string[]): Tmux => {
    terminal = new Tmux([process.execPath, script.file, ...args]);
    return terminal;
  };

  it('takes o for this call alone', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('o');
    expect(answers(await tmux.shows('END'))).toEqual([{ answer: 'approve', person: 'ana' }]);
  });

  it('takes r for this run, having said what that covers', async () => {
    const tmux = asking();
    expect(await tmux.shows(prompt)).toContain(
      '  r  for this run: it, and every later filesystem.tool_0 by orchestrator ›\n     evaluator that does no more',
    );
    tmux.type('r');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana', keep: { remember: 'run', reach: 'file' } },
    ]);
  });

  it('takes no with a note', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('n');
    await tmux.shows('a note for the model');
    tmux.type('too', 'Space', 'early', 'Enter');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'refuse', person: 'ana', note: 'too early' },
    ]);
  });

  it('takes a for a no that asks again', async () => {
    const tmux = asking();
    const shown = await tmux.shows(prompt);
    expect(shown).toContain('  n  no, whenever this run makes the same call; with a note if you like\n');
    expect(shown).toContain('  a  no, but ask me again when it does\n');
    tmux.type('a');
    await tmux.shows('a note for the model');
    tmux.type('later', 'Enter');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'refuse', person: 'ana', note: 'later', ask_again: true },
    ]);
  });

  it('asks once more before it stops the run', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.type('s');
    await tmux.shows('stop the whole run?');
    tmux.type('s');
    expect(answers(await tmux.shows('END'))).toEqual([{ answer: 'stop', person: 'ana' }]);
  });

  it('does not take what was typed before the question for an answer', async () => {
    const tmux = asking('1', '1500');
    await tmux.shows('READY');
    tmux.type('o');
    await tmux.shows('Approve it?');
    tmux.type('n');
    expect(answers(await tmux.shows('a note for the model'))).toEqual([]);
    tmux.type('Enter');
    expect(answers(await tmux.shows('END'))).toEqual([{ answer: 'refuse', person: 'ana' }]);
  });

  it('takes no pasted text, no arrow and no unknown key for an answer', async () => {
    const tmux = asking();
    await tmux.shows(prompt);
    tmux.paste('o');
    tmux.paste('rrr');
    tmux.type('Up', 'x', 'O', 'Enter', 'Escape');
    // Read together with the escape before it, the first n is no single key.
    expect(answers(await tmux.typesUntil('n', 'a note for the model'))).toEqual([]);
  });

  it('asks one question at a time, and a key answers one', async () => {
    const tmux = asking('2');
    const first = await tmux.shows(prompt);
    expect(first).not.toContain('filesystem.tool_1');
    tmux.type('o');
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

  it('approves edited arguments, having shown what changed', async () => {
    const editor = join(mkdtempSync(join(tmpdir(), 'ambit-editor-')), 'editor');
    writeFileSync(editor, '#!/bin/sh\nls -l "$1" | cut -c1-10 > "$0.mode"\nsed -i s/half/third/ "$1"\n');
    chmodSync(editor, 0o755);
    const tmux = asking('1', '0', editor);
    await tmux.shows(prompt);
    tmux.type('e');
    const shown = await tmux.shows('approves the call with these arguments');
    expect(shown).toContain('-  "content": "one\\ntwo and a half\\nthree\\n"');
    expect(shown).toContain('+  "content": "one\\ntwo and a third\\nthree\\n"');
    tmux.type('o');
    expect(answers(await tmux.shows('END'))).toEqual([
      {
        answer: 'approve',
        person: 'ana',
        args: { path: 'out/a.md', content: 'one\ntwo and a third\nthree\n' },
      },
    ]);
  });

  it('takes arguments on a line where there is no editor, and says what is wrong with them', async () => {
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
    tmux.type('o');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana', args: { path: 'b.md' } },
    ]);
  });

  it('asks for a line where there is no such editor', async () => {
    const tmux = asking('1', '0', 'no-such-editor --wait');
    await tmux.shows(prompt);
    tmux.type('e');
    await tmux.shows('there is no editor `no-such-editor --wait`');
    await tmux.shows('the arguments as JSON');
    tmux.type('C-u', '{"path":"b.md"}', 'Enter');
    await tmux.shows('approves the call with these arguments');
    tmux.type('o');
    expect(answers(await tmux.shows('END'))).toEqual([
      { answer: 'approve', person: 'ana', args: { path: 'b.md' } },
    ]);
  });

  it('leaves the terminal as it was, also where the process ends in the middle of a question', async () => {
    const then = `"$0" "$@"; echo "SET $(stty -a | grep -o -e '-*icanon' -e ' -*echo ' | tr -d '\\n')"`;
    terminal = new Tmux(['sh', '-c', then, process.execPath, script.file]);
    await terminal.shows(prompt);
    terminal.type('C-c');
    await terminal.shows('INTERRUPTED');
    expect(await terminal.shows('SET')).toMatch(/^SET icanon echo/m);
  });
});
