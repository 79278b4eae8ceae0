import type { Glob } from '@ambit/policy';
import type { Block } from '@ambit/policy/internal';

export type TextCut =
  | { readonly text: 'globs'; readonly globs: readonly Glob[] }
  /** Whether one of the globs covers it. */
  | { readonly text: 'literals'; readonly literals: readonly string[] }
  /** Whether it is one of these. */
  | { readonly text: 'contains'; readonly part: string }
  /** Whether it has this in it. */
  | { readonly text: 'within'; readonly whole: string }
  /** Whether it is part of this. */
  | { readonly text: 'under'; readonly folder: string }
  /** Whether it is this folder, or lies in it. */
  | { readonly text: 'canonical path' }
  | { readonly text: 'address'; readonly block: Block };

/** A question about the values of a variable. Values with equal answers are one cell. */
export type Cut =
  | { readonly cut: 'number'; readonly at: number }
  | { readonly cut: 'text'; readonly of: TextCut }
  | { readonly cut: 'element'; readonly of: Cut }
  | { readonly cut: 'tool' | 'toolset' | 'worker' | 'member'; readonly name: string }
  | { readonly cut: 'instant'; readonly at: number };
/** Whether the tool, its toolset or the acting worker is called so, or such a worker is in the chain. */
