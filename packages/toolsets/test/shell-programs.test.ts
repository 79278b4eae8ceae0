import { describe, expect, test } from 'vitest';
import type { Effect } from '../src/shell/effect.js';
import { effectsOf } from '../src/shell/programs/effects-of.js';
import { programs } from '../src/shell/programs/table/index.js';
import { type Word, word } from '../src/shell/word.js';

/** A line of blanks and words, where `*` begins a pattern and `$X` a value that is not known. */
function said(line: string): readonly string[] {
  const [program = '', ...words] = line.split(' ');
  return effectsOf({ program, words: words.map(wordOf) }, programs).map(shown);
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

describe('effectsOf', () => {
  test.each<[string, readonly string[]]>([
    ['cat a.txt b.txt', ['read a.txt', 'read b.txt']],
    ['cat *.txt', ['read *.txt']],
    ['cat -nZ a', ['opaque -nZ', 'read a']],
    ['grep -rn foo', ['read ./**']],
    ['grep -rn foo src', ['read src/**']],
    ['grep -e foo -fp src', ['read p', 'read src']],
    ['grep foo *', ['read *']],
    ['sort in.txt -oout.txt', ['write out.txt', 'read in.txt']],
    ['sort --outp=out.txt in.txt', ['write out.txt', 'read in.txt']],
    ['sort -ruo out', ['write out']],
    ['ls', ['list .', 'read .']],
    ['ls -la /root', ['list /root', 'read /root']],
    ['rm -rf build', ['delete build/**']],
    ['rm -- -rf', ['delete -rf']],
    ['find . -name x -exec grep foo {} +', ['run grep foo ./{}', 'list ./**', 'read ./**']],
    ['find a b -delete', ['list a/**', 'read a/**', 'delete a/**', 'list b/**', 'read b/**', 'delete b/**']],
    ['env FOO=1 BAR=2 ls -l', ['variable FOO=1', 'variable BAR=2', 'run ls -l']],
    ['sudo -u root -E -- rm -rf build', ['run rm -rf build', 'priv.escalate sudo']],
    ['xargs -0 -n1 rm -f', ['run rm -f …']],
    ['xargs -I{} cp {} /tmp', ['run cp {} /tmp']],
    ['timeout -k 5 10 rm x', ['run rm x']],
    ['unknown-program -x /etc/shadow', []],
  ])('%s', (line, expected) => {
    expect(said(line)).toStrictEqual(expected);
  });
});
