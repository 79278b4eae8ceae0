import { touch } from '../places.js';
import { textOf, word } from '../word.js';
import { type Builtin, nameOf, nothing } from './builtin.js';

/** `test` and `[`: looks at files; `-v` evaluates what is in brackets. */
export const test: Builtin = (words, here) => {
  words.forEach((each, index) => {
    const operator = textOf(words[index - 1] ?? word('')) ?? '';
    if (operator === '-v' || operator === '-R') nameOf(each, here);
    else if (/^-[abcdefghkprsuwxGLNOS]$/.test(operator) && index > 0 && textOf(each) !== ']')
      touch(each, { access: 'list', is_look: true }, here);
    else if (/^-(?:nt|ot|ef)$/.test(operator)) {
      touch(each, { access: 'list', is_look: true }, here);
      touch(words[index - 2] ?? word(''), { access: 'list', is_look: true }, here);
    }
  });
  return nothing;
};
