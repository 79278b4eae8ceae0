import { readlinkSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { targetBefore, targets, wasThere } from './fixture.js';

/** The links of the file system as they are at one moment of a line. */
export class Links {
  /** What the line has changed so far: the targets of links, and null where no link is left. */
  readonly #changed = new Map<string, string | null>();

  make(path: string, target: string | null): void {
    this.#changed.set(path, target);
  }

  /** Moves a link, or those in a folder. */
  move(from: string, to: string): void {
    this.#changed.set(to, null);
    for (const path of new Set([...targets.keys(), ...this.#changed.keys()])) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#changed.set(`${to}${path.slice(from.length)}`, this.targetOf(path));
      this.#changed.set(path, null);
    }
  }

  /** The target of a link; null for anything else. */
  targetOf(path: string): string | null {
    const changed = this.#changed.get(path);
    if (changed !== undefined) return changed;
    return wasThere(path) ? targetBefore(path) : targetNow(path);
  }

  real(path: string, left = 40): string {
    const parent = dirname(path);
    if (parent === path) return path;
    const own = resolve(this.real(parent, left), basename(path));
    const target = left === 0 ? null : this.targetOf(own);
    return target === null ? own : this.real(this.physical(dirname(own), target), left - 1);
  }

  /** The path as the kernel takes it: `..` behind a link is the folder above the link's target. */
  physical(base: string, text: string): string {
    const parts = text.split('/');
    const last = parts.lastIndexOf('..');
    if (last === -1) return resolve(base, text);
    const start = text.startsWith('/') ? '/' : this.real(base);
    const folder = parts
      .slice(0, last + 1)
      .reduce((at, part) => (part === '..' ? dirname(at) : this.real(resolve(at, part))), start);
    return resolve(folder, ...parts.slice(last + 1).filter((part) => part !== ''));
  }
}

function targetNow(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
