import { loadCode, sourcedWord } from '../describe/load.js';
import { Outside } from '../read/outside.js';
import { writtenAs } from '../word.js';
import type { Builtin } from './builtin.js';

/** `source FILE`: loads the file as code; its effect on the shell is unknown. */
export function sourceAs(name: '.' | 'source'): Builtin {
  return (words, scope) => {
    const [word] = words;
    const written = [name, ...words.map(writtenAs)].join(' ');
    if (word === undefined) throw new Outside(`\`${name}\` is not described`, written);
    for (const folder of scope.state.folders) {
      const left = loadCode({ word: sourcedWord(word, scope), folder, by: 'shell' }, scope);
      if (left !== null && Object.keys(left).length > 0)
        scope.walk.report.opaque({ text: written, ...left }, 'the file that it loads may be changed first');
    }
    throw new Outside(`\`${name}\` is not described`, written);
  };
}
