import { describe, expect, it } from 'vitest';
import {
  type Capability,
  defineCapability,
  inWords,
  memberInWords,
  unknown,
  vocabulary,
} from '../../src/index.js';

const exported = defineCapability({
  name: 'crm.contact.export',
  facts: { count: 'number', format: 'text' },
  words: 'export {count} contacts as {format}',
});

describe('inWords', () => {
  it.each<readonly [Capability, string]>([
    [{ name: 'fs.write', path: '/w/a' }, 'write /w/a'],
    [{ name: 'fs.write.outside', path: '/etc' }, 'write /etc, outside every root'],
    [{ name: 'fs.write' }, 'write (path unknown)'],
    [{ name: 'fs.write', path: '/w/{bytes}', bytes: 7 }, 'write /w/{bytes}'],
    [{ name: 'fs.write', path: ['/w'] }, 'write ["/w"]'],
    [{ name: 'fs.read', path: { paths: ['/w/a'] } }, 'read /w/a'],
    [{ name: 'fs.read', path: { paths: ['/w/b', '/w/a'] } }, 'read 2 files under /w: /w/a, /w/b'],
    [
      { name: 'fs.read', path: { paths: ['/w/s/a', '/w/s/b', '/w/src/c', '/w/src/d'] } },
      'read 4 files under /w: /w/s/a, /w/s/b, /w/src/c, …',
    ],
    [{ name: 'fs.read', path: { paths: ['/w/a', '/w/a/b'] } }, 'read 2 files under /w/a: /w/a, /w/a/b'],
    [{ name: 'fs.read', path: { paths: ['/v/a', '/w/b'] } }, 'read 2 files: /v/a, /w/b'],
    [{ name: 'fs.read', path: { paths: ['/w/a'], open: true } }, 'read /w/a, and perhaps others anywhere'],
    [{ name: 'fs.delete', path: { paths: [], open: true, under: '/w' } }, 'delete unknown files under /w'],
    [{ name: 'fs.delete', path: { paths: [], open: true } }, 'delete unknown files anywhere'],
    [{ name: 'fs.delete', path: { paths: [] } }, 'delete {"paths":[]}'],
    [{ name: 'net.listen', port: 80 }, 'listen on port 80'],
    [{ name: 'crm.other', a: 1, b: 'x' }, 'crm.other a=1 b=x'],
    [exported.of({ count: 2, format: 'csv' }), 'export 2 contacts as csv'],
    [exported.of({}), 'export (count unknown) contacts as (format unknown)'],
    [
      exported.of({ count: unknown('all that match'), format: 'csv' }),
      'export (count unknown: all that match) contacts as csv',
    ],
    [{ name: 'fs.write', unknown: 'no' }, 'write (path unknown)'],
    [{ name: 'fs.write', unknown: { constructor: 'no' } }, 'write (path unknown)'],
  ])('describes %j as %j', (capability, words) => {
    expect(inWords(capability, [exported])).toBe(words);
  });

  it('groups the digits of large numbers', () => {
    const paths = Array.from({ length: 1204 }, (_, index) => `/w/src/${1000 + index}`);
    expect(inWords({ name: 'fs.read', path: { paths } })).toBe(
      'read 1 204 files under /w/src: /w/src/1000, /w/src/1001, /w/src/1002, …',
    );
    expect(inWords({ name: 'fs.read', path: { paths } }, [], ['/w/src/2000', '/w/other'])).toBe(
      'read 1 204 files under /w/src: /w/src/2000, /w/src/1000, /w/src/1001, …',
    );
    const beside = ['/w/src', '/w/src-x', '/w/src/a'];
    expect(inWords({ name: 'fs.read', path: { paths: beside } })).toContain('3 files under /w: ');
    expect(memberInWords({ path: '/w/src/.env', count: 1, of: 1204 })).toBe('/w/src/.env (1 of 1 204 files)');
    expect(memberInWords({ path: null, count: 1, of: 1 })).toBe(
      'files that are not known before the call runs',
    );
  });

  it('does not let an author redefine a name of the shared vocabulary', () => {
    const lie = { name: 'fs.delete', facts: {}, words: 'tidy up' };
    expect(inWords({ name: 'fs.delete', path: '/w/a' }, [lie])).toBe('delete /w/a');
  });

  it('uses a fact only if it is an own property of the capability', () => {
    const odd = { name: 'x.y', facts: {}, words: '{constructor}' };
    expect(inWords({ name: 'x.y' }, [odd])).toBe('(constructor unknown)');
  });
});

describe('the vocabulary', () => {
  it('has each name once, and templates that use only its facts', () => {
    const names = vocabulary.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const strange = vocabulary.filter(({ facts, words }) =>
      [...words.matchAll(/\{(\w+)\}/g)].some(([, fact]) => !Object.hasOwn(facts, fact ?? '')),
    );
    expect(strange).toEqual([]);
  });
});

describe('defineCapability', () => {
  it('refuses a name outside the grammar, and a fact called name', () => {
    expect(() => defineCapability({ name: 'Crm', facts: {}, words: '' })).toThrow(TypeError);
    expect(() => defineCapability({ name: 'crm.x', facts: { name: 'text' }, words: '' })).toThrow(TypeError);
  });

  it('keeps the name of the capability when a fact is called `name`', () => {
    const sneaky = exported.of({ name: 'fs.read' } as object);
    expect(sneaky.name).toBe('crm.contact.export');
  });
});

describe('unknown', () => {
  it('omits a fact, and keeps the reason', () => {
    expect(exported.of({ count: unknown('all that match'), format: 'csv' })).toEqual({
      name: 'crm.contact.export',
      format: 'csv',
      unknown: { count: 'all that match' },
    });
  });

  it.each(['name', 'unknown'])('rejects a fact called %s', (fact) => {
    expect(() => defineCapability({ name: 'x.y', facts: { [fact]: 'text' }, words: '' })).toThrow(
      `a fact cannot be named \`${fact}\``,
    );
  });
});
