import { apply, evaluate, loseState } from '../effects.js';
import type { Here } from '../here.js';
import { join } from '../state.js';
import { textOf, type Word, word } from '../word.js';
import { compact } from '../words/fields.js';
import { type Builtin, nothing, readOptions, unknownOutput } from './builtin.js';

/** `eval`: its words, with blanks between, are a command line. */
export const evalText: Builtin = (words, here) => {
  const given = textOf(words[0] ?? word('')) === '--' ? words.slice(1) : words;
  const joined = compact(given.flatMap((each, index) => [...(index > 0 ? [' '] : []), ...each.parts]));
  const text = textOf(joined);
  const { report } = here.walk;
  report.add({ name: 'code.eval', language: 'sh', ...(text !== null && text.length < 10_000 && { text }) });
  if (text !== null) return runHere(text, here);
  report.opaque(
    joined.parts.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
    'the text that is run is not known',
  );
  loseState(here);
  return unknownOutput;
};

/** `source`: a file that may do anything to the shell. */
export const source: Builtin = (words, here) => {
  const { operands } = readOptions(words, 'p');
  const [file] = operands;
  const text = file === undefined ? null : textOf(file);
  if (file === undefined) return nothing;
  if (
    text !== null &&
    /^\/dev\/(?:stdin|fd\/0)$/.test(text) &&
    here.input.text !== null &&
    textOf(here.input.text) !== null
  ) {
    const read = textOf(here.input.text) ?? '';
    here.input.text = null;
    here.walk.report.add({ name: 'code.eval', language: 'sh', text: read });
    return runHere(read, here);
  }
  apply([{ kind: 'load', word: file, language: 'sh' }], { program: 'source' }, here);
  loseState(here);
  return unknownOutput;
};

/** `trap`: what is run when a signal comes, or the shell ends. */
export const trap: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, '');
  const [action, ...signals] = operands;
  if (
    action === undefined ||
    signals.length === 0 ||
    options.some(({ letter }) => letter === 'p' || letter === 'l')
  )
    return unknownOutput;
  const text = textOf(action);
  if (text === '-' || text === '' || (text !== null && /^\d+$/.test(text))) return nothing;
  const { report } = here.walk;
  if (text === null) {
    report.opaque('trap', 'the text that is run is not known');
    loseState(here);
    return unknownOutput;
  }
  const before = here.state;
  const inner: Here = { ...here, depth: here.depth + 1, exits: [] };
  here.walk.text(text, inner);
  const isAtEnd = signals.every((signal) => /^(?:EXIT|0)$/.test(textOf(signal) ?? ''));
  here.walk.later(text, !isAtEnd, here);
  here.state = join(before, inner.state);
  return unknownOutput;
};

/** `exec`: the command takes the place of the shell. */
export const exec: Builtin = (words, here) => {
  const { operands, is_open } = readOptions(words, 'a');
  if (operands.length === 0) return nothing;
  if (is_open) here.walk.report.opaque('exec', 'which program it is cannot be known');
  here.walk.command(operands, here, { past: 'builtins' });
  leave(here);
  return unknownOutput;
};

/** `command`: past functions; `-v` only asks. */
export const command: Builtin = (words, here, { variables }) => {
  const { options, operands, is_open } = readOptions(words, '');
  if (options.some(({ letter }) => letter === 'v' || letter === 'V')) return unknownOutput;
  if (is_open) here.walk.report.opaque('command', 'which program it is cannot be known');
  return here.walk.command(operands, here, {
    past: 'functions',
    ...(variables !== undefined && { variables }),
  });
};

export const builtin: Builtin = (words, here, { declared }) => {
  const operands = textOf(words[0] ?? word('')) === '--' ? words.slice(1) : words;
  return here.walk.command(operands, here, {
    past: 'functions',
    ...(declared !== undefined && { declared }),
  });
};

/** `exit`, `return`, `break` and `continue`: what follows is not reached from here. */
export const leaving: Builtin = (_, here) => {
  leave(here);
  return unknownOutput;
};

function leave(here: Here): void {
  here.exits.push(here.state);
  here.state = { ...here.state, is_dead: true };
}

function runHere(text: string, here: Here) {
  const inner: Here = { ...here, depth: here.depth + 1 };
  const result = here.walk.text(text, inner);
  here.state = inner.state;
  return result;
}

/** `jobs -x` runs a command. */
export const jobs: Builtin = (words, here) => {
  const { options } = readOptions(words, '');
  if (options.some(({ letter }) => letter === 'x'))
    here.walk.command(words.slice(1), here, { past: 'builtins' });
  return unknownOutput;
};

/** `compgen` and `complete` run commands, and what is substituted in words. */
export const completing: Builtin = (words, here) => {
  const { options } = readOptions(words, 'ACFGPSWoX');
  for (const { letter, value } of options) {
    if (letter === 'C' && value !== null) evaluate('sh', value, here);
    const text = value === null ? null : textOf(value);
    if (letter === 'W' && (text === null || /[$`]/.test(text)))
      here.walk.report.opaque(text ?? '', 'what is substituted in it runs');
    if (letter === 'F') here.walk.command([value ?? word('')], here);
  }
  return unknownOutput;
};

export function unknownText(words: readonly Word[]): string {
  return words.map((each) => textOf(each) ?? '…').join(' ');
}
