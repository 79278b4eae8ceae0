import { isJsonObject, type Json, type JsonObject, printableLines, shortened } from '@ambit/core';
import { type McpServer, toolsetNameOf } from '../connection/server-definition.js';

const mostDescription = 4_000;
const mostQuoted = 300;
const mostNote = 1_000;

/** A tool's description for the model: without invisible characters, cut, and marked as the server's. */
export function shownDescription(description: string, server: Pick<McpServer, 'key'>): string {
  if (description.trim() === '') return `(The MCP server ${toolsetNameOf(server)} says nothing about it.)`;
  return `(In the words of the MCP server ${toolsetNameOf(server)}:) ${shortened(printableLines(description), mostDescription)}`;
}

/** For a person: quoted, and marked as the server's words. Not escaped. */
export function quoted(words: string, server: Pick<McpServer, 'key'>): string {
  const text = shortened(words.replace(/\s+/g, ' ').trim(), mostQuoted);
  return `the server ${toolsetNameOf(server)} says: ${JSON.stringify(text)}`;
}

/** For the model and the log. */
export function saidBy(server: Pick<McpServer, 'key'>, words: string): string {
  return `the server ${toolsetNameOf(server)} says: ${printableLines(words)}`;
}

const notes: readonly string[] = ['title', 'description', '$comment'];
/** Models reject schemas with these at the top. Values must still match them. */
const notAtTheTop: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'];

/** Descriptions without invisible characters, and cut. */
export function shownSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([key]) => !notAtTheTop.includes(key));
  return withPrintableNotes(Object.fromEntries(entries)) as JsonObject;
}

function withPrintableNotes(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withPrintableNotes);
  if (!isJsonObject(value)) return value;
  // fromEntries defines own properties, so a key called "__proto__" stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      notes.includes(key) && typeof inner === 'string'
        ? shortened(printableLines(inner), mostNote)
        : withPrintableNotes(inner),
    ]),
  );
}
