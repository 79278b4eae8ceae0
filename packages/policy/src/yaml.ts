export { escapeText, quote } from './escape.js';
export { diagnosticsOf } from './load-text.js';
export { parseYaml } from './parse-yaml.js';
export { type Lines, type Place, placeText, type Span } from './place.js';
export { collectProblems, type Problems } from './problems.js';
export {
  expectKind,
  expectKindOrEmpty,
  type Kind,
  type Reporting,
  readBoolean,
  readKeys,
  readText,
  readWord,
  reportMissing,
} from './reading.js';
export { decodeSource, largestFile, type Source } from './source.js';
export { helpFor, nearest, oneOf } from './suggest.js';
export { type Entry, kindInWords, type MapNode, type Node, toJson } from './tree.js';
