import { type InputSchema, isSimpleName, type JsonObject, stated } from '@ambit/core';
import * as yaml from '@ambit/policy/yaml';
import { argumentsOf, checkedSchema } from '@ambit/toolsets';
import { isReserved } from './given-toolsets.js';
import type { RootDefinition, WorkerDefinition } from './worker-definition.js';
import { usualInput } from './worker-input.js';
import { attachmentKeys, limit, model, placeIn, suffixes, type WorkerReading } from './worker-reading.js';
import { toolsets } from './worker-toolsets.js';

const rootKeys = yaml.map({
  root: {
    is: yaml.text,
    about: 'a folder: from the root of the run, from `~/`, or absolute',
    missing: '`root: ./folder`, relative to the folder where the run starts',
  },
  mode: { is: yaml.word(['ro', 'rw'], 'a value of `mode`'), about: '`ro` by default' },
  suffixes: { is: suffixes },
  max_file_bytes: { is: limit() },
  read_approval: { is: yaml.boolean, about: 'whether handing out a file of this root needs approval' },
  write_approval: { is: yaml.boolean, about: 'whether writing and deleting in this root need approval' },
  untrusted: { is: yaml.boolean, about: 'whether reads carry `content.untrusted`' },
});

const simpleName = '^[a-z][a-z0-9_-]{0,99}$';
const roots = yaml.record<RootDefinition, WorkerReading>(simpleName, {
  schema: rootKeys.schema,
  read: (entry, at) => [readRoot(entry, at)],
});
const sandbox = yaml.map({ paths: { is: roots } });

const jsonSchema: yaml.Grammar<JsonObject> = {
  schema: { type: 'object' },
  read: (node, at) => yaml.expectKind(node, ['map'], at) && (yaml.toJson(node) as JsonObject),
};

const workerKeys = yaml.map(
  {
    name: {
      is: { ...yaml.text, schema: { type: 'string', pattern: simpleName } },
      about: 'the name of the file without `.worker`',
    },
    description: { is: yaml.text, about: 'what callers are told' },
    model: { is: model },
    compatible_models: { is: yaml.list(yaml.text), about: 'globs; not together with `model`' },
    input: { is: jsonSchema, about: 'what callers give' },
    output: { is: jsonSchema, about: 'what the worker answers, as JSON; text by default' },
    sandbox: { is: sandbox },
    attachments: { is: yaml.map(attachmentKeys, { mayBeEmpty: true }) },
    toolsets: {
      is: toolsets,
      about:
        'built-in toolsets, modules, what a program gives, other workers; `provider: { tools: [web_search] }` for tools of the model’s provider',
    },
    max_depth: { is: limit(), about: 'how many workers a chain that begins with this one may have' },
    locked: { is: yaml.boolean },
  },
  { mayBeEmpty: true },
);

/** The JSON Schema of a worker file's YAML, for editors. `ambit check` finds more. */
export function workerSchema(): JsonObject {
  return yaml.fileSchema('worker', workerKeys);
}

export const workerDefaults = {
  maxDepth: 5,
  attachments: { max_count: 10, max_total_bytes: 20_000_000, allow: null, deny: [] },
} as const;

type File = Pick<WorkerDefinition, 'name' | 'file' | 'path' | 'sha256'>;

/** Reads YAML, a line `---`, and the instructions. The definition is null if there is a problem. */
export function readWorker(file: File, bytes: Uint8Array, neighbours: WorkerReading['neighbours']) {
  const { source, problems } = yaml.decodeSource(file.file, bytes);
  const reading: WorkerReading = { source, problems, neighbours };
  if (!problems.isEmpty)
    return { definition: null, callees: [], diagnostics: yaml.diagnosticsOf(problems, source) };
  const { header, instructions } = split(source.text);
  if (instructions === null) {
    const start = source.text.trimEnd().length;
    problems.add(
      'NO_INSTRUCTIONS',
      { start, end: start },
      {
        message: 'no line `---` separates the keys from the instructions',
        help: 'end the YAML with a line `---`, and write the instructions for the model below it',
      },
    );
  }
  // All keys of a worker are optional.
  const isBlank = header.split(/\r?\n/).every((line) => /^[ ]*(#.*)?$/.test(line));
  const root = isBlank ? emptyMap : yaml.parseYaml(header, problems);
  const read = root === null ? null : readHeader(root, { file, instructions: instructions ?? '', reading });
  return {
    definition: problems.isEmpty ? (read?.definition ?? null) : null,
    callees: read?.callees ?? [],
    diagnostics: yaml.diagnosticsOf(problems, source),
  };
}

const emptyMap: yaml.MapNode = {
  kind: 'map',
  entries: [],
  span: { start: 0, end: 0 },
  lack: { start: 0, end: 0 },
  isDamaged: false,
};

/** Null without a separator line. */
function split(text: string): { readonly header: string; readonly instructions: string | null } {
  const [opening = ''] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  // YAML's own line breaks: `^` and `$` know more.
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

function readHeader(root: yaml.Node, { file, instructions, reading }: Header) {
  const read = workerKeys.read(root, reading);
  if (read === undefined) return null;
  const { values, entries } = read;
  readName({ entry: entries.name, name: values.name }, file.name, reading);
  if (entries.model !== undefined && entries.compatible_models !== undefined) {
    reading.problems.add('MISPLACED_KEY', entries.compatible_models.keySpan, {
      message: 'a worker that states its model has no use for `compatible_models`',
      help: 'keep one of the two',
    });
  }
  const definition: WorkerDefinition = {
    ...file,
    description: values.description ?? '',
    instructions,
    model: values.model ?? null,
    compatibleModels: values.compatible_models ?? null,
    input: readInput(values.input, entries.input, reading) ?? usualInput,
    output: readSchema(values.output, entries.output, reading),
    roots: values.sandbox?.values.paths ?? [],
    attachments: { ...workerDefaults.attachments, ...stated(values.attachments?.values ?? {}) },
    toolsets: values.toolsets?.references ?? [],
    maxDepth: values.max_depth ?? workerDefaults.maxDepth,
    locked: values.locked ?? false,
  };
  return { definition, callees: values.toolsets?.callees ?? [] };
}

function readName(
  { entry, name }: { readonly entry: yaml.Entry | undefined; readonly name: string | undefined },
  stem: string,
  reading: WorkerReading,
): void {
  if (!isSimpleName(stem) || isReserved(stem)) {
    const why = isSimpleName(stem) ? 'a reserved name' : 'not a name';
    const help = isSimpleName(stem)
      ? 'under `toolsets`, this name already means something else: rename the file'
      : 'a name is a lower-case letter followed by lower-case letters, digits, `_` and `-`: `NAME.worker`';
    const message = `the file would define a worker ${yaml.quote(stem)}, which is ${why}`;
    reading.problems.add('BAD_WORKER_NAME', { start: 0, end: 0 }, { message, help });
  } else if (entry !== undefined && name !== undefined && name !== stem) {
    reading.problems.add('BAD_WORKER_NAME', entry.value.span, {
      message: `the worker of this file is called ${yaml.quote(stem)}, not ${yaml.quote(name)}`,
      help: 'callers and policies know a worker by the name of its file',
    });
  }
}

function readInput(
  json: JsonObject | undefined,
  entry: yaml.Entry | undefined,
  reading: WorkerReading,
): InputSchema | null {
  const schema = readSchema(json, entry, reading);
  if (entry === undefined || schema === null) return null;
  if (schema.json.type !== 'object') {
    reading.problems.add('BAD_SCHEMA', entry.keySpan, {
      message: 'the input of a worker must be an object',
      help: '`type: object`, with `properties`',
    });
  }
  return argumentsOf(schema);
}

function readSchema(json: JsonObject | undefined, entry: yaml.Entry | undefined, reading: WorkerReading) {
  if (entry === undefined || json === undefined) return null;
  const schema = checkedSchema(json, { checksFormats: true });
  if (!('problem' in schema)) return schema;
  reading.problems.add('BAD_SCHEMA', entry.keySpan, {
    message: `\`${entry.key}\` is not a usable JSON Schema: ${schema.problem}`,
    help: '`{ type: object, properties: { … }, required: [ … ] }`',
  });
  return null;
}

function readRoot({ key, keySpan, value }: yaml.Entry, reading: WorkerReading): RootDefinition {
  if (!isSimpleName(key)) {
    reading.problems.add('BAD_VALUE', keySpan, {
      message: `${yaml.quote(key)} is not a name for a root`,
      help: 'lower-case letters, digits, `_` and `-`: a model names its files `input/rest`',
    });
  }
  const values: Partial<yaml.MapValues<typeof rootKeys>> = rootKeys.read(value, reading)?.values ?? {};
  const { root = '', mode = 'ro', suffixes: ends, max_file_bytes, untrusted } = values;
  const read_approval = values.read_approval || undefined;
  const write_approval = values.write_approval || undefined;
  // In the order of the keys of a created file.
  const given = stated({ suffixes: ends, max_file_bytes, read_approval, write_approval, untrusted });
  return { name: key, at: placeIn(reading, keySpan), root, mode, ...given };
}
