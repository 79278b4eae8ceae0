import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../src/host.js';
import { createProgress } from '../../../src/view/run/create-progress.js';
import { hostIn } from '../../host.js';
import { decided, ended, started } from './events.js';
import { writtenTo } from './written.js';

const chain = ['main'] as const;

/** What is said on both streams, of which some are terminals. */
function said(
  options: { readonly quiet?: boolean; readonly json?: boolean },
  terminals: { readonly out?: boolean; readonly err?: boolean; readonly term?: string },
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()].map((stream, index) =>
    Object.assign(stream, {
      isTTY: (index === 0 ? terminals.out : terminals.err) === true,
      columns: 80,
      rows: 24,
    }),
  ) as [Host['stdout'] & PassThrough, Host['stderr'] & PassThrough];
  const host: Host = {
    ...hostIn('/', { stdin: Readable.from([]), stdout, stderr }),
    environment: { TERM: terminals.term ?? 'xterm', NO_COLOR: '1' },
  };
  const progress = createProgress(host, options);
  progress.take(started(chain));
  progress.hold(true);
  const before = writtenTo(stdout);
  progress.take(decided('a', { chain, tool: 'a.b', args: {}, decision: 'pre_approved' }));
  const during = writtenTo(stdout);
  progress.hold(false);
  progress.take(ended('finished'));
  progress.close({ status: 'finished', why: null });
  progress.close();
  const out = `${before}${during}${writtenTo(stdout)}`;
  return { out, during, err: writtenTo(stderr) };
}

const lines = ['"type":"worker_started"', '"event":"decision"', '"event":"end"'];

describe('createProgress', () => {
  it('prints events on stdout with --json, and progress on stderr', () => {
    const { out, err } = said({ json: true }, {});
    expect(
      out
        .trim()
        .split('\n')
        .map((line, index) => line.includes(lines[index] ?? 'no more')),
    ).toEqual([true, true, true]);
    expect(err).toContain('main: a.b: pre_approved\n');
  });

  it('holds events back during a question, and loses none', () => {
    const { out, during } = said({ json: true }, { out: true, err: true });
    expect(during).toBe('');
    expect(out.trim().split('\n')).toHaveLength(3);
  });

  it.each([
    ['no tree if events go to the same terminal', { json: true }, { out: true, err: true }, /^$/],
    ['a tree if events go elsewhere', { json: true }, { err: true }, /└ › a\.b/],
    ['a tree on a terminal', {}, { out: true, err: true }, /└ › a\.b/],
    ['lines without a terminal', {}, { out: true }, /^main: script:s\.yaml works\n[^\r]*$/],
    ['lines on a dumb terminal', {}, { err: true, term: 'dumb' }, /^main: script[^\r]*$/],
    ['nothing with --quiet', { quiet: true }, { out: true, err: true }, /^$/],
    ['nothing with --quiet and --json', { quiet: true, json: true }, {}, /^$/],
  ] as const)('shows %s', (_, options, terminals, expected) => {
    const { out, err } = said(options, terminals);
    expect(err).toMatch(expected);
    expect(out === '').toBe(!('json' in options) || 'quiet' in options);
  });
});
