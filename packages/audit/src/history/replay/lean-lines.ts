import type { Json } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { maskMark } from '../../log/manifests/masked-keys.js';
import { memberAt, valueEnd } from './skip-value.js';

/** The parts of decisions to read, besides the call. */
export interface Wanted {
  readonly args: boolean;
  /** The history of the run. */
  readonly history: boolean;
}

/** An entry as if its whole line had been parsed, except unneeded parts. */
export interface LeanEntry {
  readonly entry: LogEntry;
  /** Whether a needed part may have been masked. */
  readonly masked: boolean;
}

/** Reads lines in part: unneeded text is cut out before parsing, and equal judgements are parsed once. */
interface LeanLines {
  /** Null for invalid JSON, or an irrelevant event. */
  parse(text: string): LeanEntry | null;
}

/** Lists of judgements repeat; this many are cached. */
const mostKept = 4096;

export function createLeanLines({ args, history }: Wanted): LeanLines {
  const judgements = new Map<string, Json>();
  const kept = (text: string): Json => {
    const known = judgements.get(text);
    if (known !== undefined) return known;
    const parsed = JSON.parse(text) as Json;
    if (judgements.size < mostKept) judgements.set(text, parsed);
    return parsed;
  };
  /** Moves from member to member of the entry itself, so nested text is never mistaken for one. */
  const lean = (text: string): LeanEntry | null => {
    let at = beforeArguments.exec(text)?.[0].length ?? -1;
    if (at === -1) return null;
    let rest = '';
    let from = 0;
    for (let member = memberAt(text, at); member !== null; member = memberAt(text, at)) {
      if (member.key === 'judgements') {
        const end = text.indexOf(',"reason":', member.value);
        if (end === -1) return null;
        // Throws where this is not all of the value.
        const said = kept(text.slice(member.value, end));
        rest += text.slice(from, at) + text.slice(end);
        const entry = JSON.parse(rest) as Record<string, Json>;
        entry.judgements = said;
        return { entry: entry as unknown as LogEntry, masked: rest.includes(maskMark) };
      }
      const end = valueEnd(text, member.value);
      if (end === -1) return null;
      if ((member.key === 'args' && !args) || (member.key === 'history' && !history)) {
        rest += text.slice(from, at);
        from = end;
      }
      at = end;
    }
    return null;
  };
  return {
    parse: (text) => {
      const found = tried(() => lean(text)) ?? tried(() => whole(text));
      if (found === null) return null;
      const { event, call } = found.entry;
      return event === 'policy' || typeof call === 'string' ? found : null;
    },
  };
}

/** The members before the arguments of a decision, in the order of a log. */
const beforeArguments =
  /^\{"v":1,"seq":\d+,"time":"[^"\\]*","run":"[^"\\]*","event":"decision","call":"[^"\\]*",(?:"parent":"[^"\\]*",)?"chain":\["[^\]\\]*"\],"tool":"[^"\\]*"(?=,"args":)/;

function whole(text: string): LeanEntry {
  return { entry: JSON.parse(text) as LogEntry, masked: text.includes(maskMark) };
}

function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
