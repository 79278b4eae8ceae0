import type { ReadBody } from './read-body.js';

/** A body for a model: as text, as base64, or absent with a `note`. */
export interface ReadableBody {
  readonly text: string | null;
  readonly base64: string | null;
  readonly note: string | null;
}

/** The most bytes of a body that is not text. */
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
      note: `${isCut ? 'at least ' : ''}${bytes.length} bytes of ${kind}, which is not text, are left out`,
    };
  return { ...noMore, base64: Buffer.from(bytes).toString('base64') };
}

/** Types that may be text; without a type, the bytes decide. */
function isTextual(type: string): boolean {
  return (
    type === '' ||
    /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|graphql|x-ndjson|x-sh|x-www-form-urlencoded|octet-stream)$)/.test(
      type,
    ) ||
    /\+(?:json|xml|yaml)$/.test(type)
  );
}

/** Null unless the bytes are text in the named character set, by default UTF-8. */
function decode(
  bytes: Uint8Array,
  { charset, isCut }: { readonly charset: string; readonly isCut: boolean },
): string | null {
  try {
    const decoder = new TextDecoder(charset === '' ? 'utf-8' : charset, { fatal: true });
    // If more follows, an incomplete character at the end is dropped.
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
