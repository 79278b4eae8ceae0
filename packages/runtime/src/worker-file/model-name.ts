import { printable } from '@ambit/core';

/** `anthropic:NAME` or `script:FILE`, in characters that a person sees, on one line. */
export function isModelName(model: string): boolean {
  const [kind, name] = splitModel(model);
  return printable(model) === model && (kind === 'anthropic' || kind === 'script') && name.trim() !== '';
}

/** The kind of a model and the rest of its name. */
export function splitModel(model: string): [string, string] {
  const colon = model.indexOf(':');
  return colon < 0 ? [model, ''] : [model.slice(0, colon), model.slice(colon + 1)];
}
