import { isUnder } from '@ambit/toolsets';
import { type Access, type FilesEffect, onFiles } from '../effect.js';
import { type Member, type Members, namedPath } from './members.js';
import type { Start } from './start.js';

/** Files that a command touches in one way, as they are found. */
export class Collected {
  readonly paths = new Set<string>();
  open = false;
  /** The folder that contains all unknown files; null if it is unknown, undefined if there are none. */
  #under: string | null | undefined;

  add(member: Member, start: Start): void {
    this.paths.add(member.path).add(namedPath(member, start));
  }

  addStart({ named, real }: Start): void {
    this.paths.add(named).add(real ?? named);
  }

  addAll({ start, list, open }: Members): void {
    this.addStart(start);
    for (const member of list) this.add(member, start);
    if (open) this.addOpen(start.real);
  }

  /** Records that unknown files may be touched: in the folder `under`, or anywhere if it is null. */
  addOpen(under: string | null): void {
    this.open = true;
    this.#under = this.#under === undefined ? under : commonFolder(this.#under, under);
  }

  /** Empty if no file is touched. */
  effects(access: Access, more: Parameters<typeof onFiles>[2] = {}): readonly FilesEffect[] {
    const { paths, open } = this;
    return onFiles(access, { paths: [...paths].sort(), open, under: this.#under ?? null }, more);
  }
}

function commonFolder(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  let folder = one;
  while (!isUnder(other, folder)) folder = folder.slice(0, folder.lastIndexOf('/')) || '/';
  return folder;
}

interface WalkOptions {
  readonly reads?: (member: Member) => boolean;
  readonly follows?: boolean;
}

/** The files of a walk through folders: folders that are listed, and files that are read. */
export class Walked {
  readonly folders = new Collected();
  readonly files = new Collected();

  /** Adds the files found from a start. Unknown ones may be anywhere if links are followed. */
  add({ start, list, open }: Members, how: WalkOptions = {}): void {
    const { reads = () => false, follows = false } = how;
    if (start.real === '/dev/null') return;
    const { folders, files } = this;
    const touched = how.reads === undefined ? [folders] : [folders, files];
    // A missing file is looked up, and would be read.
    if (start.real === null || list.length === 0) for (const into of touched) into.addStart(start);
    for (const member of list) {
      if (member.kind === 'folder' || member.kind === null || member.depth === 0) folders.add(member, start);
      if (member.kind === null || reads(member)) files.add(member, start);
    }
    // A file that cannot be listed may be a link.
    const hasLink = open || list.some(({ kind, depth }) => kind === null || (kind === 'link' && depth > 0));
    const isLed = follows && hasLink;
    if (open || isLed) for (const into of touched) into.addOpen(isLed ? null : start.real);
  }

  addUnknown(): void {
    this.folders.addOpen(null);
    this.files.addOpen(null);
  }

  effects(more: Parameters<typeof onFiles>[2] = {}): readonly FilesEffect[] {
    return [...this.folders.effects('list'), ...this.files.effects('read', more)];
  }
}
