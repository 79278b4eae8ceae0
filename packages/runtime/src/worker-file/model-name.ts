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

/**
 * Whether a glob matches a model's name, `anthropic:claude-…`: `*` is any text, `?` one character. In time
 * proportional to the product of both.
 */
export function matchesModel(glob: string, text: string): boolean {
  const [pattern, characters] = [[...glob], [...text]];
  let [at, position] = [0, 0];
  // Where to continue when the rest after the last `*` does not fit: it takes one character more.
  let again: { readonly at: number; readonly position: number } | null = null;
  while (position < characters.length) {
    if (pattern[at] === '*') {
      at += 1;
      again = { at, position };
    } else if (pattern[at] === '?' || pattern[at] === characters[position]) {
      at += 1;
      position += 1;
    } else if (again === null) return false;
    else {
      again = { at: again.at, position: again.position + 1 };
      ({ at, position } = again);
    }
  }
  return pattern.slice(at).every((rest) => rest === '*');
}
