import { equalJson, type JsonObject } from '@ambit/core';
import { comparePins, hidesCharacters } from './compare-pins.js';
import { changePins, type Pin, type Pins } from './pin-file.js';

const shared = ['name', 'title', 'description'];

/**
 * For each list: the key of its entries, the key that names an entry, the word before the names of its pins, and the
 * keys of an entry that a model may read.
 */
export const lists = {
  'prompts/list': { entries: 'prompts', named: 'name', word: 'prompt', keys: [...shared, 'arguments'] },
  'resources/list': {
    entries: 'resources',
    named: 'uri',
    word: 'resource',
    keys: ['uri', 'mimeType', ...shared],
  },
  'resources/templates/list': {
    entries: 'resourceTemplates',
    named: 'uriTemplate',
    word: 'template',
    keys: ['uriTemplate', 'mimeType', ...shared],
  },
} as const;

export type List = keyof typeof lists;

interface Entry {
  /** The server's own name for it. */
  readonly own: string;
  readonly entry: JsonObject;
}

/** The pins of prompts, resources and templates of one server. They are compared with each list that is asked for. */
export class EntryPins {
  readonly #accepted = new Map<string, JsonObject>();
  readonly #refused = new Map<string, string>();

  /** `pins`: those in the file. */
  constructor(
    private readonly file: string,
    private readonly pins: Pins,
    private readonly say: (line: string) => void,
  ) {
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
    const { pins, refused } = await changePins(this.file, (known) =>
      comparePins(found, { server: this.pins.server, known }),
    );
    for (const { tool, definition } of pins.accepted) this.#accepted.set(tool, definition);
    for (const { tool } of found) if (!refused.has(tool)) this.#refused.delete(tool);
    for (const [tool, why] of refused) {
      const isNew = !this.#refused.has(tool);
      if (isNew && this.#refused.size >= mostRefused && !this.#accepted.has(tool)) continue;
      if (isNew) this.say(`${tool} is not offered: ${why}`);
      this.#refused.set(tool, why);
    }
    return refused;
  }
}

/** The most names of refused entries that are remembered, besides those that changed. */
const mostRefused = 1_000;

function nameOf(list: List, own: string): string {
  return `${lists[list].word} ${list === 'prompts/list' ? own : plainUri(own)}`;
}

/** The one form of a URI, or of a template for URIs, however it is written. */
export function plainUri(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  return new URL(uri).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

function read(list: List, entry: JsonObject): JsonObject {
  const { keys } = lists[list];
  // Refused for them: clients may show a model any part of an entry.
  if (hidesCharacters(entry)) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => keys.includes(key)));
}
