import { isWorkerName, type Json } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import {
  anyText,
  anything,
  decodeSource,
  diagnosticsOf,
  type Entry,
  expectKind,
  expectKindOrEmpty,
  list,
  map,
  type Node,
  parseYaml,
  quote,
  type Reporting,
  reportMissing,
  text,
} from '@ambit/policy/yaml';

export type Script = ReadonlyMap<string, readonly ScriptTurn[]>;

export interface ScriptTurn {
  readonly say: string;
  /** Parallel calls, by the names that the model sees. */
  readonly call: readonly { readonly tool: string; readonly args: Json }[];
  /** Only in conversations whose first message contains this text; null for all. */
  readonly for: string | null;
}

export type ReadScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `name` is how the file is shown. */
export function readScript(name: string, bytes: Uint8Array): ReadScript {
  const { source, problems } = decodeSource(name, bytes);
  if (source.text.split('\n').every((line) => /^\s*(#.*)?$/.test(line)) && problems.isEmpty) {
    const words = {
      message: 'the file is empty',
      help: 'the messages of each worker: `NAME: [{ say: hello }]`',
    };
    problems.add('EMPTY_FILE', { start: 0, end: 0 }, words);
  }
  // A script may contain invalid output of a model, hidden characters too.
  const root = problems.isEmpty ? parseYaml(source.text, problems, { invisible: true }) : null;
  const script = root === null ? null : readWorkers(root, { problems });
  if (script !== null && problems.isEmpty) return { ok: true, script };
  return { ok: false, diagnostics: diagnosticsOf(problems, source) };
}

/** The next answer after `answered` answers, in a conversation that began with `opening`. */
export function scriptedTurn(
  turns: readonly ScriptTurn[],
  { opening, answered }: { readonly opening: string; readonly answered: number },
): ScriptTurn {
  const spoken = turns.filter((turn) => turn.for === null || opening.includes(turn.for));
  return spoken[answered] ?? { say: '', call: [], for: null };
}

function readWorkers(root: Node, reporting: Reporting): Script {
  const entries = expectKind(root, ['map'], reporting)?.entries ?? [];
  return new Map(entries.map((entry) => [workerName(entry, reporting), readTurns(entry.value, reporting)]));
}

function workerName({ key, keySpan }: Entry, { problems }: Reporting): string {
  if (!isWorkerName(key)) {
    problems.add('BAD_WORKER_NAME', keySpan, {
      message: `${quote(key)} is not the name of a worker`,
      help: 'a script holds the messages of each worker: `NAME: [{ say: hello }]`',
    });
  }
  return key;
}

/** Arguments may be anything: a script may contain invalid output of a model. */
const callKeys = map({ tool: { is: text, missing: '`tool: read_file`' }, args: { is: anything } });
const calls = list<ScriptTurn['call'][number], Reporting>({
  schema: callKeys.schema,
  read: (node, at) => {
    const { tool = '', args = {} } = callKeys.read(node, at)?.values ?? {};
    return { tool, args };
  },
});

const turnKeys = map({ say: { is: anyText }, call: { is: calls }, for: { is: text } });

function readTurns(node: Node, reporting: Reporting): readonly ScriptTurn[] {
  const items = expectKindOrEmpty(node, ['list'], reporting)?.items ?? [];
  return items.flatMap((item) => {
    const read = turnKeys.read(item, reporting);
    if (read === undefined) return [];
    const { entries, values } = read;
    if (entries.say === undefined && entries.call === undefined)
      reportMissing('say', read.map, {
        reading: reporting,
        help: '`say: TEXT`, or `call: [{ tool: NAME, args: {} }]`',
      });
    return [{ say: values.say ?? '', call: values.call ?? [], for: values.for ?? null }];
  });
}
