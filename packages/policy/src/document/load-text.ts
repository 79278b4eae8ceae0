import { isNonEmpty, type NonEmpty } from '@ambit/core';
import type { Folders } from '../grammar/reading.js';
import { type Diagnostic, diagnosticsOf } from '../text/diagnostic.js';
import { parseYaml } from '../text/parse-yaml.js';
import { collectProblems, type Problems } from '../text/problems.js';
import { createSource, type Source } from '../text/source.js';
import type { WrittenPolicy } from './document.js';
import { type ReadDocument, readDocument } from './policy.js';
import { policyOf } from './policy-of.js';
import type { PolicyWorld } from './world.js';

export type LoadedText =
  | { readonly ok: true; readonly policy: WrittenPolicy; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: NonEmpty<Diagnostic> };

/** Extended policies are not loaded. */
export function loadPolicyText(name: string, text: string, folders: Folders): LoadedText {
  const source = createSource(name, text);
  const problems = collectProblems();
  const read = readSource(source, problems, folders);
  const diagnostics = diagnosticsOf(problems, source);
  if (isNonEmpty(diagnostics)) return { ok: false, diagnostics };
  // Null without a problem would be a bug of the reader, and must not count as an empty policy.
  if (read === null) throw new Error('a policy that was not read has no diagnostics');
  return { ok: true, policy: policyOf(read.document), warnings: diagnosticsOf(read.warnings, source) };
}

/** Reads as much as possible; reported parts must not be used. */
export function readSource(
  source: Source,
  problems: Problems,
  folders: Folders,
  trees?: PolicyWorld['trees'],
): ReadDocument | null {
  const tree = parseYaml(source.text, problems, { least });
  if (tree === null) return null;
  trees?.set(source.text, tree);
  return readDocument(tree, { source, problems, folders });
}

const least = 'write at least `version: 1` and `default: needs_approval`';
