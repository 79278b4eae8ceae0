import { textOf, type Word } from '../../word.js';
import type { Scene } from '../../world.js';
import { Walked } from '../collected.js';
import type { Lister, Reading } from '../lister.js';
import { type Member, membersOf } from '../members.js';
import { has, valuesOf } from '../options.js';
import { fnmatch, patternMatcher } from '../pattern.js';
import { startAt, startsOf } from '../start.js';

const packing = '-c -r -u -A -d --create --append --update --catenate --concatenate --diff --compare';

/** tar(1): the files that it packs. The table describes unpacking. */
export const tar: Lister = (reading, scene) => {
  if (reading.open === null && !has(reading, packing)) return [];
  const into = new Walked();
  if (reading.open !== null) into.addUnknown();
  const isExcluded = exclusion(reading);
  const depth = has(reading, '--no-recursion') ? 0 : Number.POSITIVE_INFINITY;
  for (const { word, folder } of packed(reading, scene)) {
    if (folder === null) {
      into.addUnknown();
      continue;
    }
    const { list, open } = startsOf([word], { ...scene, folder }, false);
    if (open) into.addUnknown();
    for (const start of list) {
      const found = membersOf(start, { ...scene, folder }, { depth, skip: isExcluded });
      const kept = found.list.filter((member) => member.kind === null || !isExcluded(member));
      into.add({ ...found, list: kept }, { reads: ({ kind }) => kind !== 'folder' });
      if (start.real === null) into.files.addOpen(null);
    }
  }
  if (!has(reading, '--remove-files')) return into.effects();
  return [...into.effects(), ...into.files.effects('delete'), ...into.folders.effects('delete')];
};

interface Packed {
  readonly word: Word;
  /** Null if the folder is unknown. */
  readonly folder: Scene['folder'] | null;
}

/** Each operand with the folder of the options before it. */
function packed(reading: Reading, scene: Scene): readonly Packed[] {
  let folder: Packed['folder'] = scene.folder;
  return reading.sequence.flatMap((item): Packed[] => {
    if (item.kind === 'operand') return [{ word: item.word, folder }];
    if (item.kind === 'option' && item.option.entry.names.includes('-C')) {
      const named = textOf(item.option.values[0]);
      folder = named === null || folder === null ? null : startAt(named, { ...scene, folder }, true);
    }
    return [];
  });
}

/** Whether a file is certainly excluded: a pattern without a slash is compared with each name. */
function exclusion(reading: Reading): (member: Member) => boolean {
  if (has(reading, '--anchored --no-wildcards --wildcards-match-slash --no-wildcards-match-slash'))
    return () => false;
  const patterns = valuesOf(reading, '--exclude').flatMap((word) => {
    const pattern = textOf(word);
    return pattern === null || pattern.includes('/') ? [] : [patternMatcher(pattern, fnmatch)];
  });
  return ({ path, depth }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return depth > 0 && patterns.some((matches) => matches(name) === true);
  };
}
