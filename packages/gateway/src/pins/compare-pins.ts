import { equalJson, isJson, isJsonObject, type Json, type JsonObject, printableLines } from '@ambit/core';
import type { Pin, Pins } from './pin-file.js';

/** The result of comparing a list of tools with the accepted definitions. */
export interface ComparedPins {
  /** The pins to store. */
  readonly pins: Pins;
  /** Why a listed tool is not offered, by tool name. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The pin of a server's instructions for the model. No tool can have such a name. */
export const instructionsPin = 'instructions of the server';

const longestText = 8_000;
const longestDefinition = 200_000;

/** New tools are accepted when they are first seen; a changed tool waits for a person. */
export function comparePins(
  list: readonly unknown[],
  { server, known }: { readonly server: string; readonly known: Pins | null },
): ComparedPins {
  const accepted = new Map((known?.accepted ?? []).map((pin) => [pin.tool, pin.definition]));
  const changed: Pin[] = [];
  const refused = new Map<string, string>();
  for (const definition of list) {
    if (!isJson(definition) || !isJsonObject(definition) || typeof definition.name !== 'string') continue;
    const { name: tool } = definition;
    const why = problemOf(definition);
    const before = accepted.get(tool);
    if (why !== null) refused.set(tool, why);
    else if (before === undefined) accepted.set(tool, definition);
    else if (!equalJson(before, definition)) {
      changed.push({ tool, definition });
      refused.set(tool, 'its definition differs from the accepted one');
    }
  }
  const all = [...accepted].map(([tool, definition]): Pin => ({ tool, definition }));
  return { pins: { server, accepted: all, changed }, refused };
}

/** Accepts the waiting definitions of these tools, or of all tools. */
export function acceptPins(pins: Pins, tools: readonly string[]): Pins {
  const isAccepted = ({ tool }: Pin) => tools.length === 0 || tools.includes(tool);
  const taken = pins.changed.filter(isAccepted);
  const names = new Set(taken.map(({ tool }) => tool));
  return {
    ...pins,
    accepted: [...pins.accepted.filter(({ tool }) => !names.has(tool)), ...taken],
    changed: pins.changed.filter((pin) => !isAccepted(pin)),
  };
}

/** Why a definition is never offered; null if it may be offered. */
function problemOf(definition: JsonObject): string | null {
  if (JSON.stringify(definition).length > longestDefinition)
    return `its definition is longer than ${longestDefinition} characters`;
  const texts = textsIn(definition);
  if (texts.some((text) => text.length > longestText))
    return `it has a text of more than ${longestText} characters`;
  if (texts.some((text) => printableLines(text) !== text))
    return 'its definition contains invisible characters';
  return null;
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
