import { fileSetOf, fileSetProblem, type Json, type JsonObject } from '@ambit/core';
import { putInFolder } from '../../condition/path-pattern.js';
import { factIn } from '../../condition/read-pattern.js';
import { type Grammar, map } from '../../grammar/grammar.js';
import { instantIn } from '../../grammar/instant.js';
import { capabilityName, toolName, workerName } from '../../grammar/names.js';
import { expectKind, type Folders, type Reading, reportMissing } from '../../grammar/reading.js';
import { anyText, anything, list, object, oneOrList } from '../../grammar/values.js';
import { type MapNode, toJson } from '../../text/tree.js';
import type { WrittenCall } from '../suite.js';

/** A name, or `{name, …facts}`. Facts may have any form, because a case may test how a policy reads them. */
const capability: Grammar<JsonObject | string, Reading> = {
  schema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] },
    ],
  },
  read: (node, at) => {
    const found = expectKind(node, ['text', 'map'], at);
    if (found === undefined || found.kind === 'text') return found && capabilityName.read(found, at);
    const name = found.entries.find(({ key }) => key === 'name');
    if (name === undefined) reportMissing('name', found, { reading: at, help: 'the name of the capability' });
    else capabilityName.read(name.value, at);
    checkFileSet(found, at);
    return withFolders(found, at);
  },
};
const capabilities = list(capability, { mayBeEmpty: true });

const grant = map({
  worker: { is: workerName, missing: 'whose grant it is' },
  tool: { is: toolName, missing: '`toolset.tool`' },
  capabilities: { is: list(capabilityName, { mayBeEmpty: true }) },
});

export const surroundings = {
  worker: { is: oneOrList(workerName), about: 'a name, or a chain with the root first' },
  context: { is: object },
  now: { is: instantIn(anyText), about: 'the time of the calls: 2026-11-20T10:00:00Z' },
};

const callKeys = map({
  tool: {
    is: toolName,
    about: 'toolset.tool',
    missing: 'the full name of a tool: `toolset.tool`',
  },
  args: { is: object },
  capabilities: { is: capabilities, about: 'what the call carries; described from `args` without it' },
  worker: surroundings.worker,
  context: surroundings.context,
  history: { is: capabilities, about: 'what the run has been permitted before' },
  grants: { is: list(grant, { mayBeEmpty: true }) },
  now: surroundings.now,
  id: { is: anything },
});

/** A call of `ambit decide`, with `~/` and `./` replaced in paths. */
export const call: Grammar<WrittenCall, Reading> = {
  schema: { ...callKeys.schema, description: 'a call, as `ambit decide` takes it' },
  read: (node, at) => {
    const read = callKeys.read(node, at);
    if (read === undefined) return undefined;
    const { capabilities, history } = read.values;
    return {
      ...(toJson(read.map) as JsonObject),
      ...(capabilities && { capabilities }),
      ...(history && { history }),
    };
  },
};

function checkFileSet({ entries }: MapNode, { problems }: Reading): void {
  const path = entries.find(({ key }) => key === 'path');
  const problem = path === undefined ? null : fileSetProblem(toJson(path.value));
  if (path === undefined || problem === null) return;
  problems.add('WRONG_TYPE', path.value.span, {
    message: `this is not a file set: ${problem}`,
    help: 'write `{ paths: [/w/a, /w/b] }`; add `open: true` if more files may exist, `under: /w` if all are in `/w`',
  });
}

function withFolders({ entries }: MapNode, { folders }: Reading): JsonObject {
  return Object.fromEntries(
    entries.map((entry) => {
      const fact = factIn(entry, folders);
      return [entry.key, entry.key === 'path' ? setInFolders(fact, folders) : fact];
    }),
  );
}

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
