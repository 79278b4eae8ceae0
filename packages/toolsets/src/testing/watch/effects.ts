import { constants } from 'node:fs';

export interface Effect {
  readonly kind: EffectKind;
  /** A path, a host, a program or a variable. */
  readonly on: string;
  readonly by: string;
}

export type EffectKind =
  | 'read'
  | 'list'
  | 'write'
  | 'delete'
  | 'meta'
  | 'connect'
  | 'resolve'
  | 'run'
  | 'set_variable'
  | 'read_variable'
  | 'clock'
  | 'random';

/** Effects that describing must not have. */
export const forbidden: readonly EffectKind[] = [
  'write',
  'delete',
  'meta',
  'connect',
  'resolve',
  'run',
  'set_variable',
];

/** What a function does to each of its paths, by their place; its sync and promise variants do the same. */
const fileFunctions: Readonly<Record<string, readonly (EffectKind | null)[]>> = {
  readFile: ['read'],
  createReadStream: ['read'],
  readdir: ['list'],
  opendir: ['list'],
  writeFile: ['write'],
  appendFile: ['write'],
  truncate: ['write'],
  createWriteStream: ['write'],
  mkdir: ['write'],
  mkdtemp: ['write'],
  copyFile: ['read', 'write'],
  cp: ['read', 'write'],
  rename: ['delete', 'write'],
  link: [null, 'write'],
  symlink: [null, 'write'],
  rm: ['delete'],
  rmdir: ['delete'],
  unlink: ['delete'],
  chmod: ['meta'],
  lchmod: ['meta'],
  chown: ['meta'],
  lchown: ['meta'],
  utimes: ['meta'],
  lutimes: ['meta'],
};

export const watchedFunctions: readonly string[] = [...Object.keys(fileFunctions), 'open'];

export function effectsOf(name: string, [, flags = 'r']: readonly unknown[]): readonly (EffectKind | null)[] {
  return fileFunctions[name] ?? [writes(flags) ? 'write' : 'read'];
}

function writes(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & writing) !== 0;
  return typeof flags === 'string' && flags !== 'r' && flags !== 'rs' && flags !== 'sr';
}

const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants;
const writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
