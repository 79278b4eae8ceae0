import { foldersOf, isMeasureOf, type Reach } from '../../decide/reach.js';
import type { Capability } from '../../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../../words/decision.js';
import { equalJson, isList, type Json, type JsonObject } from '../../words/json.js';
import { type CapabilityDefinition, vocabulary } from '../../words/vocabulary.js';
import { lastOf, otherValues, relative } from './other-values.js';
import type { ShownCall } from './shown-call.js';

export interface ExampleCall {
  /** Null for any arguments with these capabilities. */
  readonly args: JsonObject | null;
  readonly capabilities: NonEmpty<Capability>;
  /** Indices of the capabilities that differ from the shown ones. */
  readonly differ: readonly number[];
}

/** The same call again. */
export function sameAgain({ args, capabilities }: ShownCall): ExampleCall {
  return { args, capabilities, differ: [] };
}

/** Calls that only this reach may cover. Each differs in one thing. */
export function wider(call: ShownCall, reach: Exclude<Reach, 'call' | 'arguments'>): readonly ExampleCall[] {
  const changes = call.capabilities.flatMap((capability, index) =>
    Object.entries(capability)
      .filter(([fact]) => fact !== 'name' && isOpenFrom(reach, { call, capability, fact }))
      .map(([fact, value]) =>
        otherValues(fact, value as Json, { reach, call }).map((other) => ({
          index,
          fact,
          value: value as Json,
          other,
        })),
      ),
  );
  const examples = inTurn(changes).map((change) => changed(call, change));
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
    foldersOf(capability.path).length > 0 && isGivenToProgram(call, capability.path) === (reach === 'program')
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
function changed(call: ShownCall, { index, fact, value, other }: Change): ExampleCall {
  const capabilities = call.capabilities.map((capability, place): Capability => {
    const follow = (found: Json): Json => relative(found, value, other);
    const isHere = (name: string) => place === index && name === fact;
    const entries = Object.entries(capability).map(([name, found]) =>
      name === 'name' ? [name, found] : [name, isHere(name) ? other : isLinked(fact) ? follow(found) : found],
    );
    return Object.fromEntries(entries) as Capability;
  });
  if (!isNonEmpty(capabilities)) throw new TypeError('a call carries at least one capability');
  const differ = capabilities.flatMap((capability, place) =>
    equalJson(capability, call.capabilities[place] ?? null) ? [] : [place],
  );
  return { args: null, capabilities, differ };
}

function isLinked(fact: string): boolean {
  return ['path', 'program', 'host'].includes(fact);
}

/** The first of each list, then the second of each. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const most = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
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

/** Of the same family, with the shown facts; otherwise a connection. */
function anotherCapability({ capabilities }: ShownCall): Capability {
  const [first] = capabilities;
  const family = first.name.split('.')[0] as string;
  const depth = (name: string) => Math.abs(name.split('.').length - first.name.split('.').length);
  const free = vocabulary.filter(({ name }) => !capabilities.some((shown) => shown.name === name));
  const kin = free
    .filter(
      (kin) => kin.name.startsWith(`${family}.`) && factsInWordsOf(kin).every((fact) => isKnown(fact, first)),
    )
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

function isKnown(fact: string, shown: Capability): boolean {
  return Object.hasOwn(shown, fact) || Object.hasOwn(samples, fact);
}

const samples: Readonly<Record<string, Json>> = {
  host: 'another.example',
  port: 8080,
  bytes: 1000,
  program: 'sudo',
};
