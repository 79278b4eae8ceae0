import type { Effect } from '../../effect.js';
import { code } from '../../programs/languages.js';
import { isOpen, namesWord, onlyNames, text, textOf, textsIn } from '../../word.js';
import { type Context, mayHaveChanged } from '../../world.js';
import { archiveMembers, mayBeThin, tarMembers, zipMembers } from '../archive-members.js';
import type { Lister, Reading } from '../lister.js';
import { has, hasOnly, mayBeNone, pathEffects, valuesOf } from '../options.js';
import { startAt } from '../start.js';
import { tar } from './tar.js';

const plainTar = `-x --extract --get -z --gzip --gunzip --ungzip -f --file -v --verbose -C --directory -k --keep-old-files -m --touch
  -o --no-same-owner`;

/** tar(1): what it packs, or unpacks. */
export const packOrUnpack: Lister = (reading, context) => [
  ...tar(reading, context),
  ...unpacked(reading, context),
];

/** The members of the archive if they are known. */
function unpacked(reading: Reading, context: Context): readonly Effect[] {
  if (!has(reading, '-x --extract --get') || has(reading, '-O --to-stdout --to-command')) return [];
  const [file, ...others] = valuesOf(reading, '-f --file').map(textOf);
  const isPlain =
    hasOnly(reading, plainTar) && others.length === 0 && valuesOf(reading, '-C --directory').length < 2;
  const isLocal = file != null && /^[^:]+$/.test(file) && file !== '-';
  const names = isPlain && isLocal ? archiveMembers(file, context, tarMembers) : null;
  const { folder } = reading;
  const effects =
    names === null
      ? pathEffects('write', [text('.')], { deep: true, mayLink: true })
      : pathEffects('write', [namesWord(onlyNames([...names, '.']), 'many')]);
  return folder === null ? effects : effects.map((effect) => ({ ...effect, folder }));
}

/** unzip(1): the same. It asks before it replaces a file, and a new name may be the answer. */
export const unzip: Lister = (reading, context) => {
  const [archive] = reading.operands;
  if (archive === undefined) return null;
  const any = code('zip-archive', archive, { folder: null, by: 'program' });
  if (typeof any === 'string') return any;
  const file = textOf(archive);
  const members = file === null ? null : archiveMembers(file, context, zipMembers);
  const read = members === null ? any : pathEffects('read', [archive]);
  if (reading.open === null && has(reading, '-l -v -t -p -c -z')) return read;
  const given = valuesOf(reading, '-d');
  const [target = text('.'), ...others] = given;
  const folder = textOf(target);
  const isPlain =
    hasOnly(reading, '-o -n -q -d -u') && others.length === 0 && folder !== null && folder !== '';
  const names = isPlain ? members : null;
  const paths = names?.map((name) => `${folder}/${name}`) ?? [];
  const isAsked = !has(reading, '-o -n') && paths.some((path) => mayBeThere(path, context));
  if (folder === '') return 'an empty name may stand for the folder where it starts';
  const written =
    names === null || isAsked
      ? pathEffects('write', [target, ...others], { deep: true, mayLink: true })
      : pathEffects('write', [namesWord(onlyNames([...paths, folder ?? '.']), 'many')]);
  const by = given.length === 0 ? 'program' : 'argument';
  return [...read, ...written.map((effect) => ({ ...effect, by }) as const)];
};

function mayBeThere(path: string, context: Context): boolean {
  const { named, real, kind } = startAt(path, context, true);
  return real === null || kind === 'file' || kind === 'other' || mayHaveChanged(named, context.world.changes);
}

/** ar(1), nm(1) and others: they read the members of an archive wherever it says that they are. */
export const objects: Lister = ({ operands, open }, context) => {
  const files = mayBeNone(operands) ? [...operands, text('a.out')] : operands;
  const mayLead = open !== null || files.some(isOpen);
  return mayLead || files.flatMap(textsIn).some((name) => mayBeThin(name, context))
    ? 'an archive may say that its members are other files'
    : null;
};
