import type { Document } from './documents.js';

/** A fenced block of a document. */
export interface Block {
  /** `README.md:12`, the line of the fence. */
  readonly at: string;
  readonly document: string;
  /** `ts` */
  readonly language: string;
  /** What stands behind the language. */
  readonly info: readonly string[];
  readonly text: string;
}

/** The fenced blocks of a document, in order. Throws on one that is not closed, which would hide the ones below it. */
export function blocksIn({ path, text }: Document): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly info: string; readonly line: number; lines: string[] } | null =
    null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
    if (open === null) {
      if (fence !== '') open = { fence, info: info.trim(), line: index + 1, lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      const [language = '', ...words] = open.info.split(/\s+/);
      const at = `${path}:${open.line}`;
      blocks.push({ at, document: path, language, info: words, text: `${open.lines.join('\n')}\n` });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) throw new Error(`${path}:${open.line}: this block is not closed`);
  return blocks;
}
