import { basename, dirname, join } from 'node:path';

/** The third segment of `RUN.jsonl` is `RUN.0003.jsonl`; the first has the log's own name. */
export function segmentPath(first: string, number: number): string {
  if (number === 1) return first;
  const name = basename(first);
  const stem = name.replace(/\.jsonl$/, '');
  return join(dirname(first), `${stem}.${String(number).padStart(4, '0')}${name.slice(stem.length)}`);
}

/** Null unless the name is that of a later segment. */
export function firstPathOf(path: string): string | null {
  const [, stem = '', digits = '', end = ''] = /^(.+)\.(\d{4,15})(\.jsonl)?$/s.exec(basename(path)) ?? [];
  const first = join(dirname(path), `${stem}${end}`);
  const number = Number(digits);
  return number >= 2 && segmentPath(first, number) === join(dirname(path), basename(path)) ? first : null;
}
