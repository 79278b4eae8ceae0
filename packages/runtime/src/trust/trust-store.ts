import { hash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ifThere, readNamed, writeWhole } from '@ambit/audit';
import { orNull } from '@ambit/core';
import type { PolicyFile } from '@ambit/policy';
import { longest } from './own-files.js';
import { type Environment, makePrivate, requirePrivate, stateFolder } from './state-folder.js';

/** A trusted policy file: its text, and that of everything it extends. */
export interface Trust {
  /** Real. */
  readonly path: string;
  readonly person: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly files: readonly PolicyFile[];
}

/** Null if it was never trusted. Throws if the record is unreadable, or others could write it. */
export async function trustOf(environment: Environment, path: string): Promise<Trust | null> {
  await requireOwnState(environment);
  const file = trustFile(environment, path);
  return ifThere(readTrust(file));
}

export async function keepTrust(environment: Environment, trust: Trust): Promise<void> {
  await makePrivate(stateFolder(environment), trustFolder(environment));
  const file = trustFile(environment, trust.path);
  await writeWhole(file, `${JSON.stringify({ version: 1, ...trust })}\n`);
}

/** False if there was no trust. */
export async function revokeTrust(environment: Environment, path: string): Promise<boolean> {
  await requireOwnState(environment);
  return (await ifThere(rm(trustFile(environment, path)))) !== null;
}

export async function listTrust(environment: Environment): Promise<readonly Trust[]> {
  await requireOwnState(environment);
  const folder = trustFolder(environment);
  const names = (await ifThere(readdir(folder))) ?? [];
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const all = await Promise.all(files.map(readTrust));
  return all.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function requireOwnState(environment: Environment): Promise<void> {
  await ifThere(requirePrivate(stateFolder(environment)));
}

function trustFolder(environment: Environment): string {
  return join(stateFolder(environment), 'trust');
}

export function trustFile(environment: Environment, path: string): string {
  const digest = hash('sha256', path).slice(0, 32);
  return join(trustFolder(environment), `${[...basename(path)].slice(0, 40).join('')}-${digest}.json`);
}

async function readTrust(file: string): Promise<Trust> {
  const bytes = await readNamed(file, longest);
  const trust = orNull(() => trustIn(bytes.toString()));
  if (trust !== null) return trust;
  throw new Error(`${file} is not a record of what was trusted: remove it, and trust the file again`);
}

/** Throws if it is not a record. */
function trustIn(text: string): Trust | null {
  const { version, path, person, at, files, ...others } = JSON.parse(text);
  const isWhole = version === 1 && areTexts([path, person, at]) && files.every(isPolicyFile);
  return isWhole && Object.keys(others).length === 0 ? { path, person, at, files } : null;
}

function isPolicyFile({ name, path, sha256, source, ...others }: Record<string, unknown>): boolean {
  return areTexts([name, path, sha256, source]) && Object.keys(others).length === 0;
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}
