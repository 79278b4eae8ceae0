import type { Capability } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { connections } from '../../src/shell/connection.js';
import { type Word, word } from '../../src/shell/word.js';

const to = (target: Word | null): readonly Capability[] => connections({ kind: 'connect', to: target });

describe('what a program connects to', () => {
  it.each<readonly [string, Record<string, unknown>]>([
    ['https://a.example/x?q#part', { scheme: 'https', url: 'https://a.example/x?q' }],
    ['HTTPS://A.example./x', { scheme: 'https', url: 'https://a.example/x' }],
    // No name and no password becomes a fact.
    ['https://user:hunter2@a.example/', { scheme: 'https', url: 'https://a.example/' }],
    ['ftp://user:hunter2@a.example:21/x', { scheme: 'ftp', port: 21 }],
    ['a.example:8080/x', { port: 8080 }],
    ['hunter2@a.example', {}],
  ])('by %s is a host and what is known besides', (text, facts) => {
    expect(to(word(text))).toEqual([{ name: 'net.connect', host: 'a.example', ...facts }]);
  });

  it.each(['0x7f.1', 'http://2130706433/x', '[::ffff:127.0.0.1]:80', 'http://u@127.1/'])(
    'by %s is a private host',
    (text) => {
      expect(to(word(text)).map(({ name, host }) => [name, host])).toEqual([
        ['net.connect.private', '127.0.0.1'],
      ]);
    },
  );

  it.each(['http://a.example\\@127.0.0.1/', 'http://a@b@c/', 'http:///x', ''])(
    'may be private where programs do not agree about it: %j',
    (text) => {
      const names = to(word(text)).map(({ name, host }) => [name, host]);
      expect(names).toEqual([
        ['net.connect', undefined],
        ['net.connect.private', undefined],
      ]);
    },
  );

  it('is not known where its host is not', () => {
    const gap = { kind: 'text', text: '$HOST' } as const;
    const both = ['net.connect', 'net.connect.private'];
    expect(to(null).map(({ name }) => name)).toEqual(both);
    expect(to({ parts: ['http://', gap, '/x'] }).map(({ name }) => name)).toEqual(both);
    expect(to({ parts: ['http://a.example', gap] }).map(({ name }) => name)).toEqual(both);
    expect(to({ parts: ['http://a.example/', gap] })).toEqual([
      { name: 'net.connect', host: 'a.example', scheme: 'http' },
    ]);
  });
});
