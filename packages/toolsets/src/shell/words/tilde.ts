import { readFileSync } from 'node:fs';
import type { Here } from '../here.js';
import type { Atom } from './atoms.js';
import { textOfVariable } from './lookup.js';

/** With `~` at the beginning, and after `=` and `:` of what looks like an assignment, replaced by the home that it means. */
export function withHome(atoms: readonly Atom[], here: Here, place: 'word' | 'assignment'): readonly Atom[] {
  if (!atoms.some((atom) => atom.kind === 'text' && !atom.is_quoted && atom.text.includes('~'))) return atoms;
  const isAssignment = place === 'assignment' || looksAssigned(atoms);
  return atoms.flatMap((atom, index): readonly Atom[] => {
    if (atom.kind !== 'text' || atom.is_quoted) return [atom];
    const isLast = index === atoms.length - 1;
    const starts = isAssignment ? /((?:^|[:=])~[^/:]*)/ : /(^~[^/]*)/;
    return atom.text.split(starts).flatMap((text, place, all): readonly Atom[] => {
      const written = /^[:=]?(~.*)$/s.exec(text)?.[1];
      const isBeginning = index === 0 || /^[:=]/.test(text);
      if (place % 2 === 0 || written === undefined || !isBeginning) return plain(text);
      // A name that goes on in quotes is none.
      const isWhole = isLast || all.slice(place + 1).join('') !== '';
      const before = plain(text.slice(0, text.length - written.length));
      return isWhole ? [...before, homeOf(written, here)] : plain(text);
    });
  });
}

function plain(text: string): readonly Atom[] {
  return text === '' ? [] : [{ kind: 'text', text, is_quoted: false }];
}

function looksAssigned([first]: readonly Atom[]): boolean {
  return first?.kind === 'text' && !first.is_quoted && /^[A-Za-z_]\w*\+?=/.test(first.text);
}

function homeOf(written: string, here: Here): Atom {
  const known = (text: string | null): Atom =>
    text === null
      ? { kind: 'unknown', text: written, is_quoted: true }
      : { kind: 'text', text, is_quoted: true };
  if (written === '~') return known(textOfVariable('HOME', here));
  if (written === '~+') return known(textOfVariable('PWD', here));
  if (written === '~-') return known(textOfVariable('OLDPWD', here));
  if (!/^~[A-Za-z_][\w.-]*$/.test(written)) return known(null);
  const user = written.slice(1);
  return known(user === 'root' ? '/root' : (users().get(user) ?? null));
}

/** The homes of the users that the system's own file names. Others are not known. */
function users(): ReadonlyMap<string, string> {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Map(rows.map((row) => row.split(':')).map(([name = '', , , , , home = '']) => [name, home]));
  } catch {
    return new Map();
  }
}
