import { posix } from 'node:path';
import { fromHome, isNonEmpty, type NonEmpty } from '@ambit/core';
import { type Diagnostic, diagnosticsOf, fileDiagnostic } from '../text/diagnostic.js';
import { escapeText, quote } from '../text/escape.js';
import type { Problems } from '../text/problems.js';
import { sha256Of } from '../text/sha256.js';
import { decodeSource, type Source } from '../text/source.js';
import type { WrittenPolicy } from './document.js';
import { policyOf } from './policy-of.js';
import type { CheckedForm, PolicyWorld } from './world.js';

/** A file of a policy, as the log records it. */
export interface PolicyFile {
  /** The path as given, or as resolved from the extending file. */
  readonly name: string;
  readonly path: string;
  /** The digest of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  readonly source: string;
}

export type LoadedPolicies =
  | {
      readonly ok: true;
      /** One for each file: the given ones in order, each followed by what it extends. */
      readonly policies: NonEmpty<WrittenPolicy>;
      readonly files: NonEmpty<PolicyFile>;
      readonly warnings: readonly Diagnostic[];
    }
  | {
      readonly ok: false;
      readonly diagnostics: NonEmpty<Diagnostic>;
      readonly warnings: readonly Diagnostic[];
    };

const longestChain = 20;

/** Loads policies and all that they extend, each file once; or returns all mistakes. */
export async function loadPolicies(files: NonEmpty<string>, world: PolicyWorld): Promise<LoadedPolicies> {
  const loader = createLoader(world);
  for (const file of files) await loader.loadGiven(file);
  const loaded = loader.loaded();
  const diagnostics = loaded.flatMap((file) => diagnosticsOf(file.problems, file.source));
  const all = [...loader.unreadable, ...diagnostics];
  const warnings = loaded.flatMap(({ read }) => read?.warnings ?? []);
  if (isNonEmpty(all)) return { ok: false, diagnostics: all, warnings };
  const policies = loaded.flatMap(({ read }) => (read === null ? [] : [policyOf(read.document)]));
  const records = loaded.map(({ record }) => record);
  if (!isNonEmpty(policies) || !isNonEmpty(records) || policies.length !== loaded.length)
    throw new Error('a policy that was not read has no diagnostics');
  return { ok: true, policies, files: records, warnings };
}

interface LoadedFile {
  readonly record: PolicyFile;
  readonly source: Source;
  readonly problems: Problems;
  readonly read: CheckedForm | null;
}

interface Extension {
  readonly written: string;
  /** The real paths of the files that lead to it. */
  readonly chain: readonly string[];
}

function createLoader(world: PolicyWorld) {
  // Files by real path, in the order in which they are first named.
  const loaded = new Map<string, LoadedFile>();
  const unreadable: Diagnostic[] = [];

  async function loadGiven(name: string): Promise<void> {
    const failure = await load(name, { written: name, chain: [] });
    const help = 'name a regular file that you may read; `ambit init` writes a starter policy';
    if (failure !== null) unreadable.push(fileDiagnostic(name, { ...failure, help }));
  }

  /** Loads what it extends as well. Null if that worked. `written`: the path in the file that extends it. */
  async function load(name: string, { written, chain }: Extension): Promise<Failure | null> {
    const found = await fetch(name, world);
    if (typeof found === 'string')
      return { code: 'CANNOT_READ', message: found, help: 'paths are relative to the file that extends' };
    const { path, bytes } = found;
    if (chain.includes(path))
      return {
        code: 'EXTENDS_CYCLE',
        message: `${quote(written)} extends this file again, in a circle`,
        help: 'each file judges once: remove one of the two',
      };
    if (loaded.has(path)) return null;
    if (chain.length >= longestChain)
      return {
        code: 'EXTENDS_TOO_DEEP',
        message: `files extend one another more than ${longestChain} levels deep`,
      };
    const { source, text, problems } = decodeSource(name, bytes);
    const sha256 = sha256Of(bytes);
    const read = problems.isEmpty ? await readFile({ path, sha256, source, problems }, world) : null;
    loaded.set(path, { record: { name, path, sha256, source: text }, source, problems, read });
    for (const extension of read?.extensions ?? []) {
      const from = { written: extension.path, chain: [...chain, path] };
      const failure = await load(nameOf(extension, name, world), from);
      if (failure !== null) problems.add(failure.code, extension.span, failure);
    }
    return null;
  }

  return { loadGiven, unreadable, loaded: () => [...loaded.values()] };
}

/** The cached checked form of the file, or a new one; the reader is loaded only for the latter. */
async function readFile(
  { path, sha256, source, problems }: { readonly path: string; readonly sha256: string } & Opened,
  { forms, trees, home, root }: PolicyWorld,
): Promise<CheckedForm | null> {
  const file = { path, digest: sha256Of(JSON.stringify([source.name, sha256, home, root])) };
  const kept = forms?.find(file) ?? null;
  if (kept !== null) return kept;
  const read = (await import('./load-text.js')).readSource(source, problems, { home, root }, trees);
  if (read === null) return null;
  const form = { ...read, warnings: diagnosticsOf(read.warnings, source) };
  if (problems.isEmpty) forms?.keep(file, form);
  return form;
}

type Opened = Pick<LoadedFile, 'source' | 'problems'>;

/** Why a file is not loaded. */
interface Failure {
  readonly code: 'CANNOT_READ' | 'EXTENDS_CYCLE' | 'EXTENDS_TOO_DEEP';
  readonly message: string;
  readonly help?: string;
}

export function nameOf(
  { path: written }: { readonly path: string },
  from: string,
  { home }: Pick<PolicyWorld, 'home'>,
): string {
  const path = fromHome(written, home);
  return posix.isAbsolute(path) ? posix.normalize(path) : posix.join(posix.dirname(from), path);
}

async function fetch(
  name: string,
  world: PolicyWorld,
): Promise<{ path: string; bytes: Uint8Array } | string> {
  try {
    // The file is read first: a shell's pipe has no real path, and reading it reports what it is.
    const bytes = await world.read(name);
    const path = world.realpath === undefined ? posix.normalize(name) : await world.realpath(name);
    return { path, bytes };
  } catch (error) {
    return `cannot read ${quote(name)}: ${causeOf(error)}`;
  }
}

/** Escaped. */
export function causeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    ENOTDIR: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ELOOP: 'its links lead in a circle',
    ERR_INVALID_ARG_VALUE: 'a path has no NUL character',
  };
  if (code !== null) return known[code] ?? escapeText(code);
  return error instanceof Error ? escapeText(error.message.slice(0, 200)) : 'it cannot be read';
}
