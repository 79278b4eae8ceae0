import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { isWithinReach } from '../../src/decide/reach.js';
import { type Capability, type Reach, reaches } from '../../src/index.js';
import { capability } from '../arbitrary/capability.js';

const write = (path: string, more: object = {}): Capability => ({ ...more, name: 'fs.write', path });
const exec = (program: string, argv: readonly string[], more: object = {}): Capability => ({
  ...more,
  name: 'proc.exec',
  program,
  argv,
});
/** An open set where `under` is there, with `null` for one that is unknown. */
const read = (path: string | readonly string[], under?: string | null): Capability => {
  if (typeof path === 'string') return { name: 'fs.read', path };
  const open = under === undefined ? {} : { open: true, ...(under !== null && { under }) };
  return { name: 'fs.read', path: { paths: path, ...open } };
};
const connect = (host: string, port: number): Capability => ({ name: 'net.connect', host, port });

/** From which reach on an answer about the first covers the second; never where null. */
const table: readonly (readonly [Capability, Capability, Reach | null])[] = [
  [write('/w/a'), write('/w/a'), 'arguments'],
  [write('/w/a', { bytes: 1 }), write('/w/a', { bytes: 2 }), 'file'],
  [write('/w/a', { exists: false }), write('/w/a', { exists: true }), 'arguments'],
  [write('/w/a'), write('/w/a', { exists: true }), 'file'],
  [write('/w/a', { exists: false, links: 2 }), write('/w/a', { exists: true }), 'file'],
  [write('/w/a'), write('/w/a', { bytes: 2 }), 'file'],
  [write('/w/a'), write('/w/b'), 'folder'],
  [write('/w/a'), write('/w/deep/b'), 'folder'],
  [write('/w/deep/a'), write('/w/b'), 'capability'],
  [write('/w/a'), write('/wide/b'), 'capability'],
  [write('/a'), write('/b'), 'capability'],
  [write('/w/a'), write('/w/../b'), 'capability'],
  [write('/w/a'), write('/w/b', { mount: 'x' }), 'capability'],
  [write('/w/a'), { name: 'fs.write' }, 'capability'],
  [{ name: 'fs.write' }, write('/w/a'), 'capability'],
  [write('/w/a'), { ...write('/w/a'), name: 'fs.write.outside' }, null],
  [write('/w/a'), { ...write('/w/a'), name: 'fs.read' }, null],
  [exec('git', ['git', 'log']), exec('git', ['git', 'log']), 'arguments'],
  [exec('git', ['git', 'log']), exec('git', ['git', 'push']), 'program'],
  [exec('git', ['git'], { cwd: '/a' }), exec('git', ['git'], { cwd: '/b' }), 'program'],
  [exec('git', []), exec('rm', []), 'capability'],
  [exec('git', []), exec('/tmp/git', []), 'capability'],
  [connect('a.example', 443), connect('b.example', 443), 'capability'],
  [connect('a.example', 443), connect('a.example', 80), 'capability'],
  [read(['/w/a', '/w/b']), read('/w/a'), 'arguments'],
  [read(['/w/a', '/w/b']), read(['/w/b', '/w/a', '/w/b']), 'arguments'],
  [read(['/w/a', '/v/b']), read(['/w/c', '/v/deep/d']), 'folder'],
  [read(['/w/a', '/v/b']), read(['/w/c', '/u/d']), 'capability'],
  [read('/w/a'), read(['/w/a', '/w/b']), 'folder'],
  [read('/w/a'), read(['/w/b', '/w/../c']), 'capability'],
  [read('/w/a'), read([], '/w/deep'), 'folder'],
  // Unknown members may be the folder itself, which does not lie below it.
  [read('/w/a'), read([], '/w'), 'capability'],
  [read(['/w/a'], '/w'), read(['/w/a'], '/w'), 'arguments'],
  [read(['/w/a'], '/w'), read(['/w/a'], '/w/deep'), 'folder'],
  [read([], '/w'), read('/w/deep/b'), 'folder'],
  [read([], '/w'), read('/w'), 'folder'],
  [read([], '/w/deep'), read([], '/w'), 'capability'],
  [read(['/w/a'], null), read('/w/a'), 'arguments'],
  // Never, where unknown members may be anywhere.
  [read(['/w/a'], null), read(['/w/a'], null), null],
  [read(['/w/a']), read(['/w/a'], null), null],
  [read([], 'w'), read([], 'w'), null],
  // Another agent, or another tool, that has the same name in policies.
  [write('/w/a', { agent: 'A' }), write('/w/b', { agent: 'A' }), 'folder'],
  [write('/w/a', { agent: 'A' }), write('/w/a', { agent: 'B' }), null],
  [write('/w/a', { agent: 'A' }), write('/w/a'), null],
  [write('/w/a'), write('/w/a', { agent: 'A' }), null],
  [{ name: 'tool.call', named: 'sendMail' }, { name: 'tool.call', named: 'send mail' }, null],
  [{ name: 'tool.call' }, { name: 'tool.call', named: 'sendMail' }, null],
  [{ name: 'worker.call', named: 'A' }, { name: 'worker.call', named: 'B' }, 'capability'],
  [{ name: 'crm.export', path: 7 }, { name: 'crm.export', path: 8 }, 'capability'],
];

describe('an answer', () => {
  it.each(table)('about %j covers %j from this reach on: %s', (shown, other, from) => {
    const covering = reaches.filter((reach) => isWithinReach([shown], reach, other));
    expect(covering).toEqual(from === null ? [] : reaches.slice(reaches.indexOf(from)));
  });

  it('covers more with each wider reach', () => {
    fc.assert(
      fc.property(capability, capability, (shown, other) => {
        const covered = reaches.map((reach) => isWithinReach([shown], reach, other));
        return covered.every((isCovered, index) => !isCovered || covered.slice(index).every(Boolean));
      }),
      explore(3000),
    );
  });

  it('about several files covers a set of them, and nothing more', () => {
    const shown = [read('/w/a'), read('/w/b')];
    expect(isWithinReach(shown, 'file', read(['/w/a', '/w/b']))).toBe(true);
    expect(isWithinReach(shown, 'file', read(['/w/a', '/w/c']))).toBe(false);
    expect(isWithinReach(shown, 'file', read(['/w/a', '/w/b'], '/w'))).toBe(false);
  });

  it('about 30 000 files covers the same 30 000', () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `/w/${index}/file`);
    expect(isWithinReach([read(paths)], 'arguments', read([...paths].reverse()))).toBe(true);
    expect(isWithinReach([read(paths)], 'folder', read([...paths, '/v/x']))).toBe(false);
  });

  it('about one call covers no other call, not even a similar one', () => {
    expect(isWithinReach([write('/w/a')], 'call', write('/w/a'))).toBe(false);
  });

  it('about an inherited property name does not cover a capability without that fact', () => {
    const shown = JSON.parse('{"name":"x.y","constructor":1}') as Capability;
    expect(isWithinReach([shown], 'folder', { name: 'x.y' })).toBe(false);
  });
});
