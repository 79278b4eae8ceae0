import { type JsonObject, orNull } from '@ambit/core';
import type { Answer } from './exchange.js';
import { type ReadBody, readBody } from './read-body.js';
import type { Target } from './target.js';

/** Headers that help a reader of the answer. Cookies are neither kept nor shown. */
const shown: readonly string[] =
  `content-type content-length content-language content-range content-disposition accept-ranges
  last-modified etag date location link allow retry-after www-authenticate`.split(/\s+/);

const longestHeader = 1000;

/** `rest` says how to get the omitted part; null if nothing was omitted. */
export async function resultOf(target: Target, answer: Answer, most: number): Promise<JsonObject> {
  const { status, headers } = answer;
  const body = await readBody(answer.body, headers.get('content-encoding') ?? '', most);
  return {
    url: target.url,
    status,
    headers: shownHeaders(headers),
    ...readableBody(body, headers.get('content-type') ?? ''),
    rest: body.isCut
      ? `cut after ${most} bytes: some hosts give a part for a header like \`range: bytes=${most}-\``
      : null,
  };
}

function shownHeaders(headers: Answer['headers']): JsonObject {
  const found = shown.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value.slice(0, longestHeader)] as const];
  });
  return Object.fromEntries(found);
}

const mostBinaryBytes = 32_768;

/** A body for a model: as text, as base64, or a note in its place; nothing for an empty one. */
function readableBody({ bytes, isCut, encoding }: ReadBody, contentType: string): JsonObject {
  if (bytes.length === 0) return {};
  const { type, charset } = typeOf(contentType);
  const text = encoding === null && isTextual(type) ? decode(bytes, { charset, isCut }) : null;
  if (text !== null) return { text };
  const kind =
    encoding === null ? type || 'no known type' : `${type || 'no known type'}, compressed as ${encoding}`;
  if (isCut || bytes.length > mostBinaryBytes)
    return {
      note: `${isCut ? 'at least ' : ''}${bytes.length} bytes of ${kind}, which is not text, are left out`,
    };
  return { base64: Buffer.from(bytes).toString('base64') };
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

/** Null unless the bytes are text, by default UTF-8. */
function decode(
  bytes: Uint8Array,
  { charset, isCut }: { readonly charset: string; readonly isCut: boolean },
): string | null {
  // If more follows, an incomplete character at the end is dropped.
  const text = orNull(() =>
    new TextDecoder(charset === '' ? 'utf-8' : charset, { fatal: true }).decode(bytes, { stream: isCut }),
  );
  return text?.includes('\0') === true ? null : text;
}

function typeOf(contentType: string): { readonly type: string; readonly charset: string } {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const charset = parameters.map((each) => /^charset\s*=\s*"?([^"\s]+)"?$/i.exec(each)?.[1]).find(Boolean);
  return { type: type.toLowerCase(), charset: charset ?? '' };
}
