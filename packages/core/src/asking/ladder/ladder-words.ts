import { foldersOf as foldersOfFact, isMeasureOf, type Reach } from '../../decide/reach.js';
import type { Capability } from '../../words/capability.js';
import { type FileSet, fileSetOf } from '../../words/files/file-set.js';
import { filesInWords } from '../../words/files/files-in-words.js';
import { isJsonObject, isList } from '../../words/json.js';
import type { ShownCall } from './shown-call.js';

/** Not escaped. */
export function rungInWords(call: ShownCall, reach: Exclude<Reach, 'call'>): string {
  const files = reach === 'capability' ? [] : definingFiles(call.capabilities);
  return `${rungAlone(call, reach)}${files.length === 0 ? '' : `, until ${fewOf(files)} changes`}`;
}

function fewOf(files: readonly string[]): string {
  const [first = ''] = files;
  return files.length > 4 ? `${first} or one of ${files.length - 1} other files` : listed(files, 'or');
}

/** The answer holds for their current content. */
function definingFiles(capabilities: readonly Capability[]): readonly string[] {
  return distinct(
    capabilities.flatMap(({ files }) =>
      files !== undefined && isList(files)
        ? files.flatMap((file) => (isJsonObject(file) && typeof file.path === 'string' ? [file.path] : []))
        : [],
    ),
  );
}

function rungAlone({ capabilities }: ShownCall, reach: Exclude<Reach, 'call'>): string {
  const rest = 'and for the rest just as this one';
  if (reach === 'arguments') return 'with the very same arguments';
  if (reach === 'capability')
    return `whatever they are about: every ${listed(distinct(capabilities.map(({ name }) => name)))}`;
  const folders = foldersOf(capabilities);
  if (reach === 'folder') return `on any file below ${listed(folders)}, ${rest}`;
  if (reach === 'program') {
    const files = folders.length === 0 ? '' : `, on files below ${listed(folders)}`;
    return `that run ${listed(programsOf(capabilities))} with any arguments${files}, ${rest}`;
  }
  const paths = distinct(
    capabilities.flatMap(({ path }) =>
      typeof path === 'string'
        ? [path]
        : fileSetOf(path) === null
          ? []
          : [filesInWords(path as unknown as FileSet)],
    ),
  );
  const hasSize = capabilities.some(
    (capability) =>
      Object.keys(capability).some((fact) => isMeasureOf(capability, fact)) &&
      (!Object.hasOwn(capability, 'sha256') || isMeasureOf(capability, 'sha256')),
  );
  const free = hasSize ? 'with any size and other arguments' : 'with any other arguments';
  return paths.length === 0
    ? `that carry exactly what is listed here, ${free}`
    : `on ${listed(paths)}, ${free}`;
}

function foldersOf(capabilities: readonly Capability[]): readonly string[] {
  return distinct(capabilities.flatMap(({ path }) => foldersOfFact(path)));
}

function programsOf(capabilities: readonly Capability[]): readonly string[] {
  const named = capabilities.flatMap(({ program, argv }) => {
    if (typeof program === 'string') return [program];
    const word = argv !== undefined && isList(argv) ? argv[0] : undefined;
    return typeof word === 'string' ? [word] : [];
  });
  return named.length === 0 ? ['the same program'] : distinct(named);
}

function listed(all: readonly string[], and: 'and' | 'or' = 'and'): string {
  const texts =
    all.length <= mostListed ? all : [...all.slice(0, mostListed), `${all.length - mostListed} more`];
  const [last = '', ...others] = [...texts].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} ${and} ${last}`;
}

/** A file set may lie in hundreds of folders. */
const mostListed = 5;

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
