import type { Capability } from './capability.js';
import { fileSetOf, isCanonicalPath, isUnknownMember, unknownMember } from './files/file-set.js';
import type { Json } from './json.js';
import { orNull } from './text.js';

/** Canonical forms by fact (`docs/vocabulary.md`); other facts are taken as they are. */
const forms: readonly (readonly [fact: string, isForm: (fact: Json) => boolean])[] = [
  ['path', isCanonicalPathFact],
  ['cwd', isCanonicalPath],
  ['host', isCanonicalHost],
  ['port', isCanonicalPort],
  ['program', isCanonicalProgram],
];

/** The capability as rules see it, without facts that are not canonical. A set is canonical if each member is. */
export function canonical(capability: Capability): Capability {
  const { path } = capability;
  if (typeof path === 'object' && isUnknownMember(path) && !isCanonicalPathFact(path))
    return canonical({ ...capability, path: unknownMember(path) });
  return isPlainlyCanonical(capability) ? capability : withoutBad(capability);
}

/** Reading a fact is quicker than asking whether it is there. */
function isPlainlyCanonical({ path, cwd, host, port, program }: Capability): boolean {
  return (
    (path === undefined || isCanonicalPathFact(path)) &&
    (cwd === undefined || isCanonicalPath(cwd)) &&
    (host === undefined || isCanonicalHost(host)) &&
    (port === undefined || isCanonicalPort(port)) &&
    (program === undefined || isCanonicalProgram(program))
  );
}

function withoutBad(capability: Capability): Capability {
  const bad = nonCanonicalFacts(capability);
  // fromEntries defines own properties, so a fact called "__proto__" stays a fact.
  return Object.fromEntries(
    Object.entries(capability).filter(([fact]) => !bad.includes(fact)),
  ) as unknown as Capability;
}

export function nonCanonicalFacts(capability: Capability): readonly string[] {
  return Object.keys(capability).filter((fact) =>
    forms.some(([other, isForm]) => other === fact && !isForm(capability[fact] as Json)),
  );
}

/** A canonical path, or a file set of such with a canonical `under`. */
function isCanonicalPathFact(fact: Json): boolean {
  if (typeof fact === 'string') return isCanonicalPath(fact);
  const set = fileSetOf(fact);
  if (set === null) return false;
  return set.paths.every(isCanonicalPath) && (set.under === undefined || isCanonicalPath(set.under));
}

/** Lower case, A-labels, no dot at the end; dotted IPv4; IPv6 as in RFC 5952, never IPv4-mapped. */
export function isCanonicalHost(fact: Json): boolean {
  if (typeof fact !== 'string') return false;
  if (fact.includes(':')) return isCanonicalIpv6(fact);
  if (fact.length > 253 || !hostLabels.test(fact)) return false;
  // The URL parser knows the other spellings of an IPv4 address (`127.1`, `0x7f.1`) and invalid A-labels.
  return !mayBeRewritten.test(fact) || urlHost(fact) === fact;
}

const hostLabels = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** A last label that begins with a digit may be a number, and `xn--` an A-label; others stay as they are. */
const mayBeRewritten = /xn--|(?:^|\.)[0-9][^.]*$/;

function isCanonicalIpv6(text: string): boolean {
  return /^[0-9a-f:]+$/.test(text) && urlHost(`[${text}]`) === `[${text}]` && plainHost(text) === text;
}

export function isCanonicalPort(fact: Json): boolean {
  return typeof fact === 'number' && Number.isInteger(fact) && fact >= 0 && fact <= 65535;
}

function isCanonicalProgram(fact: Json): boolean {
  if (typeof fact !== 'string' || fact === '' || fact === '.' || fact === '..' || fact.includes('\0'))
    return false;
  return !fact.includes('/') || (fact !== '/' && isCanonicalPath(fact));
}

/** A host in the form of the URL parser; null if it rejects the text. */
export function urlHost(host: string): string | null {
  return orNull(() => new URL(`http://${host}/`).hostname);
}

/** A host of the URL parser without brackets, and an IPv4-mapped address as IPv4. */
export function plainHost(host: string): string {
  const address = host.replace(/^\[|\]$/g, '');
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  return high === undefined || low === undefined ? address : ipv4Of([high, low].map(hexadecimal));
}

/** The eight numbers of an IPv6 address. */
export function ipv6Groups(address: string): readonly number[] {
  const [head = [], tail] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].map(hexadecimal);
}

/** The IPv4 address that two groups of an IPv6 address hold. */
export function ipv4Of(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.');
}

function hexadecimal(text: string): number {
  return Number.parseInt(text, 16);
}
