import { fileSetOf } from '../words/files/file-set.js';
import { grouped } from '../words/files/files-in-words.js';
import { folderOf } from '../words/files/listed-set.js';
import type { Json } from '../words/json.js';
import type { DecidingMember, Judgement } from './judgement.js';

/** `/w/src/.env (1 of 1 204 files)`. Not escaped. */
export function memberInWords({ path, count, of }: DecidingMember): string {
  if (path !== null) return `${path} (${grouped(count)} of ${grouped(of)} files)`;
  const known = of === 1 ? '' : `, besides ${grouped(of - 1)} known ${of === 2 ? 'one' : 'ones'}`;
  return `files that are not known before the call runs${known}`;
}

/** For a model: relative to the folder of all members. Not escaped. */
export function memberWithin(member: DecidingMember, path: Json | undefined): string {
  const members = [...(fileSetOf(path)?.paths ?? [])].sort();
  return memberInWords({ ...member, path: member.path === null ? null : withinFolder(member.path, members) });
}

/** Relative to the folder of these sorted members; the name alone if that is `/`. */
export function withinFolder(path: string, members: readonly string[]): string {
  const folder = folderOf(members);
  if (folder === null || folder === '/' || folder === path) return path.slice(path.lastIndexOf('/') + 1);
  return path.slice(folder.length + 1);
}

/** Empty unless others are judged less strictly. */
export function decidingPaths(judgements: readonly Judgement[], capability: number): readonly string[] {
  const paths = judgements.flatMap(({ capability: index, member }) =>
    index === capability && member !== undefined && member.count < member.of ? (member.path ?? []) : [],
  );
  return [...new Set(paths)];
}
