import { isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';
import { plainUri } from '../pins/entry-pins.js';

const mostLinks = 1_000;
const longestUri = 4_000;

/** The servers whose results link to resources. */
export class Links<Served> {
  readonly #servers = new Map<string, Set<Served>>();

  add(uris: readonly string[], served: Served): void {
    for (const uri of uris) {
      const plain = plainUri(uri);
      const known = this.#servers.get(plain) ?? new Set();
      this.#servers.delete(plain);
      this.#servers.set(plain, known.add(served));
      const [oldest = plain] = this.#servers.keys();
      if (this.#servers.size > mostLinks) this.#servers.delete(oldest);
    }
  }

  serversOf(uri: string): readonly Served[] {
    return [...(this.#servers.get(plainUri(uri)) ?? [])];
  }
}

/** The links in the content of a tool's result, or in the messages of a prompt. */
export function linksIn({ content, messages }: JsonObject): readonly string[] {
  const blocks = [...listOf(content), ...listOf(messages).map((each) => objectOf(each).content)];
  return blocks.flatMap((block = null) => {
    if (!isJsonObject(block) || block.type !== 'resource_link') return [];
    const { uri } = block;
    return typeof uri === 'string' && uri.length <= longestUri ? [uri] : [];
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
