import type { Capability } from '@ambit/core';
import type { Access, CodeEffect, Effect, PathEffect } from '../../effect.js';
import { text, textOf, type Word } from '../../word.js';
import type { Around } from '../effects.js';
import { inFolder } from '../words.js';

/** A file that a text names, and how it is touched. */
export function file(access: Access, name: string | Word, { folder, by }: Around): PathEffect {
  const word = typeof name === 'string' ? text(name) : name;
  return {
    kind: 'path',
    access,
    word,
    by: access === 'write' || access === 'delete' ? by : 'program',
    ...inFolder(folder),
  };
}

/** A file that a word names; nothing for a standard stream. */
export function fileOrStream(access: Access, name: Word, around: Around): readonly Effect[] {
  return isStream(name) ? [] : [file(access, name, around)];
}

export function isStream(name: Word): boolean {
  return ['', '-'].includes(textOf(name) ?? '?');
}

/** A folder that a text names, with its content. */
export function tree(access: Access, name: string | Word, around: Around): PathEffect {
  return { ...file(access, name, around), deep: true };
}

/** Text that the shell runs; null if it is computed at run time. */
export function shell(code: string | null, { folder }: Around): CodeEffect {
  return { kind: 'code', language: 'sh', text: code, ...inFolder(folder) };
}

/** A file of code. */
export function load(word: Word, { folder }: Around): Effect {
  return { kind: 'load', word, language: null, ...inFolder(folder) };
}

/** A host or a URL; null for an unknown one. */
export function connect(to: string | Word | null): Effect {
  return { kind: 'connect', to: typeof to === 'string' ? text(to) : to };
}

/** A capability that is stated as it is. */
export function capability(name: string, facts: Omit<Capability, 'name'> = {}): Effect {
  return { kind: 'capability', capability: { name, ...facts } };
}

/** The variable that is read; any if it is missing. */
export function readsVariable(variable?: string): Effect {
  return capability('env.read', variable === undefined ? {} : { variable });
}
