import { orNull } from '@ambit/core';
import { indexLines, type Lines, lastWhere } from './place.js';
import { collectProblems, type Problems } from './problems.js';

export interface Source {
  readonly name: string;
  /** Without a byte order mark at its start. */
  readonly text: string;
  readonly lines: Lines;
}

/** Larger files are refused before they are read. */
export const largestFile = 8_000_000;

export function createSource(name: string, text: string): Source {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text;
  return { name, text: content, lines: indexLines(content) };
}

/** The text of a file's bytes, or its mistakes. */
export function decodeSource(
  name: string,
  bytes: Uint8Array,
): { readonly source: Source; readonly text: string; readonly problems: Problems } {
  const problems = collectProblems();
  if (bytes.length > largestFile) {
    reportSize(problems);
    return { source: createSource(name, ''), text: '', problems };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { source: createSource(name, text), text, problems };
  } catch {
    const source = createSource(name, new TextDecoder('utf-8').decode(bytes));
    const start = firstMalformed(bytes);
    problems.add(
      'NOT_UTF8',
      { start, end: start + 1 },
      { message: 'this is not UTF-8', help: 'save the file as UTF-8' },
    );
    return { source, text: source.text, problems };
  }
}

/** The message does not give the size, because a larger file is not read to its end. */
export function reportSize(problems: Problems): void {
  const message = `the file has more than ${largestFile} bytes (8 MB)`;
  problems.add(
    'FILE_TOO_LARGE',
    { start: 0, end: 0 },
    { message, help: 'split it; a policy names its parts under `extends`' },
  );
}

/** The offset, in code units of the text after a byte order mark, of the first byte that is not UTF-8. */
function firstMalformed(bytes: Uint8Array): number {
  // The longest prefix that decodes; in a stream, an incomplete character at the end is not yet an error.
  const length = lastWhere(bytes.length, (end) => decodedLength(bytes.subarray(0, end)) !== null);
  return decodedLength(bytes.subarray(0, length)) ?? 0;
}

function decodedLength(bytes: Uint8Array): number | null {
  return orNull(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }).length);
}
