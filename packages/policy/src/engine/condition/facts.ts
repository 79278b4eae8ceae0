import { type Capability, canonicalForm, isUnknownMember, type Json } from '@ambit/core';

/** In place of the capability, for conditions that see the call alone. */
export const nothing: Capability = Object.freeze({ name: 'tool.call' });

/** Reads one fact of a reported capability as rules see it: undefined where it is missing or not canonical. */
export type ReadFact = (capability: Capability) => Json | undefined;

/** Texts up to this length are remembered. */
const longest = 4_096;

/** The readers of facts with a canonical form: one for each, which remembers the last canonical text. */
const known = new Map<string, ReadFact>();

export function readFact(fact: string): ReadFact {
  const isForm = canonicalForm(fact);
  if (isForm === undefined)
    return (capability) => {
      const value = capability[fact];
      return value !== undefined && Object.hasOwn(capability, fact) ? value : undefined;
    };
  const reader = known.get(fact) ?? readCanonical(fact, isForm);
  known.set(fact, reader);
  return reader;
}

function readCanonical(fact: string, isForm: (fact: Json) => boolean): ReadFact {
  let last: Json = null;
  return (capability) => {
    const value = capability[fact];
    if (value === undefined || !Object.hasOwn(capability, fact)) return undefined;
    if (value === last && typeof value === 'string') return value;
    if (fact === 'path' && typeof value === 'object') return isUnknownMember(value) ? value : undefined;
    if (!isForm(value)) return undefined;
    if (typeof value === 'string' && value.length <= longest) last = value;
    return value;
  };
}
