import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capability, isWithinReach, type Reach, reaches } from '../src/index.js';
import { capability } from './arbitrary/capability.js';

const write = (path: string, more: object = {}): Capability => ({ ...more, name: 'fs.write', path });
const exec = (program: string, argv: readonly string[], more: object = {}): Capability => ({
  ...more,
  name: 'proc.exec',
  program,
  argv,
});
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
  [{ name: 'crm.export', path: 7 }, { name: 'crm.export', path: 8 }, 'capability'],
];

describe('an answer', () => {
  it.each(table)('about %j covers %j from the reach %s on', (shown, other, from) => {
    const covering = reaches.filter((reach) => isWithinReach(other, shown, reach));
    expect(covering).toEqual(from === null ? [] : reaches.slice(reaches.indexOf(from)));
  });

  it('covers with each reach all that it covers with a narrower one', () => {
    fc.assert(
      fc.property(capability, capability, (shown, other) => {
        const covered = reaches.map((reach) => isWithinReach(other, shown, reach));
        return covered.every((isCovered, index) => !isCovered || covered.slice(index).every(Boolean));
      }),
      { numRuns: 3000 },
    );
  });

  it('about one call covers nothing else, not even its like', () => {
    expect(isWithinReach(write('/w/a'), write('/w/a'), 'call')).toBe(false);
  });

  it('about a fact that prototypes have covers no capability without it', () => {
    const shown = JSON.parse('{"name":"x.y","constructor":1}') as Capability;
    expect(isWithinReach({ name: 'x.y' }, shown, 'folder')).toBe(false);
  });
});
