import { fileSetOf, fileSetProblem, isToolName, type Json, type JsonObject } from '@ambit/core';
import { putInFolder } from '../../condition/path-pattern.js';
import { globKindOf } from '../../condition/read-pattern.js';
import { checkCapabilityName, checkWorkerName } from '../../grammar/names.js';
import {
  expectKind,
  expectKindOrEmpty,
  type Folders,
  type Reading,
  readKeys,
  reportMissing,
} from '../../grammar/reading.js';
import { quote } from '../../text/escape.js';
import { parseTimestamp } from '../../text/timestamp.js';
import { type Entry, type MapNode, type Node, toJson } from '../../text/tree.js';
import type { WrittenCall } from '../suite.js';

/** What a line for `ambit decide` may have. */
const callKeys = [
  'tool',
  'args',
  'capabilities',
  'worker',
  'context',
  'history',
  'grants',
  'now',
  'id',
] as const;

/** A call, with paths in facts that begin with `~/` or `./` put in their folders. What is wrong is reported. */
export function readCall(node: Node, reading: Reading): WrittenCall | undefined {
  const map = expectKind(node, ['map'], reading);
  if (map === undefined) return undefined;
  const entries = readKeys(map, callKeys, reading);
  if (entries.tool === undefined)
    reportMissing('tool', map, { reading, help: 'the full name of a tool: `toolset.tool`' });
  else readToolName(entries.tool, reading);
  readWorker(entries.worker, reading);
  readObject(entries.args, reading);
  readObject(entries.context, reading);
  readNow(entries.now, reading);
  readGrants(entries.grants, reading);
  const lists = {
    ...readCapabilities(entries.capabilities, reading),
    ...readCapabilities(entries.history, reading),
  };
  return { ...(toJson(map) as JsonObject), ...lists };
}

/** A name, or a chain with the root first. */
export function readWorker(entry: Entry | undefined, reading: Reading): void {
  const node = entry === undefined ? undefined : expectKind(entry.value, ['text', 'list'], reading);
  const names = node === undefined ? [] : node.kind === 'text' ? [node] : node.items;
  for (const item of names) {
    const name = expectKind(item, ['text'], reading);
    if (name !== undefined) checkWorkerName(name.value, name.span, reading.problems);
  }
}

/** A map, which may be empty. */
export function readObject(entry: Entry | undefined, reading: Reading): JsonObject | undefined {
  const map = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['map'], reading);
  return map === undefined ? undefined : (toJson(map) as JsonObject);
}

export function readNow(entry: Entry | undefined, reading: Reading): void {
  const node = entry === undefined ? undefined : expectKind(entry.value, ['text'], reading);
  if (node === undefined || parseTimestamp(node.value) !== null) return;
  reading.problems.add('BAD_TIME', node.span, {
    message: `${quote(node.value)} is not a date and time`,
    help: 'RFC 3339: 2026-11-20T10:00:00Z',
  });
}

function readToolName(entry: Entry, reading: Reading): void {
  const node = expectKind(entry.value, ['text'], reading);
  if (node === undefined || isToolName(node.value)) return;
  const help = '`toolset.tool`';
  reading.problems.add('BAD_TOOL_NAME', node.span, { message: `${quote(node.value)} names no tool`, help });
}

function readCapabilities(entry: Entry | undefined, reading: Reading): JsonObject {
  const list = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['list'], reading);
  if (entry === undefined || list === undefined) return {};
  return { [entry.key]: list.items.map((item) => readCapability(item, reading)) };
}

/** A name, or `{name, …facts}`. Facts may be in any form: how a policy takes what it is told is worth a case. */
function readCapability(node: Node, reading: Reading): JsonObject | string {
  const read = expectKind(node, ['text', 'map'], reading);
  if (read === undefined) return '';
  if (read.kind === 'text') {
    checkCapabilityName(read.value, read.span, reading.problems);
    return read.value;
  }
  const name = read.entries.find(({ key }) => key === 'name');
  if (name === undefined) reportMissing('name', read, { reading, help: 'the name of the capability' });
  const text = name === undefined ? undefined : expectKind(name.value, ['text'], reading);
  if (text !== undefined) checkCapabilityName(text.value, text.span, reading.problems);
  checkFileSet(read, reading);
  return withFolders(read, reading);
}

function checkFileSet({ entries }: MapNode, { problems }: Reading): void {
  const path = entries.find(({ key }) => key === 'path');
  const problem = path === undefined ? null : fileSetProblem(toJson(path.value));
  if (path === undefined || problem === null) return;
  problems.add('WRONG_TYPE', path.value.span, {
    message: `this is no file set: ${problem}`,
    help: '`{ paths: [/w/a, /w/b] }`, with `open: true` where others may exist, and `under: /w` where they lie there',
  });
}

function withFolders(map: MapNode, { folders }: Reading): JsonObject {
  return Object.fromEntries(
    map.entries.map(({ key, value }) => [
      key,
      globKindOf(key) === 'path' && value.kind === 'text'
        ? putInFolder(value.value, folders)
        : key === 'path'
          ? setInFolders(toJson(value), folders)
          : toJson(value),
    ]),
  );
}

/** A file set with its paths put in their folders; anything else as it is. */
function setInFolders(value: Json, folders: Folders): Json {
  const set = fileSetOf(value);
  if (set === null) return value;
  const { paths, under, ...rest } = set;
  return {
    ...rest,
    paths: paths.map((path) => putInFolder(path, folders)),
    ...(under === undefined ? {} : { under: putInFolder(under, folders) }),
  };
}

function readGrants(entry: Entry | undefined, reading: Reading): void {
  const list = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['list'], reading);
  for (const item of list?.items ?? []) {
    const map = expectKind(item, ['map'], reading);
    if (map === undefined) continue;
    const { worker, tool, capabilities } = readKeys(map, ['worker', 'tool', 'capabilities'], reading);
    if (worker === undefined) reportMissing('worker', map, { reading, help: 'whose grant it is' });
    else readGrantee(worker, reading);
    if (tool === undefined) reportMissing('tool', map, { reading, help: '`toolset.tool`' });
    else readToolName(tool, reading);
    const names =
      capabilities === undefined ? undefined : expectKindOrEmpty(capabilities.value, ['list'], reading);
    for (const name of names?.items ?? []) {
      const text = expectKind(name, ['text'], reading);
      if (text !== undefined) checkCapabilityName(text.value, text.span, reading.problems);
    }
  }
}

function readGrantee(entry: Entry, reading: Reading): void {
  const name = expectKind(entry.value, ['text'], reading);
  if (name !== undefined) checkWorkerName(name.value, name.span, reading.problems);
}
