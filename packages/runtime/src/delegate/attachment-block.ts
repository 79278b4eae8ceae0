import type Anthropic from '@anthropic-ai/sdk';

/** A file for a model: a PDF, an image, or UTF-8 text. Null for anything else. */
export function attachmentBlock(name: string, content: Uint8Array): Anthropic.ContentBlockParam | null {
  const format = formatOf(content);
  if (format === null) return null;
  if (format.kind === 'text')
    return {
      type: 'document',
      title: name,
      source: { type: 'text', media_type: 'text/plain', data: format.text },
    };
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64');
  return format.kind === 'pdf'
    ? { type: 'document', title: name, source: { type: 'base64', media_type: 'application/pdf', data } }
    : { type: 'image', source: { type: 'base64', media_type: format.type, data } };
}

/** Whether a model can be given it. */
export function isReadable(content: Uint8Array): boolean {
  return formatOf(content) !== null;
}

type Format =
  | { readonly kind: 'pdf' }
  | { readonly kind: 'image'; readonly type: (typeof images)[number]['type'] }
  | { readonly kind: 'text'; readonly text: string };

function formatOf(content: Uint8Array): Format | null {
  if (startsWith(content, '%PDF-')) return { kind: 'pdf' };
  const image = images.find(({ isOne }) => isOne(content));
  if (image !== undefined) return { kind: 'image', type: image.type };
  const text = inUtf8(content);
  return text === null || text === '' ? null : { kind: 'text', text };
}

/** By content, not by name. */
const images = [
  { type: 'image/png', isOne: (content: Uint8Array) => startsWith(content, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', isOne: (content: Uint8Array) => startsWith(content, '\xff\xd8\xff') },
  {
    type: 'image/gif',
    isOne: (content: Uint8Array) => ['GIF87a', 'GIF89a'].some((magic) => startsWith(content, magic)),
  },
  {
    type: 'image/webp',
    isOne: (content: Uint8Array) => startsWith(content, 'RIFF') && startsWith(content.subarray(8), 'WEBP'),
  },
] as const;

function startsWith(content: Uint8Array, magic: string): boolean {
  return [...magic].every((character, index) => content[index] === character.charCodeAt(0));
}

function inUtf8(content: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    // Some binary files are UTF-8 by accident, but no text contains this character.
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
