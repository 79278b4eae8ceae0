import { exampleFile, folderAbove, foldersOfFact, isMeasureOf, type Reach } from '../../decide/reach.js';
import type { Capability } from '../../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../../words/decision.js';
import { isCanonicalPath } from '../../words/files/file-set.js';
import { equalJson, isList, type Json, type JsonObject } from '../../words/json.js';
import { type CapabilityDefinition, vocabulary } from '../../words/vocabulary.js';
import type { SameCall } from '../refused-calls.js';

export interface ExampleCall {
  /** Null for any arguments with these capabilities. */
  readonly args: JsonObject | null;
  readonly capabilities: NonEmpty<Capability>;
  /** Indices of the capabilities that differ from the shown ones. */
  readonly differ: readonly number[];
}

export function sameAgain({ args, capabilities }: ShownCall): ExampleCall {
  return { args, capabilities, differ: [] };
}

/** Calls that only this reach may cover. Each differs in one thing. */
export function wider(call: ShownCall, reach: Exclude<Reach, 'call' | 'arguments'>): readonly ExampleCall[] {
  const changes = call.capabilities.flatMap((capability, index) =>
    Object.entries(capability)
      .filter(([fact]) => fact !== 'name' && isOpenFrom(reach, { call, capability, fact }))
      .map(([fact, value]) =>
        otherValues(fact, value, { reach, call }).map((other) => ({
          index,
          fact,
          value,
          other,
        })),
      ),
  );
  const examples = interleave(changes).map((change) => withChange(call, change));
  if (examples.length > 0 || reach !== 'file' || !isFreeOfFacts(call)) return examples;
  return [{ args: null, capabilities: call.capabilities, differ: [] }];
}

/** Calls just outside: another argument that no capability mentions, or another capability. */
export function beside(call: ShownCall): readonly [ExampleCall | null, ExampleCall] {
  const key = Object.keys(call.args).findLast((name) => isFreeArgument(call, name));
  const argument =
    key === undefined
      ? null
      : { args: withOther(call.args, key), capabilities: call.capabilities, differ: [] };
  const { capabilities } = call;
  const more: NonEmpty<Capability> = [...capabilities, anotherCapability(call)];
  return [argument, { args: null, capabilities: more, differ: [capabilities.length] }];
}

interface Change {
  readonly index: number;
  readonly fact: string;
  readonly value: Json;
  readonly other: Json;
}

/** Whether a fact may differ from this reach on, in a call that is possible. */
function isOpenFrom(
  reach: Exclude<Reach, 'call' | 'arguments'>,
  of: { readonly call: ShownCall; readonly capability: Capability; readonly fact: string },
): boolean {
  const { call, capability, fact } = of;
  if (reach === 'capability') return !isMeasureOf(capability, fact) && !isOfTool(capability.name, fact);
  // Another file has another digest, and the digest is fixed.
  if (Object.hasOwn(capability, 'sha256') && !isMeasureOf(capability, 'sha256')) return false;
  if (reach === 'file') return isMeasureOf(capability, fact);
  if (fact !== 'path') return reach === 'program' && (fact === 'argv' || fact === 'cwd');
  return (
    foldersOfFact(capability.path).length > 0 &&
    isGivenToProgram(call, capability.path) === (reach === 'program')
  );
}

/** Whether a program's own arguments, which stay fixed, name the file. */
function isGivenToProgram({ capabilities }: ShownCall, path: Json | undefined): boolean {
  return (
    typeof path === 'string' &&
    capabilities.some(
      ({ argv }) =>
        argv !== undefined &&
        isList(argv) &&
        argv.some((word) => typeof word === 'string' && word.includes(lastOf(path))),
    )
  );
}

function isOfTool(name: string, fact: string): boolean {
  return (
    fact === 'by' ||
    (name === 'tool.call' && fact === 'tool') ||
    name === 'mcp.call' ||
    name === 'mcp.call.changed'
  );
}

/** A command line determines its capabilities. */
function isFreeOfFacts({ args, capabilities }: ShownCall): boolean {
  return Object.keys(args).length > 0 && !capabilities.some(({ argv }) => argv !== undefined);
}

/** Changes one thing everywhere: a file that is read and written, a program and its first word. */
function withChange(call: ShownCall, { index, fact, value, other }: Change): ExampleCall {
  const capabilities = call.capabilities.map((capability, position): Capability => {
    const follow = (found: Json): Json => relative(found, value, other);
    const isHere = (name: string) => position === index && name === fact;
    const entries = Object.entries(capability).map(([name, found]) =>
      name === 'name'
        ? [name, found]
        : [name, isHere(name) ? other : linked.includes(fact) ? follow(found) : found],
    );
    return Object.fromEntries(entries) as Capability;
  });
  if (!isNonEmpty(capabilities)) throw new TypeError('the call carries no capability');
  const differ = capabilities.flatMap((capability, position) =>
    equalJson(capability, call.capabilities[position] ?? null) ? [] : [position],
  );
  return { args: null, capabilities, differ };
}

const linked: readonly string[] = ['path', 'program', 'host'];

/** The first of each list, then the second of each. */
function interleave<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const most = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, position) =>
    lists.flatMap((list) => list.slice(position, position + 1)),
  ).flat();
}

function isFreeArgument({ args, capabilities }: ShownCall, name: string): boolean {
  const value = args[name];
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value !== 'string') return false;
  const facts = capabilities.flatMap((capability) => Object.values(capability));
  const texts = facts
    .flatMap((fact) => (isList(fact) ? fact : [fact]))
    .filter((fact) => typeof fact === 'string');
  return value.length > 0 && !texts.some((text) => text.endsWith(value) || value.includes(text));
}

function withOther(args: JsonObject, key: string): JsonObject {
  const value = args[key];
  const other =
    typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : `another ${key}`;
  return { ...args, [key]: other === value ? `yet ${String(other)}` : other };
}

/** A capability of the same family, with the shown facts; otherwise a connection. */
function anotherCapability({ capabilities }: ShownCall): Capability {
  const [first] = capabilities;
  const family = first.name.split('.')[0] as string;
  const depth = (name: string) => Math.abs(name.split('.').length - first.name.split('.').length);
  const free = vocabulary.filter(({ name }) => !capabilities.some((shown) => shown.name === name));
  const isKnown = (fact: string) => Object.hasOwn(first, fact) || Object.hasOwn(samples, fact);
  const kin = free
    .filter((kin) => kin.name.startsWith(`${family}.`) && factsInWordsOf(kin).every(isKnown))
    .reverse()
    .sort((one, other) => depth(one.name) - depth(other.name));
  const found = kin[0] ?? free.find(({ name }) => name === 'net.connect') ?? free[0];
  return found === undefined ? { name: `${first.name}.more` } : sample(found, first);
}

function sample(definition: CapabilityDefinition, shown: Capability): Capability {
  const wanted = Object.keys(definition.facts).filter(
    (fact) => Object.hasOwn(shown, fact) || factsInWordsOf(definition).includes(fact),
  );
  const value = (fact: string): Json =>
    Object.hasOwn(shown, fact) ? (shown[fact] as Json) : (samples[fact] ?? `another ${fact}`);
  return { name: definition.name, ...Object.fromEntries(wanted.map((fact) => [fact, value(fact)])) };
}

function factsInWordsOf({ facts, words }: CapabilityDefinition): readonly string[] {
  return Object.keys(facts).filter((fact) => words.includes(`{${fact}}`));
}

const samples: Readonly<Record<string, Json>> = {
  host: 'another.example',
  port: 8080,
  bytes: 1000,
  program: 'sudo',
};

export interface ShownCall extends SameCall {
  readonly capabilities: NonEmpty<Capability>;
}

/** The likeliest first; never the shown one. */
function otherValues(
  fact: string,
  value: Json,
  { reach, call }: { readonly reach: Reach; readonly call: ShownCall },
): readonly Json[] {
  const shown = call.capabilities.flatMap((capability) =>
    fact in capability ? [capability[fact] as Json] : [],
  );
  const isShown = (other: Json) => shown.some((one) => JSON.stringify(one) === JSON.stringify(other));
  return candidates(fact, value, reach).filter((other) => !isShown(other));
}

function relative(found: Json, value: Json, other: Json): Json {
  if (typeof value !== 'string' || typeof other !== 'string') return found;
  if (isList(found)) return found.map((item) => relative(item, value, other));
  if (typeof found !== 'string') return found;
  if (found === value) return other;
  if (found.includes(`://${value}`)) return found.replace(`://${value}`, () => `://${other}`);
  // As a command line names it: `rm out/a.md`.
  if (!isCanonicalPath(value) || !value.endsWith(`/${found}`)) return found;
  const folder = value.slice(0, -found.length);
  return other.startsWith(folder) ? other.slice(folder.length) : other;
}

function candidates(fact: string, value: Json, reach: Reach): readonly Json[] {
  const file = fact === 'path' && typeof value === 'object' ? exampleFile(value) : null;
  if (file !== null) return otherPaths(file, reach);
  if (typeof value === 'number') return [value * 10, 1, 0, value + 1];
  if (typeof value === 'boolean') return [!value];
  if (fact === 'argv' && isList(value))
    return [[...value, '--another-option'], [...value.slice(0, 1), 'another-argument'], value.slice(0, 1)];
  if (isList(value)) return [[], ['another']];
  if (typeof value !== 'string') return [`another ${fact}`];
  if (fact === 'path' && isCanonicalPath(value)) return otherPaths(value, reach);
  if (fact === 'cwd' && isCanonicalPath(value)) return [`${value === '/' ? '' : value}/deeper`, '/elsewhere'];
  return texts[fact] ?? [`another ${fact}`, `a third ${fact}`, `yet another ${fact}`];
}

const texts: Readonly<Record<string, readonly Json[]>> = {
  host: ['another.example', 'www.another.example', '203.0.113.7'],
  program: ['curl', 'rm', 'python3'],
  method: ['POST', 'DELETE', 'GET'],
  scheme: ['http', 'https'],
  worker: ['another-worker', 'a-third-worker', 'one-more-worker'],
  // Follows the host.
  url: [],
};

/** Within reach of `folder`, or beyond it. */
function otherPaths(path: string, reach: Reach): readonly string[] {
  const name = lastOf(path);
  const suffix = name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.')) : '';
  const names = [`another${suffix}`, `deeper/down${suffix}`, `a-third${suffix}`];
  const folder = folderAbove(path) ?? '';
  if (reach !== 'capability') return names.map((other) => `${folder}/${other}`);
  return [`${folderAbove(folder) ?? ''}/elsewhere/${name}`, `/etc/${name}`, `/home/${name}`];
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
