import { type Effect, onFiles, onlyFiles } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { text, textOf } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { pathEffects, valuesOf } from '../../options.js';
import { textRead } from '../../text-read.js';
import { driversOf } from '../attributes.js';
import { isGiven, type Request, workTreeOf } from '../request.js';
import { deleting, writing } from '../work/replace.js';
import { merging } from './merge.js';

/** `git apply`: the files that patches name. */
export function apply(request: Request): ListerResult {
  const { reading } = request;
  const reads = pathEffects('read', reading.operands, { hasDash: true });
  const shows = isGiven(request, '--stat --numstat --summary');
  const isChecked = isGiven(request, '--check') && !isGiven(request, '--apply');
  if (shows && reading.open === null && !isGiven(request, '--check --apply --reject')) return reads;
  const touched = isChecked || reading.open === null ? touchedBy(request, isChecked) : null;
  const unknown: Effect = { kind: 'opaque', why: 'the patch says which files it writes' };
  const anywhere =
    isChecked && reading.open === null ? [] : pathEffects('write', [text('.')], { deep: true });
  return [...reads, ...(touched ?? [unknown, ...anywhere])];
}

/** `git am FILE`: mails as `git format-patch` writes them. */
export function am(request: Request): ListerResult {
  const { operands } = request.reading;
  const work = workTreeOf(request);
  const mails = work?.tree === request.folder ? operands.map((word) => textRead(word, request)) : [];
  const plain = mails.every(
    (mail) => mail !== null && /^From [0-9a-f]{40} /.test(mail) && !encoded.test(mail),
  );
  const isKnown = mails.length > 0 && plain && request.settings.get('am.threeway') === null;
  const text = isKnown ? mails.join('\n') : '';
  const names = new Set(namesInPatch(text) ?? []);
  const replaced = { written: names, deleted: ending.test(text) ? names : new Set<string>(), mayLink: false };
  const described = merging(request, () => (names.size === 0 ? null : replaced));
  return typeof described === 'string' ? described : [...pathEffects('read', operands), ...described];
}

/** A header that says that the text of a mail is another one. It may go on in the next line. */
const encoded =
  /^content-(?:transfer-encoding:(?! *[78]bit *\n[^ \t])|type:(?! *text\/plain; charset=utf-8 *\n[^ \t]))/im;

/** Null if a patch cannot be read, or names files in another way than git's own patches. */
function touchedBy(request: Request, isChecked: boolean): readonly Effect[] | null {
  const { reading, folder, world, input } = request;
  const work = workTreeOf(request);
  const options = valuesOf(reading, '-p --directory').length > 0 || isGiven(request, '--unsafe-paths');
  if (work === null || options || reading.open !== null || work.tree !== folder) return null;
  const ofInput = input.kind === 'text' ? input.text : null;
  const operands = reading.operands.length === 0 ? [text('-')] : reading.operands;
  const patches = operands.map((word) => (textOf(word) === '-' ? ofInput : textRead(word, request)));
  const names = patches.map((patch) => (patch === null ? null : namesInPatch(patch)));
  if (names.includes(null)) return null;
  const paths = [...new Set(names.flatMap((each) => each ?? []))].map((name) => joinPath(work.tree, name));
  if (driversOf(request, 'filter', paths) !== null) return null;
  const files = onlyFiles(paths);
  if (paths.some((path) => world.listing.kind(path) === 'link')) return null;
  if (isChecked) return onFiles('read', files);
  const rejected = isGiven(request, '--reject') ? paths.map((path) => `${path}.rej`) : [];
  const mayEnd = patches.some((patch) => patch !== null && ending.test(patch));
  return [
    ...onFiles('read', files),
    ...writing(work, { ...files, paths: [...paths, ...rejected] }, false),
    ...(mayEnd ? deleting(work, files) : []),
  ];
}

/** Whether a file may be deleted, or, in reverse, made. A date may say so too. */
export const ending = /^(?:(?:deleted|new) file|rename |copy |(?:---|\+\+\+) (?:\/dev\/null|[^\n]*\t))/m;

/** All files that a patch may name. Null for odd names, links, and binary patches: git writes any object that they name. */
export function namesInPatch(patch: string): readonly string[] | null {
  if (
    /^(?:GIT binary |(?:Binary f|F)iles |(?:old|new|deleted|index)\b[^\n]*\b[+0]*1[26]\d{4}\b)/m.test(patch)
  )
    return null;
  const names = new Set<string>();
  for (const line of patch.split('\n')) {
    // Both programs leave out a carriage return behind a name, where `.` would stop.
    const header = /^(?:diff --git|---|\+\+\+|(?:rename|copy) (?:from|to)|rename (?:old|new)) (.*)$/s.exec(
      line,
    );
    if (header === null) continue;
    const [, named = ''] = header;
    for (const name of line.startsWith('diff ') ? named.split(' ') : [named.replace(/\t.*/s, '')]) {
      if (name === '/dev/null') continue;
      const plain =
        line.startsWith('rename') || line.startsWith('copy') ? name : /^[ab]\/(.*)$/.exec(name)?.[1];
      if (
        plain === undefined ||
        !/^(?!.*(?:^|\/)(?:\.{1,2}|\.git|\.gitattributes)?(?:\/|$))[\w.@+,=~/-]+$/i.test(plain)
      )
        return null;
      names.add(plain);
    }
  }
  return names.size === 0 ? null : [...names];
}
