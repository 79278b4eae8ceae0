import { gzipSync } from 'node:zlib';
import type { ReportData, ReportedCall } from './report-data.js';

/** The data of the page at its start, and packed data for later. */
interface CompactData extends Omit<ReportData, 'calls'> {
  readonly rows: CompactRows;
  /** The whole texts of the calls, as many to a pack as `packed` says: gzip, in base64, of a JSON list. */
  readonly texts: readonly string[];
  readonly packed: number;
}

/** The calls, member by member; words are indices of `words`. */
interface CompactRows {
  readonly words: readonly string[];
  /** Milliseconds since the call before; since 1970 of the first. */
  readonly times: readonly number[];
  readonly who: readonly number[];
  readonly decisions: readonly number[];
  readonly outcomes: readonly number[];
}

const packed = 1000;

export function compactData({ calls, ...rest }: ReportData): CompactData {
  const places = new Map<string, number>();
  const words: string[] = [];
  const placeOf = (word: string): number => {
    const known = places.get(word);
    if (known !== undefined) return known;
    places.set(word, words.length);
    return words.push(word) - 1;
  };
  let before = 0;
  const since = ({ time }: ReportedCall) => {
    const now = Date.parse(time);
    const passed = now - before;
    before = now;
    return passed;
  };
  return {
    ...rest,
    rows: {
      words,
      times: calls.map(since),
      who: calls.map(({ chain, tool }) => placeOf(`${chain}  ${tool}`)),
      decisions: calls.map(({ decision }) => placeOf(decision)),
      outcomes: calls.map(({ outcome }) => placeOf(outcome ?? 'under way')),
    },
    texts: packs(calls).map((some) => gzipSync(JSON.stringify(some)).toString('base64')),
    packed,
  };
}

/** The searchable text of each call, the explanation first, because its lines may contain anything. */
function packs(calls: readonly ReportedCall[]): readonly (readonly (readonly [string, string])[])[] {
  const found: [string, string][][] = [];
  for (const { text, decision, outcome, answer, run, chain, tool, rules } of calls) {
    const last = found.at(-1);
    const more = [decision, outcome ?? '', answer, run, chain, tool, ...rules].join('\n');
    if (last === undefined || last.length === packed) found.push([[text, more]]);
    else last.push([text, more]);
  }
  return found;
}
