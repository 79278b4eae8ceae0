import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBlock, isInBlock, parseBlock } from '../../src/condition/cidr.js';

describe('parseBlock', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '1.2.3.4/32', '::/0', '::1/128', 'fe80::/10', '2001:db8::/32'])(
    'takes %s',
    (text) => {
      expect(parseBlock(text)).not.toBeNull();
    },
  );
  it.each([
    '10.0.0.0',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '/8',
    'a.example/8',
    '::1/129',
    'FE80::/10',
    '::ffff:0:0/96',
    '10.0.0/8',
  ])('refuses %s', (text) => {
    expect(parseBlock(text)).toBeNull();
  });
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.0.0.1', '10.0.0.1/32'],
    ['fe80::1/10', 'fe80::/10'],
  ])('%s is %s in canonical form', (text, block) => {
    expect(canonicalBlock(text)).toBe(block);
  });
});

describe('isInBlock', () => {
  it('agrees with the first bits of the address', () => {
    const byte = fc.nat(255);
    fc.assert(
      fc.property(
        fc.tuple(byte, byte, byte, byte),
        fc.tuple(byte, byte, byte, byte),
        fc.nat(32),
        (host, base, prefix) => {
          const bits = (parts: readonly number[]) =>
            parts.map((part) => part.toString(2).padStart(8, '0')).join('');
          const block = parseBlock(canonicalBlock(`${base.join('.')}/${prefix}`) ?? '');
          expect(block && isInBlock(host.join('.'), block)).toBe(
            bits(host).slice(0, prefix) === bits(base).slice(0, prefix),
          );
        },
      ),
    );
  });
});
