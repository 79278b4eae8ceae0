import type { Capability } from '../../words/capability.js';
import { inWords } from '../../words/in-words.js';
import { equalJson, type Json } from '../../words/json.js';
import { type CapabilityDefinition, vocabulary } from '../../words/vocabulary.js';
import type { ExampleCall } from './example-calls.js';
import type { ShownCall } from './shown-call.js';

/** Not escaped. */
export function exampleInWords(
  call: ShownCall,
  example: ExampleCall,
  own: readonly CapabilityDefinition[] = [],
): string {
  if (example.differ.length > 0) {
    return example.differ
      .flatMap((index) => {
        const capability = example.capabilities[index];
        return capability === undefined ? [] : [changeInWords(capability, call.capabilities[index], own)];
      })
      .join('; ');
  }
  const { args } = example;
  if (args === null) return 'the same call with other arguments';
  const keys = Object.keys(args).filter((key) => !equalJson(args[key] as Json, call.args[key] ?? null));
  if (keys.length === 0) return 'the same call again';
  return `the same, with ${keys.map((key) => `${key} ${JSON.stringify(args[key])}`).join(', ')}`;
}

/** Adds changed facts that the words omit. */
function changeInWords(
  capability: Capability,
  shown: Capability | undefined,
  own: readonly CapabilityDefinition[],
): string {
  const words = inWords(capability, own);
  const definition = [...vocabulary, ...own].find(({ name }) => name === capability.name);
  if (definition === undefined || shown === undefined) return words;
  const unsaid = Object.entries(capability).filter(
    ([fact, value]) =>
      fact !== 'name' &&
      !definition.words.includes(`{${fact}}`) &&
      !equalJson(value as Json, shown[fact] ?? null),
  );
  return [words, ...unsaid.map(([fact, value]) => `${fact} ${JSON.stringify(value)}`)].join(', ');
}
