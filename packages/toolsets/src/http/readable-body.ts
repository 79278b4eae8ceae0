import type { ReadBody } from './read-body.js';

/** A body as a model may read it: as text, as base64, or neither, and then `note` says what it is. */
export interface ReadableBody {
  readonly text: string | null;
  readonly base64: string | null;
  readonly note: string | null;
}

/** The most bytes of something that is no text. */
const mostBinaryBytes = 32_768;

const noMore = { text: null, base64: null, note: null };

export function readableBody({ bytes, isCut, encoding }: ReadBody, contentType: string): ReadableBody {
  if (bytes.length === 0) return noMore;
  const { type, charset } = typeOf(contentType);
  const text = encoding === null && isTextual(type) ? decode(bytes, { charset, isCut }) : null;
  if (text !== null) return { ...noMore, text };
  const kind =
    encoding === null ? type || 'no known type' : `${type || 'no known type'}, packed as ${encoding}`;
  if (isCut || bytes.length > mostBinaryBytes)
    return {
      ...noMore,
      note: `${isCut ? 'at least ' : ''}${bytes.length} bytes of ${kind}, which is no text, are left out`,
    };
  return { ...noMore, base64: Buffer.from(bytes).toString('base64') };
}

/** What may be text; of what says nothing about itself, the bytes decide. */
function isTextual(type: string): boolean {
  return (
    type === '' ||
    /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|graphql|x-ndjson|x-sh|x-www-form-urlencoded|octet-stream)$)/.test(
      type,
    ) ||
    /\+(?:json|xml|yaml)$/.test(type)
  );
}

/** Null where the bytes are no text in the character set that is named, or in UTF-8 where none is. */
function decode(
  bytes: Uint8Array,
  { charset, isCut }: { readonly charset: string; readonly isCut: boolean },
): string | null {
  try {
    const decoder = new TextDecoder(charset === '' ? 'utf-8' : charset, { fatal: true });
    // With more to come, half a character at the end is none.
    const text = decoder.decode(bytes, { stream: isCut });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function typeOf(contentType: string): { readonly type: string; readonly charset: string } {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const charset = parameters.map((each) => /^charset\s*=\s*"?([^"\s]+)"?$/i.exec(each)?.[1]).find(Boolean);
  return { type: type.toLowerCase(), charset: charset ?? '' };
}
