import { type InputSchema, isJsonObject, isSimpleName, type JsonObject } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import {
  decodeSource,
  diagnosticsOf,
  type Entry,
  expectKind,
  expectKindOrEmpty,
  type MapNode,
  type Node,
  parseYaml,
  quote,
  type Reporting,
  readBoolean,
  readKeys,
  readText,
  readWord,
  reportMissing,
  toJson,
} from '@ambit/policy/yaml';
import { valueSchema } from '../schema/json-schema.js';
import { isModelName } from './model-name.js';
import { isReserved } from './toolset-names.js';
import type { AttachmentLimits, RootDefinition, WorkerDefinition } from './worker-definition.js';
import { usualInput } from './worker-input.js';
import { readLimit, readSuffixes, type WorkerReading } from './worker-reading.js';
import { type ReadToolsets, readToolsets } from './worker-toolsets.js';

export type { WorkerNeighbours } from './worker-reading.js';

export interface ReadWorker {
  /** Null where anything is wrong. */
  readonly definition: WorkerDefinition | null;
  /** The workers that it may call. */
  readonly callees: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The keys of a worker file. */
export const workerKeys = [
  'name',
  'description',
  'model',
  'compatible_models',
  'input',
  'output',
  'sandbox',
  'attachments',
  'toolsets',
  'max_depth',
  'locked',
] as const;

export const rootKeys = [
  'root',
  'mode',
  'suffixes',
  'max_file_bytes',
  'read_approval',
  'write_approval',
  'untrusted',
] as const;

export const attachmentKeys = ['max_count', 'max_total_bytes', 'allow', 'deny'] as const;

/** The defaults of a worker file. */
export const workerDefaults = {
  maxDepth: 5,
  attachments: { maxCount: 10, maxTotalBytes: 20_000_000, allow: null, deny: [] },
} as const;

type File = Pick<WorkerDefinition, 'name' | 'file' | 'path' | 'sha256'>;

/** A worker from its file: YAML, a line `---`, and the instructions; or everything that is wrong with it. */
export function readWorker(
  file: File,
  bytes: Uint8Array,
  neighbours: WorkerReading['neighbours'],
): ReadWorker {
  const { source, problems } = decodeSource(file.file, bytes);
  const reading: WorkerReading = { source, problems, neighbours };
  if (!problems.isEmpty)
    return { definition: null, callees: [], diagnostics: diagnosticsOf(problems, source) };
  const { header, instructions } = split(source.text);
  if (instructions === null) {
    const start = source.text.trimEnd().length;
    problems.add(
      'NO_INSTRUCTIONS',
      { start, end: start },
      {
        message: 'no line `---` separates the instructions from what stands above them',
        help: 'end the YAML with a line `---`, and write below it what the model is told',
      },
    );
  }
  const root = isBlank(header) ? emptyMap : parseYaml(header, problems);
  const map = root === null ? undefined : expectKindOrEmpty(root, ['map'], reading);
  const read =
    map === undefined ? null : readHeader(map, { file, instructions: instructions ?? '', reading });
  return {
    definition: problems.isEmpty ? (read?.definition ?? null) : null,
    callees: read?.callees ?? [],
    diagnostics: diagnosticsOf(problems, source),
  };
}

const emptyMap: MapNode = {
  kind: 'map',
  entries: [],
  span: { start: 0, end: 0 },
  lack: { start: 0, end: 0 },
  isDamaged: false,
};

/** Only comments: all keys of a worker are optional. */
function isBlank(header: string): boolean {
  return header.split(/\r?\n/).every((line) => /^[ ]*(#.*)?$/.test(line));
}

/** The YAML with its offsets, and the text below it; null without a separator line. */
function split(text: string): { readonly header: string; readonly instructions: string | null } {
  const [opening = ''] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  // Lines are those of YAML and of a reader's editor: `^` and `$` would see more of them.
  const separator = /(?<=^|\n)---[ \t]*(?:\r?\n|$)/;
  const rest = text.slice(opening.length);
  const found = separator.exec(rest);
  const blank = opening.replace(/[^\r\n]/g, ' ');
  if (found === null) return { header: blank + rest, instructions: null };
  return {
    header: blank + rest.slice(0, found.index),
    instructions: rest.slice(found.index + found[0].length).trim(),
  };
}

interface Header {
  readonly file: File;
  readonly instructions: string;
  readonly reading: WorkerReading;
}

function readHeader(map: MapNode, { file, instructions, reading }: Header) {
  const entries = readKeys(map, workerKeys, reading);
  readName(entries.name, file.name, reading);
  const model = readModel(entries.model, reading);
  const compatibleModels = readGlobs(entries.compatible_models, reading);
  if (entries.model !== undefined && entries.compatible_models !== undefined) {
    reading.problems.add('MISPLACED_KEY', entries.compatible_models.keySpan, {
      message: 'a worker that states its model has no use for `compatible_models`',
      help: 'keep one of the two',
    });
  }
  const toolsets: ReadToolsets = readToolsets(entries.toolsets, reading);
  const definition: WorkerDefinition = {
    ...file,
    description: readText(entries.description, reading) ?? '',
    instructions,
    model,
    compatibleModels,
    input: readInput(entries.input, reading) ?? usualInput,
    output: readSchema(entries.output, reading),
    roots: readSandbox(entries.sandbox, reading),
    attachments: readAttachments(entries.attachments, reading),
    toolsets: toolsets.references,
    maxDepth: readLimit(entries.max_depth, reading) ?? workerDefaults.maxDepth,
    locked: readBoolean(entries.locked, reading) ?? false,
  };
  return { definition, callees: toolsets.callees };
}

function readName(entry: Entry | undefined, stem: string, reading: WorkerReading): void {
  const name = readText(entry, reading);
  if (!isSimpleName(stem) || isReserved(stem)) {
    const why = isSimpleName(stem) ? 'a reserved name' : 'not a name';
    const help = isSimpleName(stem)
      ? 'under `toolsets`, this name already means something else: rename the file'
      : 'a name begins with a lower-case letter and goes on with such letters, digits, `_` and `-`: `NAME.worker`';
    const message = `the file would define a worker ${quote(stem)}, which is ${why}`;
    reading.problems.add('BAD_WORKER_NAME', { start: 0, end: 0 }, { message, help });
  } else if (entry !== undefined && name !== undefined && name !== stem) {
    reading.problems.add('BAD_WORKER_NAME', entry.value.span, {
      message: `the worker of this file is called ${quote(stem)}, not ${quote(name)}`,
      help: 'callers and policies know a worker by the name of its file',
    });
  }
}

/** `anthropic:NAME` or `script:FILE`; null for none. */
export function readModel(entry: Entry | undefined, reading: Reporting): string | null {
  const model = readText(entry, reading);
  if (entry === undefined || model === undefined) return null;
  if (!isModelName(model)) {
    const help = model.startsWith('claude')
      ? `did you mean \`anthropic:${model}\`?`
      : 'anthropic:NAME or script:FILE';
    reading.problems.add('BAD_MODEL', entry.value.span, { message: `${quote(model)} is not a model`, help });
  }
  return model;
}

function readGlobs(entry: Entry | undefined, reading: WorkerReading): readonly string[] | null {
  if (entry === undefined) return null;
  return (expectKind(entry.value, ['list'], reading)?.items ?? []).flatMap((value) => textIn(value, reading));
}

function textIn(value: Node, reading: WorkerReading): readonly string[] {
  const text = readText({ key: '', keySpan: value.span, value }, reading);
  return text === undefined ? [] : [text];
}

function readInput(entry: Entry | undefined, reading: WorkerReading): InputSchema | null {
  const schema = readSchema(entry, reading);
  if (entry === undefined || schema === null) return null;
  if (schema.json.type !== 'object') {
    reading.problems.add('BAD_SCHEMA', entry.keySpan, {
      message: 'what a worker is given is an object',
      help: '`type: object`, and the parts under `properties`',
    });
  }
  return {
    json: schema.json,
    parse: (value) => {
      const parsed = schema.parse(value);
      if (!parsed.ok) return parsed;
      return isJsonObject(parsed.value)
        ? { ok: true, value: parsed.value }
        : { ok: false, problem: 'the arguments are not an object' };
    },
  };
}

function readSchema(entry: Entry | undefined, reading: WorkerReading) {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reading);
  if (entry === undefined || map === undefined) return null;
  const schema = valueSchema(toJson(map) as JsonObject);
  if (!('problem' in schema)) return schema;
  reading.problems.add('BAD_SCHEMA', entry.keySpan, {
    message: `\`${entry.key}\` is no JSON Schema that can be used: ${schema.problem}`,
    help: '`{ type: object, properties: { … }, required: [ … ] }`',
  });
  return null;
}

function readSandbox(entry: Entry | undefined, reading: WorkerReading): readonly RootDefinition[] {
  const sandbox = entry === undefined ? undefined : expectKind(entry.value, ['map'], reading);
  if (sandbox === undefined) return [];
  const { paths } = readKeys(sandbox, ['paths'], reading);
  const roots = paths === undefined ? [] : (expectKind(paths.value, ['map'], reading)?.entries ?? []);
  return roots.map((root) => readRoot(root, reading));
}

function readRoot({ key, keySpan, value }: Entry, reading: WorkerReading): RootDefinition {
  if (!isSimpleName(key)) {
    reading.problems.add('BAD_VALUE', keySpan, {
      message: `${quote(key)} is not a name for a root`,
      help: 'lower-case letters, digits, `_` and `-`: a model names its files `input/rest`',
    });
  }
  const map = expectKind(value, ['map'], reading);
  const entries = map === undefined ? {} : readKeys(map, rootKeys, reading);
  if (map !== undefined && entries.root === undefined) {
    reportMissing('root', map, {
      reading,
      help: '`root: ./folder`, from the folder that the run is started in',
    });
  }
  const words = { reading, code: 'UNKNOWN_VALUE', what: 'what may be done in a root' } as const;
  const { line, column } = reading.source.lines.placeOf(keySpan.start);
  return {
    name: key,
    folder: readText(entries.root, reading) ?? '',
    mode: (entries.mode && readWord(entries.mode.value, ['ro', 'rw'] as const, words)) ?? 'ro',
    suffixes: readSuffixes(entries.suffixes, reading),
    maxFileBytes: readLimit(entries.max_file_bytes, reading) ?? null,
    readApproval: readBoolean(entries.read_approval, reading) ?? false,
    writeApproval: readBoolean(entries.write_approval, reading) ?? false,
    untrusted: readBoolean(entries.untrusted, reading) ?? null,
    at: `${reading.source.name}:${line}:${column}`,
  };
}

function readAttachments(entry: Entry | undefined, reading: WorkerReading): AttachmentLimits {
  const standard = workerDefaults.attachments;
  const map = entry === undefined ? undefined : expectKindOrEmpty(entry.value, ['map'], reading);
  if (map === undefined) return standard;
  const entries = readKeys(map, attachmentKeys, reading);
  return {
    maxCount: readLimit(entries.max_count, reading, { least: 0 }) ?? standard.maxCount,
    maxTotalBytes: readLimit(entries.max_total_bytes, reading) ?? standard.maxTotalBytes,
    allow: readSuffixes(entries.allow, reading),
    deny: readSuffixes(entries.deny, reading) ?? standard.deny,
  };
}
