import type { Toolset } from '@ambit/core';
import * as yaml from '@ambit/policy/yaml';
import type { ToolsetFactory } from './given-toolsets.js';
import { isModelName, modelForms } from './model-name.js';

export interface WorkerReading extends yaml.Reporting {
  readonly source: yaml.Source;
  readonly neighbours: WorkerNeighbours;
}

export interface WorkerNeighbours {
  /** Absolute. */
  readonly folder: string;
  readonly workers: readonly string[];
  readonly shared: readonly (Pick<Toolset, 'name' | 'tools'> | ToolsetFactory)[];
}

/** `file:line:column` of a span. */
export function placeIn({ source }: WorkerReading, { start }: yaml.Node['span']): string {
  const { line, column } = source.lines.placeOf(start);
  return `${source.name}:${line}:${column}`;
}

/** A whole number, at least 1 by default. */
export function limit(
  bounds: { readonly least?: number; readonly most?: number } = {},
): yaml.Grammar<number> {
  const { least = 1, most = Number.MAX_SAFE_INTEGER } = bounds;
  return yaml.that(yaml.number, (value) => Number.isSafeInteger(value) && value >= least && value <= most, {
    message: (value) => `${value} is not a limit`,
    help:
      most === Number.MAX_SAFE_INTEGER
        ? `a whole number, ${least} or more`
        : `a whole number from ${least} to ${most}`,
    schema: { type: 'integer', minimum: least, maximum: most },
  });
}

/** Another text is reported, and kept. */
export const model: yaml.Grammar<string> = {
  schema: { type: 'string', pattern: '^(anthropic|openai|openai-chat|script):.' },
  read: (node, at) => {
    const name = yaml.text.read(node, at);
    if (name === undefined || isModelName(name)) return name;
    const help = name.startsWith('claude') ? `did you mean \`anthropic:${name}\`?` : modelForms;
    at.problems.add('BAD_MODEL', node.span, { message: `${yaml.quote(name)} is not a model`, help });
    return name;
  },
};

/** A text of this form; another one is reported as not being `what`. */
export function textOf(
  form: RegExp,
  { what, help, base = yaml.anyText }: Record<'what' | 'help', string> & { base?: yaml.Grammar<string> },
): yaml.Grammar<string> {
  const message = (text: string) => `${yaml.quote(text)} is not ${what}`;
  const schema = { type: 'string', pattern: form.source };
  return yaml.that(base, (text) => form.test(text), { message, help, schema });
}

const suffix = textOf(/^\.[^/\s]+$/, {
  what: "the end of a file's name",
  help: 'a dot, and what follows it: `.pdf`',
});

/** A list of suffixes such as `.pdf`. */
export const suffixes = yaml.list(suffix, { mayBeEmpty: true });

export const attachmentKeys = {
  max_count: { is: limit({ least: 0 }) },
  max_total_bytes: { is: limit() },
  allow: { is: suffixes },
  deny: { is: suffixes },
};
