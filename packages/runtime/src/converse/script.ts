import { randomBytes } from 'node:crypto';
import { createdPrefix, isWorkerName, type Json, jsonOr } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import * as yaml from '@ambit/policy/yaml';
import * as z from 'zod';

export type Script = ReadonlyMap<string, readonly ScriptTurn[]>;

interface ScriptTurn {
  readonly say: string;
  /** Parallel calls, by the names that the model sees. */
  readonly call: readonly { readonly tool: string; readonly args: Json }[];
  /** Only in conversations whose first message contains this text; null for all. */
  readonly for: string | null;
}

type ReadScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** `name` is how the file is shown. */
export function readScript(name: string, bytes: Uint8Array): ReadScript {
  const { source, problems } = yaml.decodeSource(name, bytes);
  const least = 'the messages of each worker: `NAME: [{ say: hello }]`';
  // A script may contain invalid output of a model, hidden characters too.
  const root = problems.isEmpty ? yaml.parseYaml(source.text, problems, { invisible: true, least }) : null;
  const script = root === null ? null : readWorkers(root, { problems });
  if (script !== null && problems.isEmpty) return { ok: true, script };
  return { ok: false, diagnostics: yaml.diagnosticsOf(problems, source) };
}

/** The next answer after `answered` answers, in a conversation that began with `opening`. */
export function scriptedTurn(
  turns: readonly ScriptTurn[],
  { opening, answered }: { readonly opening: string; readonly answered: number },
): ScriptTurn {
  const spoken = turns.filter((turn) => turn.for === null || opening.includes(turn.for));
  return spoken[answered] ?? { say: '', call: [], for: null };
}

function readWorkers(root: yaml.Node, reporting: yaml.Reporting): Script {
  const entries = yaml.expectKind(root, ['map'], reporting)?.entries ?? [];
  return new Map(entries.map((entry) => [workerName(entry, reporting), readTurns(entry.value, reporting)]));
}

function workerName({ key, keySpan }: yaml.Entry, { problems }: yaml.Reporting): string {
  if (!isWorkerName(key)) {
    problems.add('BAD_WORKER_NAME', keySpan, {
      message: `${yaml.quote(key)} is not the name of a worker`,
      help: 'a script holds the messages of each worker: `NAME: [{ say: hello }]`',
    });
  }
  return key;
}

/** Arguments may be anything: a script may contain invalid output of a model. */
const callKeys = yaml.map({
  tool: { is: yaml.text, missing: '`tool: read_file`' },
  args: { is: yaml.anything },
});
const calls = yaml.list<ScriptTurn['call'][number], yaml.Reporting>({
  schema: callKeys.schema,
  read: (node, at) => {
    const { tool = '', args = {} } = callKeys.read(node, at)?.values ?? {};
    return { tool, args };
  },
});

const turnKeys = yaml.map({ say: { is: yaml.anyText }, call: { is: calls }, for: { is: yaml.text } });

function readTurns(node: yaml.Node, reporting: yaml.Reporting): readonly ScriptTurn[] {
  const items = yaml.expectKindOrEmpty(node, ['list'], reporting)?.items ?? [];
  return items.flatMap((item) => {
    const read = turnKeys.read(item, reporting);
    if (read === undefined) return [];
    const { entries, values } = read;
    if (entries.say === undefined && entries.call === undefined)
      yaml.reportMissing('say', read.map, {
        reading: reporting,
        help: '`say: TEXT`, or `call: [{ tool: NAME, args: {} }]`',
      });
    return [{ say: values.say ?? '', call: values.call ?? [], for: values.for ?? null }];
  });
}

/** The address that the client of a script is given. Nothing is sent there. */
export const scriptUrl = 'http://127.0.0.1';

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })).min(1),
});

/**
 * Answers Messages requests from a script, in this process and not streamed. `model` names the worker; the number of
 * answers is the turn.
 */
export function scriptFetch(script: Script): typeof fetch {
  return async (_url, init) => {
    const given = typeof init?.body === 'string' ? init.body : '';
    const body = requestSchema.safeParse(jsonOr(given, undefined));
    if (!body.success) return failed(400, z.prettifyError(body.error));
    const { model, messages } = body.data;
    // A creator may name a created worker without its prefix.
    const turns =
      script.get(model) ??
      (model.startsWith(createdPrefix) ? script.get(model.slice(createdPrefix.length)) : undefined);
    if (turns === undefined) return failed(404, `the script has no turns for the worker \`${model}\``);
    const turn = scriptedTurn(turns, {
      opening: textOf(messages[0]?.content),
      answered: messages.filter(({ role }) => role === 'assistant').length,
    });
    return Response.json(messageOf(model, turn));
  };
}

/** The client would get the same answer again, so it must not retry. */
function failed(status: number, message: string): Response {
  const headers = { 'x-should-retry': 'false' };
  return Response.json({ type: 'error', error: { type: 'api_error', message } }, { status, headers });
}

function messageOf(model: string, { say, call }: ScriptTurn) {
  return {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(say === '' ? [] : [{ type: 'text', text: say }]),
      ...call.map(({ tool, args }) => ({ type: 'tool_use', id: id('toolu'), name: tool, input: args })),
    ],
    stop_reason: call.length === 0 ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

const blocksSchema = z.array(z.object({ text: z.string().catch('') }));

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = blocksSchema.safeParse(content);
  return blocks.success ? blocks.data.map(({ text }) => text).join('\n') : '';
}

function id(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
