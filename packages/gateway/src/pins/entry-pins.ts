import { equalJson, type JsonObject } from '@ambit/core';
import { comparePins } from './compare-pins.js';
import { changePins, type Pin, type Pins } from './pin-file.js';

/** For each list: the word before the names of its pins, and what a model may read of an entry. */
const kinds = {
  'prompts/list': { word: 'prompt', keys: ['name', 'title', 'description', 'arguments'] },
  'resources/list': { word: 'resource', keys: ['uri', 'name', 'title', 'description'] },
  'resources/templates/list': { word: 'template', keys: ['uriTemplate', 'name', 'title', 'description'] },
} as const;

export type List = keyof typeof kinds;

interface Entry {
  /** The server's own name for it. */
  readonly own: string;
  readonly entry: JsonObject;
}

/** The pins of prompts, resources and templates of one server. They are compared with each list that is asked for. */
export class EntryPins {
  readonly #file: string;
  readonly #server: string;
  readonly #say: (line: string) => void;
  readonly #accepted = new Map<string, JsonObject>();
  readonly #refused = new Map<string, string>();

  /** `pins`: those in the file. */
  constructor(file: string, pins: Pins, say: (line: string) => void) {
    this.#file = file;
    this.#server = pins.server;
    this.#say = say;
    for (const { tool, definition } of pins.accepted) this.#accepted.set(tool, definition);
    for (const { tool } of pins.changed) this.#refused.set(tool, 'it changed, and waits for a person');
  }

  /** Why an entry may not be used; null if it may be. */
  refusal(list: List, own: string): string | null {
    return this.#refused.get(nameOf(list, own)) ?? null;
  }

  /** Leaves out what may not be offered. New definitions are stored before they are offered. */
  async offered<T extends Entry>(list: List, entries: readonly T[]): Promise<readonly T[]> {
    const found = entries.map(({ own, entry }) => ({
      tool: nameOf(list, own),
      definition: read(list, entry),
    }));
    const refused = await this.#compare(found);
    return entries.filter(({ own }) => !refused.has(nameOf(list, own)));
  }

  async #compare(found: readonly Pin[]): Promise<ReadonlyMap<string, string>> {
    const isKnown = ({ tool, definition }: Pin) => {
      const before = this.#accepted.get(tool);
      return before !== undefined && !this.#refused.has(tool) && equalJson(before, definition);
    };
    if (found.every(isKnown)) return new Map();
    const { pins, refused } = await changePins(this.#file, (known) =>
      comparePins(found, { server: this.#server, known }),
    );
    for (const { tool, definition } of pins.accepted) this.#accepted.set(tool, definition);
    for (const { tool } of found) if (!refused.has(tool)) this.#refused.delete(tool);
    for (const [tool, why] of refused) {
      const isNew = !this.#refused.has(tool);
      if (isNew && this.#refused.size >= mostRefused && !this.#accepted.has(tool)) continue;
      if (isNew) this.#say(`${tool} is not offered: ${why}`);
      this.#refused.set(tool, why);
    }
    return refused;
  }
}

/** The most names of refused entries that are remembered, besides those that changed. */
const mostRefused = 1_000;

/** A URI has one name, however it is written. */
function nameOf(list: List, own: string): string {
  const name = list === 'resources/list' && URL.canParse(own) ? new URL(own).href : own;
  return `${kinds[list].word} ${name}`;
}

function read(list: List, entry: JsonObject): JsonObject {
  const keys: readonly string[] = kinds[list].keys;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => keys.includes(key)));
}
