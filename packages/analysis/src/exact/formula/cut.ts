import type { Glob } from '@ambit/policy';
import type { Block } from '@ambit/policy/internal';

export type TextCut =
  /** Whether one of the globs covers it. */
  | { readonly text: 'globs'; readonly globs: readonly Glob[] }
  /** Whether it is one of these. */
  | { readonly text: 'literals'; readonly literals: readonly string[] }
  /** Whether it has this in it. */
  | { readonly text: 'contains'; readonly part: string }
  /** Whether it is part of this. */
  | { readonly text: 'within'; readonly whole: string }
  /** Whether it is this folder, or lies in it. */
  | { readonly text: 'under'; readonly folder: string }
  | { readonly text: 'canonical path' }
  | { readonly text: 'address'; readonly block: Block };

/** A question about the values of a variable. Values with equal answers are one cell. */
export type Cut =
  | { readonly cut: 'number'; readonly at: number }
  | { readonly cut: 'text'; readonly of: TextCut }
  | { readonly cut: 'element'; readonly of: Cut }
  /** Whether the tool, its toolset or the acting worker has this name, or a worker in the chain. */
  | { readonly cut: 'tool' | 'toolset' | 'worker' | 'member'; readonly name: string }
  | { readonly cut: 'instant'; readonly at: number };
