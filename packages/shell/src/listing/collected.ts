import { isUnder } from '@ambit/toolsets';
import { type Access, type Effect, onFiles } from '../effect.js';
import { type Member, namedPath } from './members.js';
import type { Start } from './start.js';

/** Files that a command touches in one way, as they are found. */
export interface Collected {
  readonly paths: Set<string>;
  open: boolean;
  /** The folder that contains all unknown files; null if it is unknown, undefined if there are none. */
  under: string | null | undefined;
}

export function collected(): Collected {
  return { paths: new Set(), open: false, under: undefined };
}

export function addMember(into: Collected, member: Member, start: Start): void {
  into.paths.add(member.path);
  into.paths.add(namedPath(member, start));
}

/** Records that unknown files may be touched: in the folder `under`, or anywhere if it is null. */
export function addOpen(into: Collected, under: string | null): void {
  into.open = true;
  into.under = into.under === undefined ? under : commonFolder(into.under, under);
}

function commonFolder(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  let folder = one;
  while (!isUnder(other, folder)) folder = folder.slice(0, folder.lastIndexOf('/')) || '/';
  return folder;
}

/** Empty if no file is touched. */
export function effectsOf(
  access: Access,
  { paths, open, under = null }: Collected,
  more: { readonly mayLink?: boolean } = {},
): readonly Effect[] {
  return onFiles(access, { paths: [...paths].sort(), open, under: open ? under : null }, more);
}
