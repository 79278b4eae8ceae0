/** Something that code did while it was watched. */
export interface Effect {
  readonly kind: EffectKind;
  /** The path, the host, the program, the variable: as the code said it. */
  readonly on: string;
  /** The function that was called: `fs.writeFile`. */
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
