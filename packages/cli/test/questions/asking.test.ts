import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keyboard } from '../../src/questions/keyboard.js';
import { createTerminalApprover } from '../../src/questions/terminal-approver.js';
import { question } from './question.js';

describe('createTerminalApprover', () => {
  let [input, output, interrupts] = [new PassThrough(), new PassThrough(), 0];
  let keyboard: Keyboard;
  beforeEach(() => {
    [input, output, interrupts] = [new PassThrough(), new PassThrough(), 0];
    keyboard = new Keyboard(input, output, () => {
      interrupts += 1;
    });
  });
  afterEach(() => keyboard.close());

  const approver = (onScreen: (isTaken: boolean) => void = () => undefined) =>
    createTerminalApprover({
      keyboard,
      output,
      looks: () => ({ width: 80, colour: false }),
      person: 'ana',
      program: 'ambit',
      editor: null,
      onScreen,
    });

  /** Waits until the output has said this, and forgets what came before. */
  const said = async (text: string): Promise<string> => {
    let all = '';
    while (!all.includes(text)) {
      all += String(output.read() ?? '');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return all;
  };

  const never = new AbortController().signal;

  it('closes an aborted question, and asks the next one', async () => {
    const screen: boolean[] = [];
    const asking = approver((isTaken) => screen.push(isTaken));
    const end = new AbortController();
    const first = asking.ask(question, end.signal);
    const second = asking.ask(question, never);
    await said('Approve it?');
    end.abort(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    await said('this question is closed: too late\n');
    await said('Approve it?');
    input.write('y');
    expect(await second).toEqual({ answer: 'approve', person: 'ana' });
    expect(screen).toEqual([true, false, true, false]);
  });

  it('does not show a question whose time ended before its turn', async () => {
    await expect(approver().ask(question, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    expect(String(output.read())).not.toContain('wants to call');
  });

  it('returns no answer when the terminal closes', async () => {
    const asked = approver().ask(question, never);
    await said('Approve it?');
    input.end();
    await expect(asked).rejects.toThrow('the terminal is gone');
  });

  it('ignores k if no answer may be kept', async () => {
    const asked = approver().ask({ ...question, keep: null }, never);
    const menu = await said('v  show everything');
    expect(menu).toContain('an answer is for this call only');
    expect(menu).not.toMatch(/^ {2}k/m);
    input.write('k');
    await new Promise((resolve) => setImmediate(resolve));
    input.write('y');
    expect(await asked).toEqual({ answer: 'approve', person: 'ana' });
  });

  it('uses the current width of the terminal', async () => {
    let width = 80;
    const asked = createTerminalApprover({
      keyboard,
      output,
      looks: () => ({ width, colour: false }),
      person: 'ana',
      program: 'ambit',
      editor: null,
    }).ask({ ...question, preview: { path: '/a', before: null, after: 'x'.repeat(70) } }, never);
    expect(await said('v  show everything\n>')).toContain(`\n+${'x'.repeat(70)}\n`);
    width = 50;
    input.write('v');
    expect(await said('v  show everything\n>')).toContain(`\n+${'x'.repeat(48)}\n+\u21aa${'x'.repeat(22)}\n`);
    input.write('y');
    await asked;
  });

  it('keeps each key with its label on a narrow terminal', async () => {
    const asked = createTerminalApprover({
      keyboard,
      output,
      looks: () => ({ width: 60, colour: false }),
      person: 'ana',
      program: 'ambit',
      editor: null,
    }).ask(question, never);
    const shown = await said('v  show everything\n>');
    expect(shown.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(shown.slice(shown.indexOf('  y  '))).toBe(
      `  y  approve this call only   k  approve and keep the answer
  n  deny, also when it is repeated   a  deny, ask again
  e  edit the arguments   l  later   s  stop the run
  v  show everything\n> `,
    );
    input.write('y');
    await asked;
  });

  it.each([
    [80, 24],
    [120, 40],
    [40, 24],
  ])(
    'shows the question, its reasons and the keys on one screen of %d columns and %d rows',
    async (width, rows) => {
      const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
      const long = {
        ...question,
        args: { path: 'out/a.md', content: lines },
        preview: { path: '/work/out/a.md', before: null, after: lines },
      };
      const screen = Object.assign(output, { rows });
      const asked = createTerminalApprover({
        keyboard,
        output: screen,
        looks: () => ({ width, colour: false }),
        person: 'ana',
        program: 'ambit',
        editor: null,
      }).ask(width === 40 ? { ...long, asked_by: long.asked_by.slice(0, 1), reason: null } : long, never);
      const text = await said('v  show everything\n>');
      const shown = text.slice(text.indexOf('───')).split('\n');
      expect(shown.length).toBeLessThanOrEqual(rows);
      expect(shown.filter((line) => line.length > width)).toEqual([]);
      const parts = ['wants to call', 'write /work/out/a.md', 'the rule drafts', 'new file', 'more lines'];
      for (const part of parts) expect(shown.join('\n')).toContain(part);
      input.write('y');
      await asked;
    },
  );

  it('shows the worker and the call beside the keys if the question is higher than the screen', async () => {
    const reminder =
      'orchestrator › evaluator wants to call filesystem.write_file; scroll up for the\nwhole question\nApprove it?\n';
    Object.assign(output, { rows: 14 });
    const first = approver().ask(question, never);
    expect(await said('v  show everything\n>')).toContain(reminder);
    input.write('y');
    await first;
  });

  it('lists the keys after an unknown key', async () => {
    const asked = approver().ask(question, never);
    await said('v  show everything\n>');
    input.write('z');
    expect(await said('> ')).toBe('"z" is not a key here; the keys are y k n a e l s v\n> ');
    input.write('\r');
    expect(await said('> ')).toContain('Enter is not a key here');
    input.write('\u0004');
    expect(await said('> ')).toContain('ctrl-D is not a key here');
    input.write('\u200b');
    expect(await said('> ')).toContain('"\\u{200b}" is not a key here');
    input.write('y');
    expect(await asked).toEqual({ answer: 'approve', person: 'ana' });
  });

  it('leaves a question open on the key `l`, asks the next one, and reports who closed the first', async () => {
    const both = approver();
    const elsewhere = new AbortController();
    const first = both.ask(question, elsewhere.signal);
    const second = both.ask({ ...question, tool: 'filesystem.second' }, never);
    await said('v  show everything\n>');
    input.write('l');
    expect(await said('filesystem.second')).toContain(`ambit approvals approve ${question.id} answers it`);
    await said('v  show everything\n>');
    input.write('y');
    expect(await second).toEqual({ answer: 'approve', person: 'ana' });
    elsewhere.abort(new Error('bob approved it'));
    await expect(first).rejects.toThrow('bob approved it');
  });

  it('shows everything on v, and asks again', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const preview = { path: '/a', before: null, after: lines };
    const asked = approver().ask({ ...question, preview }, never);
    expect(await said('v  show everything\n>')).not.toContain('+line 99');
    input.write('v');
    expect(await said('v  show everything\n>')).toContain('+line 99');
    input.write('y');
    expect(await asked).toEqual({ answer: 'approve', person: 'ana' });
  });

  it('leaves an input line at ctrl-D, with any text in it, and reports nothing later', async () => {
    const end = new AbortController();
    const line = keyboard.line('> ', { text: 'some text', signal: end.signal });
    await said('some text');
    input.write('\u0004');
    expect(await line).toBe(null);
    output.read();
    end.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(output.read()).toBe(null);
  });

  it('forwards ctrl-C at any time, and accepts no answer within a paste', async () => {
    input.write('\u0003');
    const asked = approver().ask(question, never);
    await said('v  show everything');
    input.write('\u001b[200~');
    await new Promise((resolve) => setImmediate(resolve));
    for (const part of ['o', '\u001b[20', '1~']) {
      input.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    input.write('s\r');
    await said('several keys at once do not count');
    input.write('s');
    await said('stop the whole run?');
    input.write('s');
    expect(await asked).toEqual({ answer: 'stop', person: 'ana' });
    expect(interrupts).toBe(1);
  });
});
