import {
  boolean,
  type Entry,
  expectKind,
  type MapNode,
  quote,
  type Reporting,
  reportMissing,
  text,
  valueIn,
} from '@ambit/policy/yaml';
import { canonicalHost, type McpServer, usualCallLimit, usualStartLimit } from '@ambit/toolsets';
import { readCarries } from './mcp-carries.js';
import { limit } from './worker-reading.js';

/** Besides `approvals`. */
export const mcpKeys = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'trusted',
  'prefix',
  'carries',
  'timeout',
  'start_timeout',
] as const;

export type McpEntries = Partial<Readonly<Record<(typeof mcpKeys)[number], Entry>>>;

/** Null if the reference is invalid. */
export function readMcpServer(
  { key, map }: { readonly key: string; readonly map: MapNode },
  entries: McpEntries,
  reading: Reporting,
): McpServer | null {
  const program = readProgram(map, entries, reading);
  const seconds = (entry: Entry | undefined) => valueIn(limit({ most: 3_600 }), entry, reading);
  const [call, start] = [seconds(entries.timeout), seconds(entries.start_timeout)];
  const server = {
    key: key.slice('mcp-'.length),
    trusted: valueIn(boolean, entries.trusted, reading) ?? false,
    prefix: readPrefix(entries.prefix, reading),
    carries: readCarries(entries.carries, reading),
    limits: {
      call: call === undefined ? usualCallLimit : call * 1000,
      start: start === undefined ? usualStartLimit : start * 1000,
    },
  };
  return program === null ? null : { ...server, program };
}

function readProgram(map: MapNode, entries: McpEntries, reading: Reporting): McpServer['program'] | null {
  const { command, url } = entries;
  if (command !== undefined && url !== undefined) {
    reading.problems.add('MISPLACED_KEY', url.keySpan, {
      message: 'a server is a program that is started, or a place that is connected to',
      help: 'keep `command` or `url`',
    });
    return null;
  }
  if (url !== undefined) {
    refuseKeys(['args', 'env', 'cwd'], { entries, of: 'command' }, reading);
    const address = readUrl(url, reading);
    const headers = readTexts(
      entries.headers,
      { isName: isHeaderName, what: 'the name of a header' },
      reading,
    );
    return address === null ? null : { transport: 'http', url: address, headers };
  }
  if (command === undefined) {
    reportMissing('command', map, {
      reading,
      help: '`command: node` and `args: [server.js]`, or `url: https://…`',
    });
    return null;
  }
  refuseKeys(['headers'], { entries, of: 'url' }, reading);
  return {
    transport: 'stdio',
    command: readPlain(command, reading) ?? '',
    args: readArguments(entries.args, reading),
    folder: readPlain(entries.cwd, reading) ?? '.',
    environment: readTexts(
      entries.env,
      { isName: isOwnVariable, what: 'the name of a variable that a server may have' },
      reading,
    ),
  };
}

function refuseKeys(
  keys: readonly (keyof McpEntries)[],
  { entries, of }: { readonly entries: McpEntries; readonly of: string },
  { problems }: Reporting,
): void {
  for (const key of keys) {
    const entry = entries[key];
    if (entry !== undefined)
      problems.add('MISPLACED_KEY', entry.keySpan, {
        message: `\`${key}\` says nothing without \`${of}\``,
        help: 'take it away',
      });
  }
}

function readArguments(entry: Entry | undefined, reading: Reporting): readonly string[] {
  if (entry === undefined) return [];
  return (expectKind(entry.value, ['list'], reading)?.items ?? []).flatMap((value) => {
    const text = expectKind(value, ['text'], reading);
    return text === undefined || !isPlain(text.value, text.span, reading) ? [] : [text.value];
  });
}

interface Names {
  readonly isName: (name: string) => boolean;
  readonly what: string;
}

function readTexts(
  entry: Entry | undefined,
  { isName, what }: Names,
  reading: Reporting,
): Readonly<Record<string, string>> {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reading);
  return Object.fromEntries(
    (map?.entries ?? []).flatMap(({ key, keySpan, value }) => {
      if (!isName(key)) {
        reading.problems.add('BAD_VALUE', keySpan, {
          message: `${quote(key)} is not ${what}`,
          help: 'letters, digits and `_`; nothing that is called `AMBIT_…` or `ANTHROPIC_…` is handed on',
        });
      }
      const text = expectKind(value, ['text'], reading);
      return text === undefined || !isPlain(text.value, text.span, reading)
        ? []
        : [[key, text.value] as const];
    }),
  );
}

function isOwnVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(AMBIT|ANTHROPIC)_/i.test(name);
}

function isHeaderName(name: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
}

function readPlain(entry: Entry | undefined, reading: Reporting): string | undefined {
  const plain = valueIn(text, entry, reading);
  if (entry === undefined || plain === undefined) return undefined;
  return isPlain(plain, entry.value.span, reading) ? plain : undefined;
}

function isPlain(text: string, span: Entry['keySpan'], { problems }: Reporting): boolean {
  if (!/[\0\r\n]|\p{Surrogate}/u.test(text)) return true;
  problems.add('BAD_VALUE', span, {
    message: 'this text cannot be passed to a program',
    help: 'one line of text',
  });
  return false;
}

function readPrefix(entry: Entry | undefined, reading: Reporting): string {
  const prefix = valueIn(text, entry, reading);
  if (entry === undefined || prefix === undefined) return '';
  if (/^[A-Za-z0-9_][A-Za-z0-9_-]{0,49}$/.test(prefix)) return prefix;
  reading.problems.add('BAD_VALUE', entry.value.span, {
    message: `${quote(prefix)} cannot stand before the name of a tool`,
    help: 'letters, digits, `_` and `-`: `files_`',
  });
  return '';
}

function readUrl(entry: Entry, reading: Reporting): string | null {
  const written = text.read(entry.value, reading);
  if (written === undefined) return null;
  const url = URL.canParse(written) ? new URL(written) : null;
  const isFine =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    canonicalHost(url.hostname) !== null;
  if (isFine) return url.href;
  reading.problems.add('BAD_VALUE', entry.value.span, {
    message: `${quote(written)} is not the address of a server`,
    help: '`https://tools.example/mcp`, without a name or a password in it',
  });
  return null;
}
