import { readFileSync } from 'node:fs';
import { Outside } from '../../state/outside.js';
import type { Scope } from '../../state/scope.js';
import { valueNamed } from '../../state/variables.js';
import type { Atom } from './atoms.js';

/** Replaces a leading `~` by the home folder. */
export function withHome(atoms: readonly Atom[], scope: Scope): readonly Atom[] {
  const [first, ...rest] = atoms;
  const hasTilde = atoms.some((atom) => atom.kind === 'text' && !atom.isQuoted && atom.text.includes('~'));
  if (!hasTilde || first === undefined) return atoms;
  const written = atoms.map((atom) => (atom.kind === 'text' ? atom.text : atom.part.text)).join('');
  // In a word like an assignment, and after a colon, it may be replaced too.
  const isElsewhere = atoms.some((atom) => atom.kind === 'text' && !atom.isQuoted && /[:=]~/.test(atom.text));
  if (isElsewhere) throw new Outside('a `~` within a word is not described', written);
  if (first.kind !== 'text' || first.isQuoted || !first.text.startsWith('~')) return atoms;
  const [, name = '', more = ''] = /^~([^/]*)([\s\S]*)$/.exec(first.text) ?? [];
  // A name that continues in quotes or in an expansion does not count.
  if (more === '' && rest.length > 0)
    throw new Outside('a `~` beside an expansion is not described', written);
  const home = homeOf(name, scope);
  if (home === null) throw new Outside('which folder this `~` means is unknown', written);
  return [
    { kind: 'text', text: home, isQuoted: true },
    ...(more === '' ? [] : [{ kind: 'text', text: more, isQuoted: false } as const]),
    ...rest,
  ];
}

function homeOf(name: string, { state }: Scope): string | null {
  if (name === '') {
    const home = valueNamed('HOME', state);
    return home?.kind === 'text' ? home.text : null;
  }
  return /^[A-Za-z_][\w.-]*$/.test(name) ? (users().get(name) ?? null) : null;
}

/** The home folders in `/etc/passwd`. */
function users(): ReadonlyMap<string, string> {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Map(rows.map((row) => row.split(':')).map(([name = '', , , , , home = '']) => [name, home]));
  } catch {
    return new Map();
  }
}
