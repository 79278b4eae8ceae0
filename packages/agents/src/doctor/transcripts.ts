import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';
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
}

interface ToolUse {
  readonly id: string;
  readonly tool: string;
}

/** How a client stores its transcripts: the files, and the tool uses in a line. */
interface Transcripts {
  readonly folder: string;
  readonly isOne: (file: string) => boolean;
  readonly sessionOf: (file: string, lines: readonly JsonObject[]) => string;
  readonly usesIn: (line: JsonObject) => readonly ToolUse[];
  /** Whether the hook receives the ids of the transcript. */
  readonly hasIds: boolean;
}

const transcriptsOf: Readonly<Record<Exclude<ClientName, 'opencode'>, Transcripts>> = {
  'claude-code': {
    folder: 'projects',
    isOne: (file) => file.endsWith('.jsonl'),
    sessionOf: (file, lines) =>
      textIn(
        lines.find(({ sessionId }) => sessionId !== undefined),
        'sessionId',
      ) ?? basename(file, '.jsonl'),
    usesIn: ({ message }) =>
      listIn(message, 'content')
        .filter(({ type }) => type === 'tool_use')
        .map((block) => ({ id: textIn(block, 'id') ?? '', tool: textIn(block, 'name') ?? '' })),
    hasIds: true,
  },
  codex: {
    folder: 'sessions',
    isOne: (file) => file.endsWith('.jsonl'),
    sessionOf: (file, lines) => {
      const meta = lines.find(({ type }) => type === 'session_meta')?.payload;
      return (
        (isJsonObject(meta) ? (textIn(meta, 'session_id') ?? textIn(meta, 'id')) : null) ??
        basename(file, '.jsonl')
      );
    },
    usesIn: ({ type, payload }) =>
      type === 'response_item' &&
      isJsonObject(payload) &&
      /^(?:function_call|custom_tool_call|local_shell_call)$/.test(textIn(payload, 'type') ?? '')
        ? [{ id: textIn(payload, 'call_id') ?? '', tool: textIn(payload, 'name') ?? 'shell' }]
        : [],
    hasIds: true,
  },
  gemini: {
    folder: 'tmp',
    isOne: (file) => /\/chats\/session-[^/]*\.jsonl?$/.test(file),
    sessionOf: (file, lines) =>
      textIn(
        lines.find(({ sessionId }) => sessionId !== undefined),
        'sessionId',
      ) ?? basename(file),
    usesIn: (line) =>
      listIn(line, 'toolCalls').map((call) => ({
        id: textIn(call, 'id') ?? '',
        tool: textIn(call, 'name') ?? '',
      })),
    hasIds: false,
  },
  copilot: {
    folder: 'session-state',
    isOne: (file) => basename(file) === 'events.jsonl',
    sessionOf: (file) => basename(dirname(file)),
    usesIn: ({ type, data }) =>
      type === 'tool.execution_start' && isJsonObject(data)
        ? [{ id: textIn(data, 'toolCallId') ?? '', tool: textIn(data, 'toolName') ?? '' }]
        : [],
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
    scripted,
  }: {
    readonly places: SettingsPlaces;
    readonly since: number;
    readonly logged: readonly LoggedSession[];
    /** The ids of calls that do not count. */
    readonly scripted: ReadonlySet<string>;
  },
): Promise<readonly UnguardedSession[]> {
  const kind = transcriptsOf[client];
  const folder = join(clientFolder(client, places), kind.folder);
  const files = (await filesBelow(folder, 6)).filter(kind.isOne);
  const recent = await Promise.all(files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })));
  const known = new Map(logged.map((each) => [each.run, each.decisions]));
  const found: UnguardedSession[] = [];
  for (const { file } of recent
    .filter(({ time }) => time >= since)
    .sort((one, other) => other.time - one.time)) {
    const lines = linesOf(await readFile(file, 'utf8'));
    const session = kind.sessionOf(file, lines);
    const uses = new Map(
      lines
        .flatMap(kind.usesIn)
        .filter(({ tool, id }) => !isUnhooked(client, tool) && !scripted.has(id))
        .map((use) => [use.id, use]),
    );
    const decisions = known.get(`${client}-${session}`) ?? [];
    const calls = new Set(decisions.map(({ call }) => call));
    const missing = kind.hasIds
      ? [...uses.keys()].filter((id) => !calls.has(id)).length
      : Math.max(0, uses.size - calls.size);
    if (missing > 0) found.push({ session, file, uses: uses.size, missing });
  }
  return found;
}

/** Tools with which the client only talks to its user. The hook is not called for them. */
function isUnhooked(client: ClientName, tool: string): boolean {
  return (
    client === 'codex' && /^(?:request_user_input|update_plan|get_goal|create_goal|update_goal)$/.test(tool)
  );
}

async function filesBelow(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? filesBelow(path, depth - 1) : [];
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}

function linesOf(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isJsonObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function listIn(of: Json | undefined, key: string): readonly JsonObject[] {
  const value = isJsonObject(of) ? of[key] : null;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textIn(of: JsonObject | undefined, key: string): string | null {
  const value = of?.[key];
  return typeof value === 'string' ? value : null;
}
