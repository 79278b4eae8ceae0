import { isObject, type Json, type JsonObject } from '@ambit/core';

// A log is data from outside: describing it must not fail.

export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf<T = Json>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

/** Of at most 15 digits, as in a head. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 1e15;
}

export function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
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
