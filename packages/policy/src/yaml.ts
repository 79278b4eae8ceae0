export { fileSchema, type Grammar, type MapRead, type MapValues, map, valueIn } from './grammar/grammar.js';
export {
  expectKind,
  expectKindOrEmpty,
  type Reporting,
  readKeys,
  reportMissing,
} from './grammar/reading.js';
export {
  anyText,
  anything,
  boolean,
  list,
  number,
  object,
  record,
  text,
  that,
  word,
} from './grammar/values.js';
export { diagnosticsOf } from './text/diagnostic.js';
export { escapeText, quote } from './text/escape.js';
export { parseYaml } from './text/parse-yaml.js';
export { decodeSource, largestFile, type Source } from './text/source.js';
export { helpFor, nearest, oneOf } from './text/suggest.js';
export { type Entry, type MapNode, type Node, toJson } from './text/tree.js';
