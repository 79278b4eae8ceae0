import { type Capability, isCapabilityName } from '../words/capability.js';
import type { JsonObject } from '../words/json.js';
import type { CapabilityDefinition, FactKind } from '../words/vocabulary.js';

const factKinds: readonly FactKind[] = ['text', 'number', 'boolean', 'list'];

/** An author's own capability, with an own prefix: `crm.contact.export`. */
export function defineCapability<const Facts extends Readonly<Record<string, FactKind>>>(definition: {
  readonly name: string;
  readonly facts: Facts;
  readonly words: string;
}): DefinedCapability<Facts> {
  const { name, facts, words } = definition;
  if (!isCapabilityName(name))
    throw new TypeError(`\`${name}\` is not a capability name: lower-case words with dots between`);
  const reserved = ['name', 'unknown'].find((fact) => Object.hasOwn(facts, fact));
  if (reserved !== undefined) throw new TypeError(`a fact cannot be named \`${reserved}\``);
  const odd = Object.entries(facts).find(([, kind]) => !factKinds.includes(kind));
  if (odd !== undefined)
    throw new TypeError(
      `the fact \`${odd[0]}\` of ${name} is of the unknown kind \`${odd[1]}\`: text, number, boolean or list`,
    );
  const strange = [...words.matchAll(/\{([a-z0-9_]+)\}/g)].find(
    ([, fact = '']) => !Object.hasOwn(facts, fact),
  );
  if (strange !== undefined)
    throw new TypeError(
      `the words of ${name} name \`${strange[1]}\`, which is not one of its facts: ${Object.keys(facts).join(', ')}`,
    );
  return { name, facts, words, of: (values) => capabilityOf(name, values) };
}

/** A fact that is unknown before the call runs: it is left out, and a rule that reads it is undecided. */
export class Unknown {
  constructor(readonly why: string) {}
}

/** The approver sees the reason. */
export function unknown(why: string): Unknown {
  return new Unknown(why);
}

export interface DefinedCapability<Facts extends Readonly<Record<string, FactKind>>>
  extends CapabilityDefinition {
  readonly facts: Facts;
  /** Unknown facts are left out; `unknown` holds their reasons. */
  readonly of: (values: { readonly [fact in keyof Facts]?: FactValue[Facts[fact]] | Unknown }) => Capability;
}

interface FactValue {
  readonly text: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly list: readonly string[];
}

function capabilityOf(name: string, values: Readonly<Record<string, unknown>>): Capability {
  const entries = Object.entries(values);
  const known = entries.filter(([, value]) => !(value instanceof Unknown) && value !== undefined);
  const whys = entries.flatMap(([fact, value]) => (value instanceof Unknown ? [[fact, value.why]] : []));
  const facts = Object.fromEntries(known) as JsonObject;
  return {
    ...facts,
    ...(whys.length === 0 ? {} : { unknown: Object.fromEntries(whys) as JsonObject }),
    name,
  };
}
