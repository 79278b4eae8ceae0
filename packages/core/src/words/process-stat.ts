/** `/proc/PID/stat` */
export interface ProcessStat {
  /** The name of its program, cut to 15 bytes. */
  readonly name: string;
  /** `R`, `S`, …; `Z` and `X` for a process that has ended. */
  readonly state: string;
  readonly parent: number;
  readonly session: number;
  /** The number of its terminal; 0 if it has none. */
  readonly terminal: number;
  /** Ticks of the system since the boot. */
  readonly start: string;
}

/** Null for another text. */
export function processStat(text: string): ProcessStat | null {
  // The program's name in parentheses may hold anything, parentheses too.
  const end = text.lastIndexOf(')');
  const name = text.slice(text.indexOf('(') + 1, end);
  const fields = text
    .slice(end + 2)
    .trim()
    .split(' ');
  const [state, parent, , session, terminal] = fields;
  const start = fields[19];
  if (state === undefined || start === undefined) return null;
  return { name, state, parent: Number(parent), session: Number(session), terminal: Number(terminal), start };
}
