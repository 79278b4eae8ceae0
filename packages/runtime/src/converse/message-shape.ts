import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';

const text = z.string().min(1);
const block = z.looseObject({ type: text });
const blocks: Readonly<Record<string, z.ZodType>> = {
  text: z.looseObject({ text: z.string() }),
  // An empty name is unknown to the guard.
  tool_use: z.looseObject({ id: text, name: z.string() }),
};

/** Null if the message can be used. Types do not guarantee it. */
export function contentProblem(content: unknown): string | null {
  if (!Array.isArray(content)) return 'it has no content';
  for (const part of content as readonly unknown[]) {
    const known = block.safeParse(part);
    if (!known.success) return 'a part of it has no type';
    const shape = Object.hasOwn(blocks, known.data.type) ? blocks[known.data.type] : undefined;
    if (shape !== undefined && !shape.safeParse(part).success)
      return known.data.type === 'text' ? 'a text of it has no text' : 'a call of it has no id or no name';
  }
  return null;
}

/** Only numbers count. */
export function tokensIn({ usage }: Pick<Anthropic.Message, 'usage'>): {
  readonly input: number;
  readonly output: number;
} {
  return { input: counted(usage.input_tokens), output: counted(usage.output_tokens) };
}

function counted(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
}
