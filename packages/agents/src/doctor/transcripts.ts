import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject, type Json, type JsonObject, jsonOr, orNull } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';
import { filesBelow } from '../clients/notes.js';
import { clientFolder, type SettingsPlaces } from '../clients/settings-files.js';
import type { LoggedSession } from './logged-sessions.js';

/** A session in a client's transcripts with tool uses that the log lacks. */
export interface UnguardedSession {
  readonly session: string;
  readonly file: string;
  /** The number of tool uses in the transcript. */
  readonly uses: number;
  /** The number of tool uses that the log lacks. */
  readonly missing: number;
  /** Whether it ended before the hook recorded its first decision, for example before the hook was trusted. */
  readonly isEarlier: boolean;
}

interface ToolUse {
  readonly id: string;
  readonly tool: string;
}

/** How a client stores its transcripts: the files, and the tool uses in a line. */
interface Transcripts {
  readonly folder: string;
  readonly isOne: RegExp;
  readonly sessionOf: (file: string, lines: readonly JsonObject[]) => string;
  readonly usesIn: (line: JsonObject) => readonly ToolUse[];
  /** Whether the hook receives the ids of the transcript. */
  readonly hasIds: boolean;
}

const transcriptsOf: Readonly<Record<Exclude<ClientName, 'opencode'>, Transcripts>> = {
  'claude-code': {
    folder: 'projects',
    isOne: /\.jsonl$/,
    sessionOf: (file, lines) => sessionIn(lines) ?? basename(file, '.jsonl'),
    usesIn: ({ message }) =>
      listIn(message, 'content')
        .filter(({ type }) => type === 'tool_use')
        .map((block) => useIn(block, 'id', 'name')),
    hasIds: true,
  },
  codex: {
    folder: 'sessions',
    isOne: /\.jsonl$/,
    sessionOf: (file, lines) => {
      const meta = lines.find(({ type }) => type === 'session_meta')?.payload;
      return (
        (isObject(meta) ? (textIn(meta, 'session_id') ?? textIn(meta, 'id')) : null) ??
        basename(file, '.jsonl')
      );
    },
    usesIn: ({ type, payload }) => {
      if (!isObject(payload)) return [];
      const { item } = payload;
      // What a script of the code mode did.
      const id = type === 'event_msg' && isObject(item) ? textIn(item, 'id') : null;
      if (id?.startsWith('exec-') === true) return [{ id, tool: '' }];
      return type === 'response_item' &&
        /^(?:function_call|custom_tool_call|local_shell_call)$/.test(textIn(payload, 'type') ?? '')
        ? [{ id: textIn(payload, 'call_id') ?? '', tool: textIn(payload, 'name') ?? 'shell' }]
        : [];
    },
    hasIds: true,
  },
  gemini: {
    folder: 'tmp',
    isOne: /\/chats\/session-[^/]*\.jsonl$/,
    sessionOf: (file, lines) => sessionIn(lines) ?? basename(file),
    usesIn: (line) => listIn(line, 'toolCalls').map((call) => useIn(call, 'id', 'name')),
    hasIds: false,
  },
  copilot: {
    folder: 'session-state',
    isOne: /\/events\.jsonl$/,
    sessionOf: (file) => basename(dirname(file)),
    usesIn: ({ type, data }) =>
      type === 'tool.execution_start' && isObject(data) ? [useIn(data, 'toolCallId', 'toolName')] : [],
    hasIds: false,
  },
};

/** The clients whose transcripts are read. opencode keeps its own in a database. */
export function hasTranscripts(client: ClientName): client is keyof typeof transcriptsOf {
  return Object.hasOwn(transcriptsOf, client);
}

/** The sessions since a time, in milliseconds, with tool uses that the log lacks; the newest first. */
export async function unguardedSessions(
  client: keyof typeof transcriptsOf,
  {
    places,
    since,
    logged,
    within,
    scripted,
  }: {
    readonly places: SettingsPlaces;
    readonly since: number;
    readonly logged: readonly LoggedSession[];
    /** The state folder of the only project that the hook is for; null if it is for all. */
    readonly within: string | null;
    /** The ids of calls that do not count. */
    readonly scripted: ReadonlySet<string>;
  },
): Promise<readonly UnguardedSession[]> {
  const kind = transcriptsOf[client];
  const transcripts = join(clientFolder(client, places), kind.folder);
  // A program can set every time of a file except `ctime`. A link to nothing has none.
  const timeOf = (file: string) => orNull(() => statSync(file).ctimeMs) ?? 0;
  const recent = filesBelow(transcripts, kind.isOne).map((file) => ({ file, time: timeOf(file) }));
  const known = new Map(logged.map((each) => [each.run, each.decisions]));
  // Without any decision, the hook was never in force.
  const judged = logged.filter(({ folder }) => within === null || folder === within);
  const decided = judged.flatMap(({ decisions }) => decisions.map(({ now }) => now));
  const inForce = decided.reduce((first, now) => Math.min(first, now), decided[0] ?? 0);
  const found: UnguardedSession[] = [];
  for (const { file, time } of recent
    .filter(({ time }) => time >= since)
    .sort((one, other) => other.time - one.time)) {
    const lines = linesOf(await readFile(file, 'utf8').catch(() => unreadable));
    const session = kind.sessionOf(file, lines.filter(isObject));
    const decisions = known.get(`${client}-${session}`);
    const uses = new Map(
      lines
        .flatMap((line, at) => (isObject(line) ? kind.usesIn(line) : [{ id: `line ${at + 1}`, tool: '' }]))
        .filter(({ tool, id }) => !isUnhooked(client, tool, decisions !== undefined) && !scripted.has(id))
        .map((use) => [use.id, use]),
    );
    const calls = new Set((decisions ?? []).map(({ call }) => call));
    const missing = kind.hasIds
      ? [...uses.keys()].filter((id) => !calls.has(id)).length
      : Math.max(0, uses.size - calls.size);
    const isEarlier = time < inForce;
    if (missing > 0) found.push({ session, file, uses: uses.size, missing, isEarlier });
  }
  return found;
}

/**
 * Tools for which the hook is not called: the client only talks to its user, or begins a script (`exec`, `wait`), whose
 * calls reach the hook. The transcript names few of these calls, so in a session without a hook the script counts.
 */
function isUnhooked(client: ClientName, tool: string, isLogged: boolean): boolean {
  const talks = /^(?:request_user_input|update_plan|get_goal|create_goal|update_goal)$/;
  return client === 'codex' && (talks.test(tool) || (isLogged && /^(?:exec|wait)$/.test(tool)));
}

const unreadable = 'unreadable\n';

/** A line that cannot be read is not an object. The last one may still be written. */
function linesOf(text: string): readonly (Json | undefined)[] {
  const lines = text.split('\n');
  return lines
    .slice(0, -1)
    .map((line) => jsonOr(line || '{}', undefined))
    .concat(jsonOr(lines.at(-1) || '{}', {}));
}

function listIn(of: Json | undefined, key: string): readonly JsonObject[] {
  const value = isObject(of) ? of[key] : null;
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function sessionIn(lines: readonly JsonObject[]): string | null {
  const named = lines.find(({ sessionId }) => sessionId !== undefined);
  return textIn(named, 'sessionId');
}

function useIn(of: JsonObject, id: string, tool: string): ToolUse {
  return { id: textIn(of, id) ?? '', tool: textIn(of, tool) ?? '' };
}

function textIn(of: JsonObject | undefined, key: string): string | null {
  const value = of?.[key];
  return typeof value === 'string' ? value : null;
}
