import type { JsonObject } from '@ambit/core';
import type { Answer } from './exchange.js';
import { readBody } from './read-body.js';
import { readableBody } from './readable-body.js';
import type { Target } from './target.js';

/** Headers that help a reader of the answer. Cookies are neither kept nor shown. */
const shown: readonly string[] =
  `content-type content-length content-language content-range content-disposition accept-ranges
  last-modified etag date location link allow retry-after www-authenticate`.split(/\s+/);

const longestHeader = 1000;

/** The result for the model. `rest` says how to get the omitted part; null if there is none. */
export async function resultOf(target: Target, answer: Answer, most: number): Promise<JsonObject> {
  const { status, headers } = answer;
  const body = await readBody(answer.body, headers.get('content-encoding') ?? '', most);
  const { text, base64, note } = readableBody(body, headers.get('content-type') ?? '');
  return {
    url: target.url,
    status,
    headers: shownHeaders(headers),
    ...(text === null ? {} : { text }),
    ...(base64 === null ? {} : { base64 }),
    ...(note === null ? {} : { note }),
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
