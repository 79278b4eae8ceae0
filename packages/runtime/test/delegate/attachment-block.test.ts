import { describe, expect, it } from 'vitest';
import { attachmentBlock } from '../../src/delegate/attachments.js';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const kinds: readonly [string, string, Uint8Array][] = [
  ['a PDF', 'application/pdf', bytes('%PDF-1.7\n\xe2\xe3')],
  ['a PNG', 'image/png', bytes('\x89PNG\r\n\x1a\n\0\0')],
  ['a JPEG', 'image/jpeg', bytes('\xff\xd8\xff\xe0')],
  ['an old GIF', 'image/gif', bytes('GIF87a\0')],
  ['a GIF', 'image/gif', bytes('GIF89a\0')],
  ['a WebP', 'image/webp', bytes('RIFF\x24\0\0\0WEBPVP8 ')],
];

describe('attachmentBlock', () => {
  it.each(kinds)('recognises %s by its content, whatever its name', (_title, media_type, content) => {
    const source = { type: 'base64', media_type, data: Buffer.from(content).toString('base64') };
    const blocks = ['input/a.pdf', 'input/a.txt', 'input/a'].map((name) =>
      attachmentBlock({ name, content }),
    );
    expect(blocks).toEqual(
      ['input/a.pdf', 'input/a.txt', 'input/a'].map((title) =>
        media_type === 'application/pdf' ? { type: 'document', title, source } : { type: 'image', source },
      ),
    );
  });

  it.each(['text', 'zwölf 🦊', 'GIF8 is how they begin', 'PDF-1.7', 'RIFF    WAVE', ' %PDF-1.7', '\u202e'])(
    'accepts UTF-8 as text: %j',
    (data) => {
      expect(attachmentBlock({ name: 'input/a.pdf', content: new TextEncoder().encode(data) })).toEqual({
        type: 'document',
        title: 'input/a.pdf',
        source: { type: 'text', media_type: 'text/plain', data },
      });
    },
  );

  it.each<[string, Uint8Array]>([
    ['nothing', bytes('')],
    ['a byte order mark alone', bytes('\xef\xbb\xbf')],
    ['Latin-1', bytes('zw\xf6lf')],
    ['UTF-16', bytes('\xff\xfea\0')],
    ['an incomplete character', bytes('\xf0\x9f\xa6')],
    ['a program', bytes('\x7fELF\x02\x01\x01\0')],
    ['a program in ASCII', bytes('MZ\0\0\x01')],
    ['an archive', bytes('PK\x03\x04\x14\0')],
    ['a sound', bytes('RIFF\x24\0\0\0WAVE')],
    ['a PNG cut short', bytes('\x89PNG\r\n')],
  ])('refuses %s', (_title, content) => {
    expect(() => attachmentBlock({ name: 'input/a.txt', content })).toThrow('`input/a.txt` is ');
  });

  it('reads only its part of a buffer', () => {
    const whole = bytes('secret%PDF-1.7secret');
    expect(attachmentBlock({ name: 'a', content: whole.subarray(6, 14) })).toMatchObject({
      source: { media_type: 'application/pdf', data: Buffer.from('%PDF-1.7').toString('base64') },
    });
  });
});
