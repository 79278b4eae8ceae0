import { posix } from 'node:path';
import { builtIn, errorCode, isNonEmpty, type NonEmpty } from '@ambit/core';
import { causeOf, type LoadedPolicies, loadPolicies, nameOf } from '../document/load.js';
import type { Reading } from '../grammar/reading.js';
import type { NamedFile } from '../grammar/values.js';
import { type Diagnostic, diagnosticsOf, fileDiagnostic } from '../text/diagnostic.js';
import { escapeText, quote } from '../text/escape.js';
import { parseYaml } from '../text/parse-yaml.js';
import { placeText } from '../text/place.js';
import { decodeSource } from '../text/source.js';
import type { ReadCase } from './read/case.js';
import { checkRules, readCases, readHead, type SuiteHead } from './read/suite-file.js';
import type { CallOfCase, Suite, SuiteCase, WrittenCall } from './suite.js';

export interface SuiteWorld {
  /** Rejects if the file is missing or unreadable. */
  read(path: string): Promise<Uint8Array>;
  /** Rejects if the file is missing. */
  realpath(path: string): Promise<string>;
  /** Rejects if the folder is missing or unreadable. */
  folder(path: string): Promise<string>;
  /** The user's home: an absolute, canonical path. */
  readonly home: string;
  /** The root of every suite, overriding its own; null to use the suite's. */
  readonly root: string | null;
  /** Describes a call as `ambit decide` does, or returns the reason why it is not usable. */
  describe(call: WrittenCall, at: DescribingPlace): Promise<CallOfCase | { readonly unusable: string }>;
}

export interface DescribingPlace {
  readonly root: string;
  readonly policies: Extract<LoadedPolicies, { ok: true }>;
}

const least = 'write at least `policy: policy.yaml` and `cases: […]`';

export type LoadedSuite =
  | { readonly ok: true; readonly suite: Suite }
  | { readonly ok: false; readonly name: string; readonly diagnostics: NonEmpty<Diagnostic> };

export async function loadSuite(name: string, world: SuiteWorld): Promise<LoadedSuite> {
  const bytes = await world
    .read(name)
    .catch((error: unknown) => `cannot read ${quote(name)}: ${causeOf(error)}`);
  if (typeof bytes === 'string') {
    const diagnostic = fileDiagnostic(name, { code: 'CANNOT_READ', message: bytes, help: null });
    return { ok: false, name, diagnostics: [diagnostic] };
  }
  const { source, text, problems } = decodeSource(name, bytes);
  const tree = problems.isEmpty ? parseYaml(text, problems, { invisible: true, least }) : null;
  const inRoot = (root: string) => ({ source, problems, folders: { home: world.home, root } });
  const head = tree === null ? undefined : readHead(tree, inRoot('/'));
  const root = head === undefined ? null : await rootOf(head.root, { reading: inRoot('/'), world });
  const reading = inRoot(root ?? '/');
  const policies = head === undefined ? null : await policiesOf(head, root, { reading, world });
  const read = head === undefined ? [] : readCases(head, reading);
  if (policies?.ok === true) {
    const ids = [builtIn, ...policies.policies].flatMap(({ rules }) => rules.map(({ id }) => id));
    checkRules(read, ids, reading);
  }
  const described: SuiteCase[] = [];
  if (problems.isEmpty && policies?.ok === true && root !== null)
    for (const each of read) {
      const made = await describeCase(each, { root, policies }, { reading, world });
      if (made !== null) described.push(made);
    }
  const others = policies?.ok === false ? policies.diagnostics : [];
  const diagnostics = [...diagnosticsOf(problems, source), ...others];
  if (isNonEmpty(diagnostics)) return { ok: false, name, diagnostics };
  if (policies?.ok !== true || root === null || !isNonEmpty(described))
    throw new Error('a suite that was not read has no diagnostics');
  return {
    ok: true,
    suite: { name, policies: policies.policies, files: policies.files, cases: described },
  };
}

interface Surroundings {
  readonly reading: Reading;
  readonly world: SuiteWorld;
}

async function rootOf(
  named: NamedFile | null,
  { reading: { source, problems }, world }: Surroundings,
): Promise<string | null> {
  if (world.root !== null) return world.root;
  const folder = named === null ? posix.dirname(source.name) : nameOf(named, source.name, world);
  try {
    return await world.folder(folder);
  } catch (error) {
    problems.add('CANNOT_READ', named?.span ?? { start: 0, end: 0 }, {
      message: `cannot use ${quote(folder)} as the root: ${errorCode(error) === 'ENOTDIR' ? 'it is not a folder' : causeOf(error)}`,
      help: 'paths are relative to the suite',
    });
    return null;
  }
}

async function policiesOf(
  head: SuiteHead,
  root: string | null,
  { reading, world }: Surroundings,
): Promise<LoadedPolicies | null> {
  const named = head.policies.map(({ path, span }) => ({
    file: nameOf({ path }, reading.source.name, world),
    span,
  }));
  const files = named.map(({ file }) => file);
  if (!isNonEmpty(files)) return null;
  const { home } = world;
  const loaded = await loadPolicies(files, {
    home,
    root: root ?? '/',
    read: (path) => world.read(path),
    realpath: (path) => world.realpath(path),
  });
  if (loaded.ok) return loaded;
  // A missing file is a mistake of the suite that names it.
  const isUnread = ({ code, excerpt }: Diagnostic) => code === 'CANNOT_READ' && excerpt === null;
  for (const { file, message } of loaded.diagnostics.filter(isUnread))
    reading.problems.add('CANNOT_READ', named.find((one) => one.file === file)?.span ?? head.map.lack, {
      message,
      help: 'paths are relative to the suite',
    });
  const others = loaded.diagnostics.filter((diagnostic) => !isUnread(diagnostic));
  return isNonEmpty(others) ? { ok: false, diagnostics: others, warnings: [] } : null;
}

/** Null if the call was reported as impossible. */
async function describeCase(
  read: ReadCase,
  at: DescribingPlace,
  { reading: { source, problems }, world }: Surroundings,
): Promise<SuiteCase | null> {
  const place = source.lines.placeOf(read.start.start);
  const described = { name: read.name, place, at: `${source.name}:${placeText(place)}`, expect: read.expect };
  if (read.skip !== null) return { ...described, subject: { skipped: read.skip } };
  const call = await world.describe(read.call, at);
  if (!('unusable' in call)) return { ...described, subject: { skipped: null, ...call } };
  problems.add('BAD_CALL', read.callSpan, {
    message: `this call cannot be judged: ${escapeText(call.unusable.replaceAll('\n', '; '))}`,
    help: 'write `call` as `ambit decide` takes it',
  });
  return null;
}
