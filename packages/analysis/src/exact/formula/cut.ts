import type { Glob } from '@ambit/policy';
import type { Block } from '@ambit/policy/internal';

export type TextCut =
  | { readonly text: 'globs'; readonly globs: readonly Glob[] }
  | { readonly text: 'literals'; readonly literals: readonly string[] }
  | { readonly text: 'contains'; readonly part: string }
  | { readonly text: 'within'; readonly whole: string }
  | { readonly text: 'under'; readonly folder: string }
  | { readonly text: 'canonical path' }
  | { readonly text: 'address'; readonly block: Block };

/** A question about the values of a variable. Values with equal answers are one cell. */
export type Cut =
  | { readonly cut: 'number'; readonly at: number }
  | { readonly cut: 'text'; readonly of: TextCut }
  | { readonly cut: 'element'; readonly of: Cut }
  | { readonly cut: 'tool' | 'toolset' | 'worker' | 'member'; readonly name: string }
  | { readonly cut: 'instant'; readonly at: number };
