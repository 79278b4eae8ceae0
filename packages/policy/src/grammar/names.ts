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
import { isOneSlip, nearest, oneOf } from '../text/suggest.js';
import { agentTools } from './agent-tools.js';
import { anyText, text, that, type Wording } from './values.js';

const names: readonly string[] = vocabulary.map(({ name }) => name);
const shared: ReadonlySet<string> = new Set(names);

export const capabilityNamePattern = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$';

export const toolKeyPattern = '^[a-z][a-z0-9_-]*\\.(\\*|[A-Za-z0-9_][A-Za-z0-9_.:-]*)$';

const ofCapability: Wording<string> = {
  code: 'BAD_CAPABILITY_NAME',
  message: (name) => `${quote(name)} is not a capability name`,
  help: (name) => {
    const plain = name.replace(/\.?\*+$/, '');
    const near = nearest(name, names) ?? (isCapabilityName(plain) ? plain : null);
    if (/^[.*]+$/.test(name))
      return 'names have no wildcards: `default` is for everything that no rule covers';
    if (name.endsWith('*'))
      return `names have no wildcards: a restriction of ${quote(plain)} covers the names below it, and so does a permission with \`below: true\``;
    return near === null
      ? 'lower-case words of letters, digits and `_`, with dots between'
      : `did you mean ${quote(near)}?`;
  },
  schema: { type: 'string', pattern: capabilityNamePattern },
};

/** A name that a tool can report. */
export const capabilityName = that(anyText, isCapabilityName, ofCapability);

/** An empty name is reported as an empty text. */
export const nonEmptyName = that(text, isCapabilityName, ofCapability);

const ofTool: Wording<string> = {
  code: 'BAD_TOOL_NAME',
  message: (name) => `${quote(name)} is not a tool name`,
  help: (name) => agentToolHelp(name) ?? '`toolset.tool`',
  schema: text.schema,
};

/** `toolset.tool` */
export const toolName = that(anyText, isToolName, ofTool);

/** A tool, or `toolset.*`. */
export const toolKey = that(
  anyText,
  (name) => (name.endsWith('.*') && isSimpleName(name.slice(0, -2))) || isToolName(name),
  {
    ...ofTool,
    help: (name) => {
      const all = isSimpleName(name) && !name.startsWith('mcp__') ? name : 'toolset';
      const rest = `\`${all}.*\` for all tools of a toolset`;
      const meant = agentToolHelp(name);
      if (meant !== null) return all === name ? `${meant} ${rest}` : meant;
      return all === name ? `${rest}, \`${name}.TOOL\` for one` : `\`toolset.tool\`, or ${rest}`;
    },
  },
);

/** For what an agent calls one of its tools. */
function agentToolHelp(name: string): string | null {
  const meant = agentTools(name).map((each) => `\`${each}\``);
  return meant.length === 0 ? null : `did you mean ${oneOf(meant)}?`;
}

export const workerName = that(anyText, isWorkerName, {
  code: 'BAD_WORKER_NAME',
  message: (name) => `${quote(name)} is not a worker name`,
  help: 'lower-case letters, digits, `_` and `-`; `created:NAME` or `created` for created workers',
  schema: { type: 'string', minLength: 1 },
});

/** A shared name that differs by one slip. Not for families of the name, and names of authors. */
export function nearCapability(name: string): string | null {
  if (isOfVocabulary(name)) return null;
  const [first = '', ...rest] = name.split('.');
  if (families.includes(first))
    return nearest(
      name,
      names.filter((known) => known.startsWith(`${first}.`)),
    );
  const dotted = name.replaceAll('_', '.');
  if (shared.has(dotted)) return dotted;
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
