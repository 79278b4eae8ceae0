import { apply } from '../effects.js';
import { touch } from '../places.js';
import type { Modes } from '../state.js';
import { textOf, word } from '../word.js';
import { type Builtin, nothing, readOptions, unknownOutput } from './builtin.js';
import { unknownText } from './running.js';

/** `set`: the shell's options, and its parameters. */
export const set: Builtin = (words, here) => {
  const { report } = here.walk;
  for (let index = 0; index < words.length; index += 1) {
    const text = textOf(words[index] ?? word(''));
    if (text === null || !/^[-+]./.test(text)) {
      here.state = { ...here.state, parameters: text === null ? null : words.slice(index) };
      return nothing;
    }
    if (text === '--') {
      here.state = { ...here.state, parameters: words.slice(index + 1) };
      return nothing;
    }
    const isOn = text.startsWith('-');
    for (const letter of text.slice(1)) {
      if (letter === 'o') {
        index += 1;
        const name = index < words.length ? textOf(words[index] ?? word('')) : '';
        if (name === null || !longNames.has(name)) report.opaque(`set ${text}`, 'the option is not known');
        setMode(letters[name ?? ''] ?? '', isOn, here);
      } else if (!'abefhmnptuvxBCEHPTi'.includes(letter))
        report.opaque(`set ${text}`, 'the option is not known');
      else setMode(letter, isOn, here);
    }
  }
  return unknownOutput;
};

const letters: Readonly<Record<string, string>> = { noglob: 'f', braceexpand: 'B', allexport: 'a' };

const longNames: ReadonlySet<string> = new Set(
  `allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof interactive-comments monitor
   noclobber noexec noglob nolog notify nounset onecmd physical pipefail privileged verbose vi xtrace`
    .split(/\s+/)
    .concat(''),
);

function setMode(letter: string, isOn: boolean, here: Parameters<Builtin>[1]): void {
  const modes: Partial<Modes> =
    letter === 'f'
      ? { has_no_globs: isOn }
      : letter === 'B'
        ? { has_no_braces: !isOn }
        : letter === 'a'
          ? { exports_all: isOn }
          : {};
  here.state = { ...here.state, modes: { ...here.state.modes, ...modes } };
}

const globbing = /glob|extquote|globskipdots|globasciiranges/;

export const shopt: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, '');
  const isOn = options.some(({ letter }) => letter === 's');
  if (options.some(({ letter }) => letter === 'o')) {
    set([word(isOn ? '-o' : '+o'), ...operands.slice(0, 1)], here, { name: 'set' });
    return unknownOutput;
  }
  for (const operand of operands) {
    const name = textOf(operand);
    const { modes } = here.state;
    if (name === null) here.walk.report.opaque(unknownText(words), 'the option is not known');
    if (name === null || globbing.test(name))
      here.state = { ...here.state, modes: { ...modes, has_other_globs: true } };
    if (name === 'expand_aliases' && isOn)
      here.state = { ...here.state, modes: { ...modes, has_aliases: true } };
    if (name === 'cdable_vars' && isOn) here.state = { ...here.state, is_lost: true };
  }
  return unknownOutput;
};

export const alias: Builtin = (words, here) => {
  const aliases = new Map(here.state.aliases);
  for (const each of words) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(textOf(each) ?? '') ?? [];
    if (name !== undefined) aliases.set(name, value ?? null);
    const [start] = each.parts;
    if (textOf(each) === null) {
      const known = typeof start === 'string' ? /^([^=]+)=/.exec(start)?.[1] : undefined;
      if (known === undefined)
        here.walk.report.opaque(unknownText(words), 'which alias it is cannot be known');
      else aliases.set(known, null);
    }
  }
  here.state = { ...here.state, aliases };
  return unknownOutput;
};

/** `enable -f` loads code into the shell. */
export const enable: Builtin = (words, here) => {
  const { options } = readOptions(words, 'f');
  for (const { letter, value } of options)
    if (letter === 'f') apply([{ kind: 'load', word: value ?? word('') }], { program: 'enable' }, here);
  if (options.some(({ letter }) => letter === 'f'))
    here.state = { ...here.state, is_search_path_fixed: false };
  return unknownOutput;
};

/** `hash -p` says where a program is to be found. */
export const hash: Builtin = (words, here) => {
  const { options } = readOptions(words, 'p');
  const path = options.find(({ letter }) => letter === 'p');
  if (path?.value != null) {
    here.state = { ...here.state, is_search_path_fixed: false };
    here.walk.command([path.value], { ...here, depth: here.depth + 1 }, { past: 'builtins', is_open: true });
  }
  return unknownOutput;
};

/** `history` keeps its entries in files. */
export const history: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, 'd');
  const [file = { parts: [{ kind: 'text' as const, text: '$HISTFILE' }] }] = operands;
  for (const { letter } of options) {
    if (letter === 'w' || letter === 'a') touch(file, { access: 'write' }, here);
    if (letter === 'r' || letter === 'n') touch(file, { access: 'read' }, here);
    if (letter === 'p' || letter === 's') here.walk.report.opaque(unknownText(words), 'history is expanded');
  }
  return unknownOutput;
};

/** `fc` runs what was run before. */
export const fc: Builtin = (words, here) => {
  const { options } = readOptions(words, 'e');
  if (!options.some(({ letter }) => letter === 'l'))
    here.walk.report.opaque(`fc ${unknownText(words)}`, 'it runs what was run before');
  return unknownOutput;
};

export const kill: Builtin = (words, here) => {
  const { report } = here.walk;
  if (words.length > 0 && /^-[lL]/.test(textOf(words[0] ?? word('')) ?? '')) return unknownOutput;
  const first = textOf(words[0] ?? word('')) ?? '';
  const skipped = /^-(?:s|n)$/.test(first) ? 2 : /^-./.test(first) ? 1 : 0;
  for (const each of words.slice(skipped)) {
    const text = textOf(each);
    if (text === '--') continue;
    report.add({
      name: 'proc.signal',
      ...(text !== null && /^-?\d{1,9}$/.test(text) && { pid: Number(text) }),
    });
  }
  return nothing;
};
