import type { Capability } from './capability.js';
import { isList } from './json.js';
import { folderOf } from './pinned.js';
import { isMeasure, type Reach } from './reach.js';
import type { ShownCall } from './shown-call.js';

/** What an answer that reaches so far covers, for the person who gives it. Not escaped. */
export function rungInWords(call: ShownCall, reach: Exclude<Reach, 'call'>): string {
  const { capabilities } = call;
  const calls = `${call.tool} by ${call.chain.join(' › ')}`;
  if (reach === 'arguments') return `${calls} with the very same arguments`;
  if (reach === 'capability') {
    const names = distinct(capabilities.map(({ name }) => name));
    return `${calls}, whatever it is about: every ${listed(names)}`;
  }
  const rest = 'and does nothing else that is not listed here';
  if (reach === 'program') {
    const folders = foldersOf(capabilities);
    const files = folders.length === 0 ? '' : ` on files below ${listed(folders)}`;
    return `${calls} that runs ${listed(programsOf(capabilities))} with any arguments${files}, ${rest}`;
  }
  if (reach === 'folder') return `${calls} on any file below ${listed(foldersOf(capabilities))}, ${rest}`;
  const paths = distinct(capabilities.flatMap(({ path }) => (typeof path === 'string' ? [path] : [])));
  const isMeasured = capabilities.some(
    (capability) => Object.keys(capability).some(isMeasure) && !Object.hasOwn(capability, 'sha256'),
  );
  const free = isMeasured ? 'whatever the size and its other arguments' : 'whatever its other arguments';
  return paths.length === 0
    ? `${calls} that does just what is listed here, ${free}`
    : `${calls} on ${listed(paths)}, ${free}`;
}

function foldersOf(capabilities: readonly Capability[]): readonly string[] {
  return distinct(capabilities.flatMap(({ path }) => folderOf(path) ?? []));
}

function programsOf(capabilities: readonly Capability[]): readonly string[] {
  const named = capabilities.flatMap(({ program, argv }) => {
    if (typeof program === 'string') return [program];
    const word = argv !== undefined && isList(argv) ? argv[0] : undefined;
    return typeof word === 'string' ? [word] : [];
  });
  return named.length === 0 ? ['the same program'] : distinct(named);
}

function listed(texts: readonly string[]): string {
  const [last = '', ...others] = [...texts].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
