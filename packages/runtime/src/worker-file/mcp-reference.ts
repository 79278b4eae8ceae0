import { isCapabilityName, type Json } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import * as yaml from '@ambit/policy/yaml';
import {
  type CarriedCapability,
  type CarriedFact,
  canonicalHost,
  type McpServer,
  usualCallLimit,
  usualStartLimit,
} from '@ambit/toolsets';
import { limit } from './worker-reading.js';

const isPlain = (value: string) => !/[\0\r\n]|\p{Surrogate}/u.test(value);
const unplain = { message: () => 'this text cannot be passed to a program', help: 'one line of text' };
const argument = yaml.that(yaml.anyText, isPlain, unplain);
const filledArgument = yaml.that(yaml.text, isPlain, unplain);

const prefix = yaml.that(yaml.text, (value) => /^[A-Za-z0-9_][A-Za-z0-9_-]{0,49}$/.test(value), {
  message: (value) => `${yaml.quote(value)} cannot be the prefix of a tool name`,
  help: 'letters, digits, `_` and `-`: `files_`',
});

const address = yaml.that(yaml.text, isAddress, {
  message: (value) => `${yaml.quote(value)} is not the address of a server`,
  help: '`https://tools.example/mcp`, without a name or a password in it',
});

const capabilityName = yaml.that(yaml.anyText, isCapabilityName, {
  code: 'BAD_CAPABILITY_NAME',
  message: (value) => `${yaml.quote(value)} is not the name of a capability`,
  help: 'lower-case words with dots between: `fs.read`, `crm.contact.export`',
});

const argumentPath = yaml.that(yaml.anyText, (value) => value.split('.').every((name) => name !== ''), {
  message: (value) => `${yaml.quote(value)} leads to no argument`,
  help: '`path`, or `files.path`',
});

const seconds = limit({ most: 3_600 });

/** Besides `approvals`. */
export const serverKeys = {
  command: filledArgument,
  args: yaml.list(argument),
  env: textsBy((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(AMBIT|ANTHROPIC)_/i.test(name), {
    what: 'the name of a variable that a server may have',
    help: 'letters, digits and `_`; variables named `AMBIT_…` or `ANTHROPIC_…` are not passed on',
  }),
  cwd: filledArgument,
  url: address,
  headers: textsBy((name) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name), {
    what: 'the name of a header',
    help: 'letters, digits and signs such as `-`, without blanks',
  }),
  trusted: yaml.boolean,
  prefix,
  carries: yaml.record<Carries[number], yaml.Reporting>(null, {
    schema: {},
    read: ({ key, value }, at) => [[key, readCarriedList(value, at)]],
  }),
  timeout: seconds,
  start_timeout: seconds,
};

type ServerKey = keyof typeof serverKeys;
export const mcpKeys = Object.keys(serverKeys) as readonly ServerKey[];
type McpEntries = Partial<Readonly<Record<ServerKey, yaml.Entry>>>;

/** Null if the reference is invalid. */
export function readMcpServer(
  { key, map }: { readonly key: string; readonly map: yaml.MapNode },
  entries: McpEntries,
  reading: yaml.Reporting,
): McpServer | null {
  const program = readProgram(map, entries, reading);
  const [call = usualCallLimit / 1000, start = usualStartLimit / 1000] = [
    yaml.valueIn(seconds, entries.timeout, reading),
    yaml.valueIn(seconds, entries.start_timeout, reading),
  ];
  const server = {
    key: key.slice('mcp-'.length),
    trusted: yaml.valueIn(yaml.boolean, entries.trusted, reading) ?? false,
    prefix: yaml.valueIn(prefix, entries.prefix, reading) ?? '',
    carries: carriesOf(yaml.valueIn(serverKeys.carries, entries.carries, reading)),
    limits: { call: call * 1000, start: start * 1000 },
  };
  return program === null ? null : { ...server, program };
}

function readProgram(
  map: yaml.MapNode,
  entries: McpEntries,
  reading: yaml.Reporting,
): McpServer['program'] | null {
  const { command, url } = entries;
  if (command !== undefined && url !== undefined) {
    reading.problems.add('MISPLACED_KEY', url.keySpan, {
      message: 'a server is a program to start, or an address to connect to',
      help: 'keep `command` or `url`',
    });
    return null;
  }
  if (url !== undefined) {
    refuseKeys(['args', 'env', 'cwd'], { entries, of: 'command' }, reading);
    const written = yaml.valueIn(address, url, reading);
    const headers = Object.fromEntries(yaml.valueIn(serverKeys.headers, entries.headers, reading) ?? []);
    return written === undefined ? null : { transport: 'http', url: new URL(written).href, headers };
  }
  if (command === undefined) {
    const help = '`command: node` and `args: [server.js]`, or `url: https://…`';
    yaml.reportMissing('command', map, { reading, help });
    return null;
  }
  refuseKeys(['headers'], { entries, of: 'url' }, reading);
  return {
    transport: 'stdio',
    command: yaml.valueIn(filledArgument, command, reading) ?? '',
    args: yaml.valueIn(serverKeys.args, entries.args, reading) ?? [],
    folder: yaml.valueIn(filledArgument, entries.cwd, reading) ?? '.',
    environment: Object.fromEntries(yaml.valueIn(serverKeys.env, entries.env, reading) ?? []),
  };
}

function refuseKeys(
  keys: readonly ServerKey[],
  { entries, of }: { readonly entries: McpEntries; readonly of: string },
  { problems }: yaml.Reporting,
): void {
  for (const key of keys) {
    const message = `\`${key}\` has no meaning without \`${of}\``;
    const entry = entries[key];
    if (entry !== undefined) problems.add('MISPLACED_KEY', entry.keySpan, { message, help: 'take it away' });
  }
}

function textsBy(
  isName: (name: string) => boolean,
  { what, help }: { readonly what: string; readonly help: string },
) {
  return yaml.record<readonly [string, string], yaml.Reporting>(null, {
    schema: {},
    read: ({ key, keySpan, value }, at) => {
      const message = `${yaml.quote(key)} is not ${what}`;
      if (!isName(key)) at.problems.add('BAD_VALUE', keySpan, { message, help });
      const read = argument.read(value, at);
      return read === undefined ? [] : [[key, read]];
    },
  });
}

function isAddress(written: string): boolean {
  const url = URL.canParse(written) ? new URL(written) : null;
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    canonicalHost(url.hostname) !== null
  );
}

/** Further capabilities of a server's tools besides `mcp.call`, by tool. */
type Carries = readonly (readonly [tool: string, capabilities: readonly CarriedCapability[]])[];

/** fromEntries defines own properties, whatever the tools' names. */
function carriesOf(read: Carries = []): Readonly<Record<string, readonly CarriedCapability[]>> {
  return Object.fromEntries(read);
}

export function readCarriesFile(
  file: string,
  bytes: Uint8Array,
): { readonly carries: ReturnType<typeof carriesOf>; readonly diagnostics: readonly Diagnostic[] } {
  const { source, problems } = yaml.decodeSource(file, bytes);
  const root = problems.isEmpty ? yaml.parseYaml(source.text, problems) : null;
  const carries = carriesOf(root === null ? [] : serverKeys.carries.read(root, { problems }));
  return { carries, diagnostics: yaml.diagnosticsOf(problems, source) };
}

function readCarriedList(node: yaml.Node, reading: yaml.Reporting): readonly CarriedCapability[] {
  const found = yaml.expectKind(node, ['list', 'map', 'text'], reading);
  const items = found === undefined ? [] : found.kind === 'list' ? found.items : [found];
  return items.flatMap((item) => readCarried(item, reading));
}

function readCarried(node: yaml.Node, reading: yaml.Reporting): readonly CarriedCapability[] {
  const found = yaml.expectKind(node, ['text', 'map'], reading);
  if (found === undefined) return [];
  const named = found.kind === 'text' ? found : found.entries.find(({ key }) => key === 'name')?.value;
  if (named === undefined && found.kind === 'map')
    yaml.reportMissing('name', found, { reading, help: '`name: fs.read`' });
  const name = named === undefined ? undefined : capabilityName.read(named, reading);
  if (name === undefined) return [];
  const others = found.kind === 'text' ? [] : found.entries.filter(({ value }) => value !== named);
  const facts = others.flatMap((entry) => {
    const fact = readFact(entry, reading);
    return fact === undefined ? [] : [[entry.key, fact] as const];
  });
  return [{ name, facts: Object.fromEntries(facts) }];
}

/** `{arg: path}`, `{arg: files.path}`, or the fact itself. */
function readFact({ key, keySpan, value }: yaml.Entry, reading: yaml.Reporting): CarriedFact | undefined {
  if (!/^[a-z][a-z0-9_]*$/.test(key))
    return reading.problems.add('BAD_FACT', keySpan, {
      message: `${yaml.quote(key)} is not the name of a fact`,
      help: 'lower-case letters, digits and `_`',
    });
  const found = yaml.expectKind(value, ['text', 'number', 'boolean', 'map'], reading);
  if (found === undefined) return undefined;
  if (found.kind !== 'map') return { is: found.value satisfies Json };
  const [first, ...others] = found.entries;
  if (first === undefined || first.key !== 'arg' || others.length > 0)
    return reading.problems.add(
      'UNKNOWN_KEY',
      (first?.key === 'arg' ? others[0] : first)?.keySpan ?? found.span,
      {
        message: 'a fact is a fixed value, or taken from an argument',
        help: '`{ arg: path }`, or `{ arg: files.path }` for a list',
      },
    );
  const arg = argumentPath.read(first.value, reading);
  return arg === undefined ? undefined : { arg: arg.split('.') };
}
