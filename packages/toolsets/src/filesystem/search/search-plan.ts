import { posix } from 'node:path';
import { type Capability, matchesWildcards } from '@ambit/core';
import { asFileSets } from '../../places/file-sets.js';
import { entriesOf, foldersBelow, mostFolders } from '../contained/listing.js';
import { cannotTouch, capabilitiesOf, hasAllowedSuffix, mostBytes } from '../roots/access.js';
import { isRealPlace, type Place, placeBelow, placeOf, type RealPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import type { Plan } from '../tools/file-tool.js';
import { planRead } from '../tools/read-file.js';

export interface FilesSearched extends Plan {
  readonly files: readonly RealPlace[];
  readonly left_out: LeftOut;
}

type LeftOut = Readonly<Record<'secret' | 'too_large' | 'unreadable', number>>;

export const mostFileBytes = 2_000_000;

/** The most files that one call looks into. Each is a member of the set that is described. */
const mostFiles = 50_000;

const mostTotalBytes = 500_000_000;

/** The most sources of outside text that are distinguished. */
const mostSources = 32;

interface Wanted {
  readonly path: string;
  readonly files: readonly string[];
  readonly except: readonly string[];
}

export async function planSearch(
  wanted: Wanted,
  { roots, problem }: { readonly roots: Roots; readonly problem: string | null },
): Promise<FilesSearched> {
  const isTop = roots.naming === 'by_root' && ['', '.', './', '/'].includes(wanted.path);
  const tops = isTop ? roots.list.map(({ name }) => name) : [wanted.path];
  const plans = await Promise.all(
    tops.map(async (path) => planOne(await placeOf(path, roots), wanted, roots)),
  );
  // A missing root does not prevent the search in others.
  const usable = isTop ? plans.filter(({ cannot }) => cannot === null) : plans;
  const files = usable.flatMap((plan) => plan.files);
  const folders = usable.reduce((sum, plan) => sum + plan.folders, 0);
  return {
    capabilities: asFileSets(withFewSources(plans.flatMap(({ capabilities }) => capabilities))),
    cannot: usable.find(({ cannot }) => cannot !== null)?.cannot ?? problem ?? tooMuch(files, folders),
    places: isTop ? [] : plans.flatMap(({ place }) => [place]),
    files,
    left_out: {
      secret: usable.reduce((sum, plan) => sum + plan.left_out.secret, 0),
      too_large: usable.reduce((sum, plan) => sum + plan.left_out.too_large, 0),
      unreadable: usable.reduce((sum, plan) => sum + plan.left_out.unreadable, 0),
    },
  };
}

/** With many sources the fact is omitted, so a rule about one source is undecided. */
function withFewSources(capabilities: readonly Capability[]): readonly Capability[] {
  const isSource = ({ name }: Capability) => name === 'content.untrusted';
  if (capabilities.filter(isSource).length <= mostSources) return capabilities;
  return [...capabilities.filter((each) => !isSource(each)), { name: 'content.untrusted' }];
}

interface OnePlan extends Pick<FilesSearched, 'capabilities' | 'cannot' | 'files' | 'left_out'> {
  readonly place: Place;
  readonly folders: number;
}

const nothing = { files: [], folders: 0, left_out: { secret: 0, too_large: 0, unreadable: 0 } };

async function planOne(place: Place, wanted: Wanted, roots: Roots): Promise<OnePlan> {
  if (place.stat?.isFile() === true) return planFile(place, roots);
  const cannot = cannotTouch(place, 'list', roots);
  if (cannot !== null || !isRealPlace(place))
    return { ...nothing, place, cannot, capabilities: capabilitiesOf(place, { access: 'list' }, roots) };
  return planFolder(place, wanted, roots);
}

function planFile(place: Place, roots: Roots): OnePlan {
  const { capabilities, cannot } = planRead(place, roots);
  const files = cannot === null && isRealPlace(place) ? [place] : [];
  return { ...nothing, place, capabilities, cannot, files };
}

async function planFolder(top: RealPlace, wanted: Wanted, roots: Roots): Promise<OnePlan> {
  const isLeftOut = (name: string) => wanted.except.some((pattern) => matchesWildcards(pattern, name));
  const folders = [top, ...(await foldersBelow(top, isLeftOut))];
  const files: RealPlace[] = [];
  const left_out = { ...nothing.left_out };
  const capabilities: Capability[] = folders.flatMap((folder) =>
    capabilitiesOf(folder, { access: 'list' }, roots),
  );
  for (const folder of folders.slice(0, mostFolders)) {
    const found = await filesIn(folder, roots);
    if (found === null) left_out.unreadable += 1;
    for (const file of found ?? []) {
      const name = posix.basename(file.real);
      if (isLeftOut(name) || !wanted.files.some((pattern) => matchesWildcards(pattern, name))) continue;
      const read = capabilitiesOf(file, { access: 'read' }, roots);
      if (read.some((capability) => capability.name === 'secret.read')) left_out.secret += 1;
      else if (file.bytes > Math.min(mostBytes(file, roots), mostFileBytes)) left_out.too_large += 1;
      else {
        files.push(file);
        if (files.length <= mostFiles) capabilities.push(...read);
      }
    }
    if (files.length > mostFiles) break;
  }
  return { place: top, capabilities, cannot: null, files, folders: folders.length, left_out };
}

/** The files of a folder, sorted; null for an unreadable folder. */
async function filesIn(
  folder: RealPlace,
  roots: Roots,
): Promise<readonly (RealPlace & { readonly bytes: number })[] | null> {
  const entries = await entriesOf(folder, roots).catch(() => null);
  if (entries === null) return null;
  return entries
    .filter(({ kind, path }) => kind === 'file' && hasAllowedSuffix(path, roots))
    .map(({ path, bytes = 0 }) => ({
      ...folder,
      ...placeBelow(folder, posix.basename(path)),
      stat: null,
      bytes,
    }))
    .sort((one, other) => (one.real < other.real ? -1 : 1));
}

function tooMuch(files: readonly RealPlace[], folders: number): string | null {
  if (folders > mostFolders)
    return `there are more than ${mostFolders} folders: search some of them, one by one`;
  if (files.length > mostFiles)
    return `there are more than ${mostFiles} files: search in some of the folders, or say which \`files\``;
  const total = files.reduce((sum, { bytes = 0 }: RealPlace & { bytes?: number }) => sum + bytes, 0);
  return total > mostTotalBytes
    ? `the files hold ${total} bytes in all, and at most ${mostTotalBytes} are searched: search in some of the folders`
    : null;
}
