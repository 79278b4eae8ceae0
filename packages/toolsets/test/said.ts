import type { Effect } from '../src/shell/effect.js';
import { effectsOf } from '../src/shell/programs/effects-of.js';
import { programs } from '../src/shell/programs/table/index.js';
import { type Word, word } from '../src/shell/word.js';

/**
 * What a line does, as text. Words have blanks between them; `*` begins a pattern, `$X` is any words that are not known,
 * and `${X}` one of them, but not in single quotes.
 */
export function said(line: string): readonly string[] {
  const [program = '', ...words] = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  const read = words.map((each) => (each.includes("'") ? word(each.replaceAll("'", '')) : wordOf(each)));
  return effectsOf({ program, words: read }, programs).map(shown);
}

function wordOf(text: string): Word {
  const parts = text.split(/(\*|\$[A-Z]+|\$\{[A-Z]+\})/).filter((part) => part !== '');
  if (parts.length === 0) return word('');
  return {
    parts: parts.map((part) => {
      if (part === '*') return { kind: 'glob', text: part };
      if (part.startsWith('${')) return { kind: 'text', text: part };
      return part.startsWith('$') ? { kind: 'words', text: part } : part;
    }),
  };
}

function plain({ parts }: Word): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

function shown(effect: Effect): string {
  switch (effect.kind) {
    case 'path':
      return `${effect.access} ${plain(effect.word)}${effect.deep === true ? '/**' : ''}`;
    case 'run':
      return `run ${effect.words.map(plain).join(' ')}${effect.isOpen === true ? ' …' : ''}`;
    case 'code':
      return `code ${effect.language} ${effect.text === null ? '?' : plain(effect.text)}`;
    case 'code_from_input':
      return `input ${effect.language}`;
    case 'load':
      return `load ${plain(effect.word)}`;
    case 'connect':
      return `connect ${effect.to === null ? '?' : plain(effect.to)}`;
    case 'capability':
      return JSON.stringify(effect.capability)
        .replaceAll(/[{}"]/g, '')
        .replaceAll(/,\w+:/g, ' ')
        .replace('name:', '');
    case 'variable':
      return `variable ${effect.name}=${effect.value === null ? '?' : plain(effect.value)}`;
    case 'opaque':
      return `opaque ${effect.text}`;
  }
}
