import { equalJson, isJson, isJsonObject, type Json, type JsonObject, printableLines } from '@ambit/core';
import type { Pin, Pins } from './pin-file.js';

/** The result of comparing listed definitions with the accepted ones. */
export interface ComparedPins {
  /** The pins to store. */
  readonly pins: Pins;
  /** Why a listed definition is not offered, by its name among the pins. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The pin of a server's instructions for the model. No tool can have such a name. */
export const instructionsPin = 'instructions of the server';

const longestText = 8_000;
const longestDefinition = 200_000;
/** The length of all pins of a server: a file that grows without end would make every list slower. */
const longestPins = 8_000_000;

/** The pins of the tools in a list. Names with a space belong to pins of other kinds, and no tool that is offered has one. */
export function toolPins(list: readonly unknown[]): readonly Pin[] {
  return list.flatMap((definition) => {
    if (!isJson(definition) || !isJsonObject(definition) || typeof definition.name !== 'string') return [];
    return definition.name.includes(' ') ? [] : [{ tool: definition.name, definition }];
  });
}

/** New definitions are accepted when they are first seen; a changed one waits for a person. */
export function comparePins(
  list: readonly Pin[],
  { server, known }: { readonly server: string; readonly known: Pins | null },
): ComparedPins {
  const accepted = new Map((known?.accepted ?? []).map((pin) => [pin.tool, pin.definition]));
  // Waiting changes of other lists are kept.
  const listed = new Set(list.map(({ tool }) => tool));
  const waiting = new Map((known?.changed ?? []).map((pin) => [pin.tool, pin]));
  const changed = new Map([...waiting].filter(([tool]) => !listed.has(tool)));
  const refused = new Map<string, string>();
  let room = longestPins - JSON.stringify([...accepted, ...changed]).length;
  for (const { tool, definition } of list) {
    const before = accepted.get(tool);
    const isKnown = before !== undefined && equalJson(before, definition);
    if (!isKnown) room -= tool.length + JSON.stringify(definition).length;
    const hasRoom = isKnown || room >= 0;
    const why = hasRoom ? problemOf(definition) : 'this server lists more than can be kept';
    if (why !== null) refused.set(tool, why);
    else if (before === undefined) accepted.set(tool, definition);
    else if (!isKnown) {
      const last = waiting.get(tool);
      // Another definition than the one that a person has seen.
      const isSame = last !== undefined && equalJson(last.definition, definition);
      changed.set(tool, isSame ? last : { tool, definition });
      refused.set(tool, 'its definition differs from the accepted one');
    }
  }
  const kept = [...accepted].map(([tool, definition]): Pin => ({ tool, definition }));
  // In the order in which a person was shown them.
  const order = new Set([...waiting.keys(), ...changed.keys()]);
  const still = [...order].flatMap((tool) => changed.get(tool) ?? []);
  return { pins: { server, accepted: kept, changed: still }, refused };
}

/** Records that a person has seen these definitions, if they still wait. */
export function seenPins(pins: Pins, seen: readonly Pin[]): Pins {
  const isSeen = ({ tool, definition }: Pin) =>
    seen.some((each) => each.tool === tool && equalJson(each.definition, definition));
  return { ...pins, changed: pins.changed.map((pin) => (isSeen(pin) ? { ...pin, isSeen: true } : pin)) };
}

/** Accepts these of the waiting definitions. */
export function acceptPins(pins: Pins, chosen: readonly Pin[]): Pins {
  const names = new Set(chosen.map(({ tool }) => tool));
  const others = (list: readonly Pin[]) => list.filter(({ tool }) => !names.has(tool));
  const taken = chosen.map(({ tool, definition }) => ({ tool, definition }));
  return { ...pins, accepted: [...others(pins.accepted), ...taken], changed: others(pins.changed) };
}

/** Why a definition is never offered; null if it may be offered. */
function problemOf(definition: JsonObject): string | null {
  if (JSON.stringify(definition).length > longestDefinition)
    return `its definition is longer than ${longestDefinition} characters`;
  const texts = textsIn(definition);
  if (texts.some((text) => text.length > longestText))
    return `it has a text of more than ${longestText} characters`;
  if (hidesCharacters(definition)) return 'its definition contains invisible characters';
  return null;
}

/** Whether a text in it, or a key, has invisible characters. */
export function hidesCharacters(definition: JsonObject): boolean {
  return textsIn(definition).some(hasInvisible);
}

/** The characters that join the parts of an emoji, or make one of a sign, and the line ends of Windows. */
const usual =
  /(?<=\p{ExtPict})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})|\r(?=\n)/gu;

function hasInvisible(text: string): boolean {
  // A written escape is visible, and would be escaped itself.
  const plain = text.replaceAll('\\u{', ' ').replace(usual, '');
  return printableLines(plain) !== plain;
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
