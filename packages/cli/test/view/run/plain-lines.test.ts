import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { plainLines } from '../../../src/view/run/plain-lines.js';
import { approved, came, decided, finished, started, turn } from './events.js';
import { writtenTo } from './written.js';

describe('plainLines', () => {
  it('prints each event on a line, with its call and without arguments', () => {
    const stream = new PassThrough();
    const lines = plainLines(stream);
    const chain = ['main', 'helper'] as const;
    const secret = { path: 'out/secret.md', content: 'secret' };
    for (const event of [
      started(chain),
      turn(chain, { input: 1, output: 1 }),
      decided('a', { chain, tool: 'a.b', args: secret, decision: 'needs_approval' }),
      decided('c', { chain, tool: 'c.d', args: secret, decision: 'blocked' }),
      decided('e', { chain, tool: 'e.f', args: secret, decision: null }),
      came('e', { refused: 'there is no tool' }),
      came('c', { refused: 'not here\nnor \u001b[2Jthere' }),
      approved('a'),
      came('a', { failed: 'the disk is full' }),
      finished(chain),
    ])
      lines.take(event);
    lines.close();
    expect(`\n${writtenTo(stream)}`).toBe(`
main › helper: script:s.yaml works
main › helper: the model has answered
main › helper: a.b: needs_approval
main › helper: c.d: blocked
main › helper: e.f: not judged
main › helper: e.f: refused (blocked): there is no tool
main › helper: c.d: refused (blocked): not here; nor \\u{1b}[2Jthere
main › helper: a.b: approved by a person
main › helper: a.b: failed: the disk is full
main › helper: finished
`);
  });

  it('prints console output of libraries while it is active', () => {
    const [outer, inner] = [new PassThrough(), new PassThrough()];
    const { warn } = console;
    const lines = plainLines(outer);
    const others = plainLines(inner);
    console.log('%s\u001b[2J', 'old');
    lines.close();
    console.warn('older');
    others.close();
    others.close();
    expect([writtenTo(outer), writtenTo(inner)]).toEqual(['', 'old\\u{1b}[2J\nolder\n']);
    expect(console.warn).toBe(warn);
  });
});
