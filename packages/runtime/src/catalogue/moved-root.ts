import type { Roots } from '@ambit/toolsets';

/**
 * Says which root's folder is no longer the one that the session was opened with, or null. Its real path was taken then, so
 * one that leads elsewhere by now was swapped for a link, and would take the root with it.
 */
export function movedRoot({ list }: Roots): string | null {
  const moved = list.find(({ folder, real }) => folder !== real);
  return moved === undefined
    ? null
    : `the folder of the root \`${moved.name}\` is not the one that the run began with`;
}
