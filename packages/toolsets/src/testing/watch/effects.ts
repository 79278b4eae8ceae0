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
