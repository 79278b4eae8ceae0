import { constants } from 'node:fs';
import type { EffectKind } from './effects.js';

interface Mark {
  readonly kind: EffectKind;
  readonly argument: number;
}

const on =
  (kind: EffectKind, argument = 0) =>
  (): readonly Mark[] => [{ kind, argument }];

const both = (first: EffectKind, second: EffectKind) => (): readonly Mark[] => [
  { kind: first, argument: 0 },
  { kind: second, argument: 1 },
];

/** By callback function; its sync and promise variants are the same. */
export const fileFunctions: Readonly<Record<string, (args: readonly unknown[]) => readonly Mark[]>> = {
  readFile: on('read'),
  createReadStream: on('read'),
  readdir: on('list'),
  opendir: on('list'),
  writeFile: on('write'),
  appendFile: on('write'),
  truncate: on('write'),
  createWriteStream: on('write'),
  mkdir: on('write'),
  mkdtemp: on('write'),
  copyFile: both('read', 'write'),
  cp: both('read', 'write'),
  rename: both('delete', 'write'),
  link: on('write', 1),
  symlink: on('write', 1),
  rm: on('delete'),
  rmdir: on('delete'),
  unlink: on('delete'),
  chmod: on('meta'),
  lchmod: on('meta'),
  chown: on('meta'),
  lchown: on('meta'),
  utimes: on('meta'),
  lutimes: on('meta'),
  open: ([, flags = 'r']) => [{ kind: writes(flags) ? 'write' : 'read', argument: 0 }],
};

function writes(flags: unknown): boolean {
  if (typeof flags === 'number') {
    return (
      (flags &
        (constants.O_WRONLY |
          constants.O_RDWR |
          constants.O_CREAT |
          constants.O_TRUNC |
          constants.O_APPEND)) !==
      0
    );
  }
  return typeof flags === 'string' && flags !== 'r' && flags !== 'rs' && flags !== 'sr';
}
