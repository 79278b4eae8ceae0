import type { Lister } from '../programs/reading.js';
import { text, textOf } from '../word.js';
import { has, pathEffects } from './options.js';
import { textRead } from './text-read.js';

/** `sha256sum -c LIST`: the files that lists name. */
export const checksums: Lister = (reading, { folder, input, world }) => {
  const { operands, open } = reading;
  if (!has(reading, '-c --check') && open === null) return null;
  const lists = operands.every((word) => textOf(word) === '-') ? [undefined] : operands;
  const names =
    open === null
      ? lists.map((list) => namesInList(textRead(list, { folder: folder.real, input, world })))
      : [null];
  const reads = pathEffects('read', operands, { hasDash: true });
  const why = 'the list says which files it reads';
  if (names.includes(null)) return [...reads, { kind: 'opaque', why, onlyReads: true }];
  const named = names.flatMap((each) => each ?? []).map(text);
  return [...reads, ...pathEffects('read', named, { hasDash: true })];
};

const line =
  /^[\da-f]{8,} [ *]([\w./@+=,~-][\w ./@+=,~-]*)$|^[A-Z][\w-]* ?\(([\w./@+=,~-][\w ./@+=,~-]*)\) ?= [\da-f]{8,}$/i;

/** Null if the list is unknown, or has lines that programs read differently. */
function namesInList(list: string | null): readonly string[] | null {
  const lines = list?.split('\n').filter((each) => each !== '' && !each.startsWith('#')) ?? [];
  const names = lines.map((each) => line.exec(each)?.slice(1).find(Boolean) ?? null);
  return list === null || !names.every((name) => name !== null) ? null : names;
}
