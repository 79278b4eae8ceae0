import type { Json, JsonObject } from '@ambit/core';

// A log is data from outside: wording it must not fail, whatever it contains.

export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}

/** A text as it is, anything else as JSON. */
export function wordsOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
}

/** `orchestrator > evaluator` */
export function chainOf(value: Json | undefined): string {
  return listOf(value).map(wordsOf).join(' > ');
}
