import {
  type FactKind,
  isCapabilityName,
  isSimpleName,
  isToolName,
  isWorkerName,
  remembered,
  vocabulary,
} from '@ambit/core';
import type { Problem } from '../text/diagnostic.js';
import { quote } from '../text/escape.js';
import type { Span } from '../text/place.js';
import type { Problems } from '../text/problems.js';
import { isOneSlip, nearest } from '../text/suggest.js';
import type { Grammar } from './grammar.js';
import type { Reporting } from './reading.js';
import { anyText, text, textAs, that } from './values.js';

const names: readonly string[] = vocabulary.map(({ name }) => name);
const shared: ReadonlySet<string> = new Set(names);

/** Reports a name that no tool can report. */
export function checkCapabilityName(name: string, span: Span, problems: Problems): boolean {
  if (isCapabilityName(name)) return true;
  const plain = name.replace(/\.?\*+$/, '');
  const near = nearest(name, names) ?? (isCapabilityName(plain) ? plain : null);
  const message = `${quote(name)} is not a capability name`;
  const help = /^[.*]+$/.test(name)
    ? 'names have no wildcards: `default` is for everything that no rule covers'
    : name.endsWith('*')
      ? `names have no wildcards: a restriction of ${quote(plain)} covers the names below it, and so does a permission with \`below: true\``
      : near === null
        ? 'lower-case words of letters, digits and `_`, with dots between'
        : `did you mean ${quote(near)}?`;
  problems.add('BAD_CAPABILITY_NAME', span, { message, help });
  return false;
}

/** Reports a key that is neither a tool nor `toolset.*`. */
export function checkToolKey(name: string, span: Span, problems: Problems): boolean {
  const isWhole = name.endsWith('.*') && isSimpleName(name.slice(0, -2));
  if (isWhole || isToolName(name)) return true;
  const help = isSimpleName(name)
    ? `\`${name}.*\` for all tools of a toolset, \`${name}.TOOL\` for one`
    : '`toolset.tool`, or `toolset.*` for all tools of a toolset';
  problems.add('BAD_TOOL_NAME', span, { message: `${quote(name)} is not a tool name`, help });
  return false;
}

export const capabilityNamePattern = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$';
export const toolKeyPattern = '^[a-z][a-z0-9_-]*\\.(\\*|[A-Za-z0-9_][A-Za-z0-9_.:-]*)$';

export const capabilityName = textAs<string, Reporting>(
  ({ value, span }, { problems }) => (checkCapabilityName(value, span, problems) ? value : undefined),
  { pattern: capabilityNamePattern },
);

/** An empty name is reported as an empty text. */
export const nonEmptyName: Grammar<string> = {
  schema: capabilityName.schema,
  read: (node, at) => (text.read(node, at) === undefined ? undefined : capabilityName.read(node, at)),
};

export const workerName = textAs<string, Reporting>(
  ({ value, span }, { problems }) => (checkWorkerName(value, span, problems) ? value : undefined),
  { minLength: 1 },
);

/** `toolset.tool` */
export const toolName = that(anyText, isToolName, {
  code: 'BAD_TOOL_NAME',
  message: (value) => `${quote(value)} is not a tool name`,
  help: '`toolset.tool`',
  schema: text.schema,
});

export function checkWorkerName(name: string, span: Span, problems: Problems): boolean {
  if (isWorkerName(name)) return true;
  problems.add('BAD_WORKER_NAME', span, {
    message: `${quote(name)} is not a worker name`,
    help: 'lower-case letters, digits, `_` and `-`; `created:NAME` or `created` for created workers',
  });
  return false;
}

/** A shared name that differs by one slip. Not for families of the name, and names of authors. */
export function nearCapability(name: string): string | null {
  if (isOfVocabulary(name)) return null;
  const [first = '', ...rest] = name.split('.');
  if (families.includes(first))
    return nearest(
      name,
      names.filter((known) => known.startsWith(`${first}.`)),
    );
  const meant = families.find((family) => isSlipFor(first, family, rest.length > 0));
  if (meant === undefined) return null;
  const corrected = [meant, ...rest].join('.');
  return isOfVocabulary(corrected) ? corrected : null;
}

/** Whether a name is a shared one, is under one, or has one under it. */
function isOfVocabulary(name: string): boolean {
  if (factsByName.has(name)) return true;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    if (shared.has(name.slice(0, dot))) return true;
  return false;
}

/** The first words of the shared names. */
const families: readonly string[] = [...new Set(names.map((name) => name.split('.')[0] as string))];

/** A letter added, removed or changed, or two swapped. Short words are near too many others, so they need more. */
function isSlipFor(word: string, family: string, hasRest: boolean): boolean {
  if (!isOneSlip(word, family)) return false;
  const isSwapped = [...word].sort().join('') === [...family].sort().join('');
  return isSwapped || family.length > 4 || (family.length === 4 && hasRest);
}

/** Warnings about a valid name. */
export function nameRemarks(name: string, span: Span): readonly Problem[] {
  const near = nearCapability(name);
  if (near === null) return [];
  const message = `unknown shared capability ${quote(name)}`;
  const help = `did you mean \`${near}\`? begin your own names with your own prefix`;
  return [{ code: 'UNKNOWN_CAPABILITY', span, message, help }];
}

/** The facts of the shared capabilities of a name, with their kinds; null for an author's own. */
export function knownFacts(name: string): ReadonlyMap<string, ReadonlySet<FactKind>> | null {
  return factsByName.get(name) ?? null;
}

/** Facts by shared name, and by each prefix of a shared name. */
const factsByName: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<FactKind>>> = (() => {
  const found = new Map<string, Map<string, Set<FactKind>>>();
  for (const { name, facts } of vocabulary) {
    const words = name.split('.');
    for (const above of words.map((_, index) => words.slice(0, index + 1).join('.'))) {
      const known = remembered(found, above, () => new Map());
      for (const [fact, kind] of Object.entries(facts)) remembered(known, fact, () => new Set()).add(kind);
    }
  }
  return found;
})();

/** A fact that differs by one slip from an unknown one. */
export function nearFact(fact: string, name: string): string | null {
  const known = knownFacts(name);
  if (known === null || known.has(fact) || everyFact.has(fact)) return null;
  const near = nearest(fact, known.keys());
  if (near !== null) return near;
  return [...known.keys()].find((candidate) => synonyms[candidate]?.includes(fact)) ?? null;
}

const everyFact: ReadonlySet<string> = new Set(vocabulary.flatMap(({ facts }) => Object.keys(facts)));

/** Words of other languages for these facts. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  path: ['file', 'filename', 'filepath', 'file_path', 'dir', 'directory', 'folder'],
  host: ['hostname', 'domain', 'address', 'server_name'],
  program: ['command', 'cmd', 'executable', 'binary'],
  argv: ['arguments', 'args'],
  variable: ['var', 'env'],
};
