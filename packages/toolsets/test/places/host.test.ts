import { isCanonicalHost, urlHost } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../../test/texts.js';
import { canonicalHost, hostCapabilities } from '../../src/index.js';
import { isPrivateHost } from '../../src/places/host.js';

describe('canonicalHost', () => {
  it.each([
    ['EXAMPLE.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ｌｏｃａｌｈｏｓｔ', 'localhost'],
    ['lo\u00adcalhost', 'localhost'],
    ['%6c%6fcalhost', 'localhost'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0xA9FEA9FE', '169.254.169.254'],
    ['127。0。0。1', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['①②⑦.0.0.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[::FFFF:127.0.0.1]', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['[2001:DB8:0::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]', 'fe80::1'],
    ['a_b.example', 'a_b.example'],
  ])('returns for %j: %j', (written, host) => {
    expect(canonicalHost(written)).toBe(host);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a\tb',
    'a\nb',
    'a\0b',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'a@b',
    'a:80',
    'a..b',
    'example.com..',
    '-a.example',
    'a-.example',
    'a*b',
    'a,b',
    '256.0.0.1',
    '1.2.3.4.5',
    '4294967296',
    '[::1',
    '::1]x',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    'a'.repeat(2000),
  ])('returns null for %j', (written) => {
    expect(canonicalHost(written)).toBe(null);
  });

  it('takes a broken A-label if the URL parser does, as from Node 24 on', () => {
    expect(canonicalHost('xn--a')).toBe(urlHost('xn--a'));
  });

  it('returns a canonical host or null for any text, and keeps canonical ones', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '.',
        '%',
        '0x',
        '127',
        '::',
        '[',
        ']',
        'ffff',
        '１',
        '。',
        '-',
        '_',
        'xn--',
        'ß',
        '\u00ad',
        '\t',
      ),
      fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf), maxLength: 3 }),
      fc.domain(),
      fc.ipV4Extended(),
      fc.ipV6(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const host = canonicalHost(pieces.join(''));
        if (host === null) return;
        expect([host, isCanonicalHost(host), canonicalHost(host)]).toEqual([host, true, host]);
      }),
      explore(5000),
    );
  });
});

describe('isPrivateHost', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::808:808',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001::1',
    '::ffff:0:7f00:1',
    'localhost',
    'a.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'printer.local',
    'metadata.google.internal',
    'metadata',
    'host.docker.internal',
    'router.home.arpa',
    'kubernetes.default.svc',
    '127.0.0.1.nip.io',
    'localtest.me',
  ])('is true for %s', (host) => {
    expect([canonicalHost(host), isPrivateHost(host)]).toEqual([host, true]);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '203.0.113.7',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:db8::1',
    '64:ff9b::808:808',
    '2002:808:808::1',
    'example.com',
    'localhost.example.com',
    'notlocalhost',
    'internal.example.com',
    'local',
    'example.locals',
  ])('is false for %s', (host) => {
    expect([canonicalHost(host), isPrivateHost(host)]).toEqual([host, false]);
  });
});

describe('hostCapabilities', () => {
  it('reports a connection with its canonical host, and whether it is private', () => {
    expect(hostCapabilities('EXAMPLE.com.', { port: 443, scheme: 'https' })).toEqual([
      { name: 'net.connect', host: 'example.com', port: 443, scheme: 'https' },
    ]);
    expect(hostCapabilities('0x7f.1', {})).toEqual([{ name: 'net.connect.private', host: '127.0.0.1' }]);
  });

  it('returns both names without a host, for an unknown or invalid host', () => {
    const both = [
      { name: 'net.connect', port: 22 },
      { name: 'net.connect.private', port: 22 },
    ];
    expect(hostCapabilities(null, { port: 22 })).toEqual(both);
    expect(hostCapabilities('a b', { port: 22 })).toEqual(both);
  });
});
