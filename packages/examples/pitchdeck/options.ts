import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  /** The folder of decks, absolute; null for the ones that the example ships. */
  readonly input: string | null;
  readonly mode: 'approve-all' | 'strict' | null;
  /** As in `ambit run --model`; null for the default, or for a script if there is no key. */
  readonly model: string | null;
  readonly log: string | null;
  readonly help: boolean;
}

export const usage = `npm start -- [--input DIR] [--approve-all | --strict] [--log FILE]
             [--model MODEL]

An orchestrator lists the PDFs of a folder, hands each to an evaluator, and
writes a report for each into ./reports. You are asked before each deck is
handed over and before each report is written, unless a flag answers.

  --input DIR     the folder of PDFs (three decks that come with the example)
  --approve-all   approve what needs approval, unattended
  --strict        refuse what needs approval
  --log FILE      where the decision log goes (the state folder)
  --model MODEL   anthropic:NAME, or script:FILE for a script of your own
  --help          this text

With ANTHROPIC_API_KEY set, a model reads the decks; without, a script stands in
for it.
`;

const flags = {
  input: { type: 'string' },
  'approve-all': { type: 'boolean' },
  strict: { type: 'boolean' },
  log: { type: 'string' },
  model: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The options of these flags, or why they are invalid. Paths are relative to `folder`, the user's folder. */
export function readOptions(
  args: readonly string[],
  folder: string,
): { readonly ok: true; readonly options: Options } | { readonly ok: false; readonly problem: string } {
  const { values, tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  const problem = tokens.map(problemOf).find((each) => each !== null);
  if (problem !== undefined) return { ok: false, problem };
  if (values['approve-all'] === true && values.strict === true)
    return { ok: false, problem: '--approve-all and --strict answer the same question: give one of them' };
  const path = (value: unknown) => (typeof value === 'string' ? resolve(folder, value) : null);
  const mode = values['approve-all'] === true ? 'approve-all' : values.strict === true ? 'strict' : null;
  const { input, log, help } = values;
  const model = typeof values.model === 'string' ? values.model : null;
  return { ok: true, options: { input: path(input), mode, model, log: path(log), help: help === true } };
}

/** The members of a token of `parseArgs` that this file uses. */
interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly rawName?: string;
  readonly value?: string | undefined;
}

function problemOf({ kind, name = '', rawName, value }: Token): string | null {
  if (kind === 'positional') return `\`${value}\` is not a flag: a folder is given as --input DIR`;
  if (kind !== 'option') return null;
  if (!Object.hasOwn(flags, name)) {
    const near = nearest(name, Object.keys(flags));
    return `unknown flag ${rawName}${near === null ? '' : `: did you mean --${near}`}`;
  }
  const { type } = flags[name as keyof typeof flags];
  if (type === 'string' && (value ?? '') === '') return `${rawName} needs a value`;
  if (type === 'boolean' && value !== undefined) return `${rawName} takes no value`;
  return null;
}

function nearest(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceBetween(word, candidate) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(2, best.candidate.length / 2)
    ? best.candidate
    : null;
}

function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, its] of [...other].entries()) {
      const change = (row[j] ?? 0) + (letter === its ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
