import { hash } from 'node:crypto';
import { join, relative } from 'node:path';
import { createdPrefix, hiddenCharacters, isJsonObject, isSimpleName, type JsonObject } from '@ambit/core';
import type { Catalogue, Perform } from '../catalogue/catalogue.js';
import type { Happening } from '../host/session-event.js';
import type { Journal, PastCall } from '../journal/journal.js';
import { isReserved } from '../worker-file/given-toolsets.js';
import { readModel } from '../worker-file/model-name.js';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';
import { readWorker } from '../worker-file/worker-file.js';
import { createdReferences, defaultsFor, differencesFrom, type WantedToolsets } from './created-defaults.js';
import { type CreatedContent, createdText } from './created-text.js';
import { generatedFolder } from './generated-folder.js';

export type CreateArguments = JsonObject & {
  readonly name: string;
  readonly instructions: string;
  readonly description: string;
  readonly output_schema?: JsonObject;
  readonly model?: string;
  readonly toolsets?: WantedToolsets;
};

/** What the tools by which workers call and create others need of their run. */
export interface Delegating {
  readonly catalogue: Catalogue;
  readonly journal: Journal;
  /** Why the model is not available in the run, or null. */
  readonly problemWith: (model: string) => string | null;
  readonly emit: (event: Happening) => void;
  readonly perform: Perform;
}

export interface Proposal {
  /** `created:NAME` */
  readonly definition: WorkerDefinition;
  /** Without the prefix. */
  readonly name: string;
  readonly text: string;
  /** In words. */
  readonly differs: readonly string[];
  readonly warnings: readonly string[];
}

/** Control, bidirectional and invisible characters: text of only these is empty. */
const invisible = new RegExp(String.raw`[\p{C}\p{Z}${hiddenCharacters}]`, 'gu');

/** The longest file in characters: a person must read it. */
const longest = 100_000;

/** A proposal as it would be written and read back; or why it is invalid. Writes nothing. */
export function proposeWorker(
  { catalogue, problemWith }: Delegating,
  creator: WorkerDefinition,
  args: CreateArguments,
): Proposal | { readonly problem: string } {
  const { folder, defaults } = catalogue.creation;
  const usual = defaultsFor(creator, defaults);
  const { name, description, model = usual.model, output_schema: outputSchema = null } = args;
  if (folder === null) return { problem: 'there is no folder of workers' };
  const unusable = problemWithName(name, catalogue);
  if (unusable !== null) return { problem: unusable };
  const instructions = args.instructions.trim();
  if (instructions.replace(invisible, '') === '')
    return { problem: '`instructions` are empty: say what the worker is told to do' };
  const odd = model === null ? null : problemWith(model);
  if (odd !== null) return { problem: odd };
  // Its instructions would be sent to that address.
  const isElsewhere = args.model !== undefined && (readModel(args.model)?.url ?? null) !== null;
  if (isElsewhere && args.model !== usual.model)
    return { problem: 'a created worker cannot name the address of a model: leave `model` out' };
  const given = args.toolsets === undefined ? usual : createdReferences(creator, args.toolsets);
  if ('problem' in given) return given;
  const { references, warnings } = given;
  const rootsFor = (list: readonly ToolsetReference[]) =>
    // Other workers get no folders.
    list.some(({ key }) => key === 'filesystem' || key === 'shell')
      ? creator.roots.filter((root) => usual.roots === null || usual.roots.includes(root.name))
      : [];
  const content: CreatedContent = {
    name,
    description,
    instructions,
    model,
    outputSchema,
    roots: rootsFor(references),
    attachments: usual.attachments,
    toolsets: references,
    maxDepth: usual.maxDepth,
  };
  const text = createdText(content);
  if (text.length > longest) return { problem: `a worker file has at most ${longest} characters` };
  const path = join(folder, generatedFolder, `${name}.worker`);
  const read = readBack(catalogue, content, { text, path });
  if ('problem' in read) return read;
  return {
    name,
    text,
    differs: differencesFrom({ ...usual, roots: rootsFor(usual.references) }, content),
    warnings,
    definition: {
      ...read.definition,
      name: `${createdPrefix}${name}`,
      createdBy: creator.name,
      // The creator's own references: they cannot mean another module, server or folder.
      toolsets: references,
      roots: content.roots,
    },
  };
}

function problemWithName(name: string, { workers, shared, factories }: Catalogue): string | null {
  if (!isSimpleName(name))
    return 'a name is a lower-case letter followed by lower-case letters, digits, `_` and `-`';
  if (isReserved(name)) return `the name \`${name}\` is reserved`;
  const isTaken = [name, `${createdPrefix}${name}`].some((known) => workers.has(known));
  if (isTaken || shared.has(name) || factories.has(name))
    return `there is a worker or a toolset \`${name}\` already`;
  return null;
}

/** The definition in this text, if it means what was proposed. */
function readBack(
  { workers, shared, factories, creation, root }: Catalogue,
  { name, instructions, description, model, toolsets }: CreatedContent,
  { text, path }: { readonly text: string; readonly path: string },
): { readonly definition: WorkerDefinition } | { readonly problem: string } {
  const bytes = new TextEncoder().encode(text);
  const sha256 = hash('sha256', bytes);
  // As it will be read when a person has put it beside the others.
  const neighbours = {
    folder: creation.folder ?? '/',
    workers: [...workers.keys()].filter((worker) => !worker.startsWith(createdPrefix)),
    shared: [...shared.values(), ...factories.values()],
  };
  const of = { name, path, file: relative(root, path), sha256 };
  const { definition, diagnostics } = readWorker(of, bytes, neighbours);
  if (definition === null) {
    const said = diagnostics.map(
      ({ line, message, help }) => `line ${line}: ${message}${help === null ? '' : ` (${help})`}`,
    );
    return { problem: `this is not a worker: ${said.join('; ')}` };
  }
  const isSame =
    definition.instructions === instructions &&
    definition.description === description &&
    definition.model === model;
  if (!isSame) return { problem: 'the worker would not read back as it is written: use plain text' };
  // The creator may be of another folder, where a path means another module.
  const moved = toolsets.find((each, index) => each.path !== definition.toolsets[index]?.path);
  if (moved !== undefined)
    return { problem: `the module ${moved.key} would be a different file in the folder of the workers` };
  return { definition };
}

/** Restores the workers that the run had created; their files are not read. */
export function admitCreated(of: Delegating): void {
  const { workers, creation, admit } = of.catalogue;
  for (const call of of.journal.past.calls.values()) {
    const made = creationIn(call);
    const creator = made === null ? undefined : workers.get(made.creator);
    if (made === null || creator === undefined) continue;
    const proposal = proposeWorker(of, creator, made.args);
    if ('problem' in proposal)
      throw new Error(
        `the worker \`${made.args.name}\` that the run created cannot be made again: ${proposal.problem}`,
      );
    creation.names.add(proposal.name);
    admit(proposal.definition);
  }
}

/** Null for other calls. */
function creationIn({ events, came }: PastCall): { args: CreateArguments; creator: string } | null {
  const last = events.findLast((event) => event.event === 'decision');
  if (last?.tool !== 'delegation.worker_create' || came === null || !('result' in came)) return null;
  const creator = last.chain[last.chain.length - 1];
  if (creator === undefined || !isJsonObject(last.args)) return null;
  return { args: last.args as CreateArguments, creator };
}
