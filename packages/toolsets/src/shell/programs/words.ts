import { type Gap, startOf, type Word, type WordPart } from '../word.js';

/** Without the first characters, which are known to be there. */
export function dropStart({ parts }: Word, count: number): Word {
  const left: WordPart[] = [];
  let dropped = 0;
  for (const part of parts) {
    if (typeof part !== 'string' || dropped >= count) {
      left.push(part);
      continue;
    }
    const rest = part.slice(count - dropped);
    dropped += part.length - rest.length;
    if (rest !== '') left.push(rest);
  }
  return { parts: left.length === 0 ? [''] : left };
}

/** `folder/path`, or `path` itself where it is absolute or nobody knows how it begins. */
export function within(folder: Word | null, path: Word): Word {
  if (folder === null || startOf(path) === '' || /^(?:\/|\0~)/.test(startOf(path))) return path;
  return { parts: [...folder.parts, '/', ...path.parts] };
}

/** Whether it may be no word or several. */
export function isMany({ parts }: Word): boolean {
  return parts.some((part) => typeof part !== 'string' && part.kind !== 'text');
}

/** Whether nobody knows how it begins, so that it may be an option. */
export function isOpenStart({ parts }: Word): boolean {
  const [first, second] = parts;
  if (first === undefined) return false;
  return typeof first !== 'string' || (first === '' && second !== undefined);
}

/** Whether a value that is not known stands there, not only names of files. */
export function isUnknownStart({ parts }: Word): boolean {
  const first = parts.find((part) => part !== '');
  return typeof first === 'object' && first.kind !== 'glob' && first.is_number !== true;
}

export function unknown(text: string, kind: Gap['kind'] = 'text'): Word {
  return { parts: [{ kind, text }] };
}

/** With some number wherever one stands that is not known. */
export function withNumbers({ parts }: Word): Word {
  return { parts: parts.map((part) => (typeof part !== 'string' && part.is_number === true ? '1' : part)) };
}

/** As it is written, for people. */
export function written({ parts }: Word): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** For an effect that is relative to a folder. */
export function inFolder(folder: Word | null): { readonly folder?: Word } {
  return folder === null ? {} : { folder };
}
