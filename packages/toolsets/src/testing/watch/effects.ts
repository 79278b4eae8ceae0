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

export const forbidden: readonly EffectKind[] = [
  'write',
  /** Effects that describing must not have. */
  'delete',
  'meta',
  'connect',
  'resolve',
  'run',
  'set_variable',
];
