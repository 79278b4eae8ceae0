/**
 * Phrases that a reader stumbles over, each with what to write instead. A space matches a line break too, within a
 * comment as well. `docs` are checked in pages only, `everywhere` also in comments, messages, titles and help.
 */
export const everywhere = [
  ['(?<!there )is no(?! (?:longer|more|less|looser|stricter|later|earlier|larger|one\\b))\\b', 'is not a'],
  ['of which any will do', 'any of'],
  ['(?:its|their) like\\b', 'similar'],
  ['by somebody', 'name who does it'],
  ['somebody (?!else|reads it)\\w', 'a person, a caller, or the passive'],
  ['after (?:the|a) (?:yes|no)\\b', 'after the approval, after the denial'],
  [', but for ', 'except for'],
  ['an error without words', 'unknown error'],
  ['no chance\\b', 'no randomness'],
  ['or chance\\b', 'or randomness'],
  ['what stands there', 'the text'],
  ['is gone on with', 'is continued'],
  ['there is no way to', 'cannot'],
  ['so many (?!\\S+ that\\b|that\\b)\\w+ ', 'several, or the number'],
  ['not either\\b', 'neither, or a sentence of its own'],
  ['alike to the letter', 'byte for byte the same'],
  ['whoever', 'the approver, an attacker, any caller'],
  ['(?:goes?|gone) on with', 'continue'],
  ['in the place of', 'in place of, or instead of'],
  ['that is none\\b', 'that is not one, or invalid'],
  ['by now\\b', 'now, already, or since'],
  ['where (?:it is )?left out', 'by default, or if absent'],
  ['(?:tool|judge|hook|approver|condition|function) gave\\b', 'returned'],
  ['and gives what', 'and returns'],
  ['not no\\b', 'say it without the double negation'],
];

export const docs = [];

/** Files that quote banned phrases because they forbid or test them. */
export const excepted = ['scripts/banned-words.mjs', 'pnpm-lock.yaml'];
