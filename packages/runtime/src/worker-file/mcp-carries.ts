import { isCapabilityName, type Json } from '@ambit/core';
import type { Diagnostic } from '@ambit/policy';
import {
  decodeSource,
  diagnosticsOf,
  type Entry,
  expectKind,
  type Node,
  parseYaml,
  quote,
  type Reporting,
} from '@ambit/policy/yaml';
import type { CarriedCapability, CarriedFact } from '@ambit/toolsets';

export function readCarriesFile(
  file: string,
  bytes: Uint8Array,
): { readonly carries: ReturnType<typeof readCarries>; readonly diagnostics: readonly Diagnostic[] } {
  const { source, problems } = decodeSource(file, bytes);
  const root = problems.isEmpty ? parseYaml(source.text, problems) : null;
  const entry = root === null ? undefined : { key: 'carries', keySpan: root.span, value: root };
  const carries = readCarries(entry, { problems });
  return { carries, diagnostics: diagnosticsOf(problems, source) };
}

/** Further capabilities of a server's tools besides `mcp.call`, by tool. */
export function readCarries(
  entry: Entry | undefined,
  reading: Reporting,
): Readonly<Record<string, readonly CarriedCapability[]>> {
  const map = entry === undefined ? undefined : expectKind(entry.value, ['map'], reading);
  // fromEntries defines own properties, whatever the tools' names.
  return Object.fromEntries(
    (map?.entries ?? []).map(({ key, value }) => {
      const list = expectKind(value, ['list', 'map', 'text'], reading);
      const items = list === undefined ? [] : list.kind === 'list' ? list.items : [list];
      return [key, items.flatMap((item) => readCarried(item, reading))];
    }),
  );
}

function readCarried(node: Node, reading: Reporting): readonly CarriedCapability[] {
  const found = expectKind(node, ['text', 'map'], reading);
  if (found === undefined) return [];
  if (found.kind === 'text')
    return isName(found.value, found.span, reading) ? [{ name: found.value, facts: {} }] : [];
  const named = found.entries.find(({ key }) => key === 'name');
  if (named === undefined) {
    reading.problems.add('MISSING_KEY', found.lack, {
      message: '`name` is missing',
      help: '`name: fs.read`',
    });
    return [];
  }
  const name = expectKind(named.value, ['text'], reading);
  if (name === undefined || !isName(name.value, name.span, reading)) return [];
  const facts = found.entries
    .filter((entry) => entry !== named)
    .flatMap((entry) => {
      const fact = readFact(entry, reading);
      return fact === undefined ? [] : [[entry.key, fact] as const];
    });
  return [{ name: name.value, facts: Object.fromEntries(facts) }];
}

function isName(name: string, span: Node['span'], { problems }: Reporting): boolean {
  if (isCapabilityName(name)) return true;
  problems.add('BAD_CAPABILITY_NAME', span, {
    message: `${quote(name)} is not the name of a capability`,
    help: 'lower-case words with dots between: `fs.read`, `crm.contact.export`',
  });
  return false;
}

/** `{arg: path}`, `{arg: files.path}`, or the fact itself. */
function readFact({ key, keySpan, value }: Entry, reading: Reporting): CarriedFact | undefined {
  if (!/^[a-z][a-z0-9_]*$/.test(key)) {
    reading.problems.add('BAD_FACT', keySpan, {
      message: `${quote(key)} is not the name of a fact`,
      help: 'lower-case letters, digits and `_`',
    });
    return undefined;
  }
  const found = expectKind(value, ['text', 'number', 'boolean', 'map'], reading);
  if (found === undefined) return undefined;
  if (found.kind !== 'map') return { is: found.value satisfies Json };
  const [first, ...others] = found.entries;
  if (first === undefined || first.key !== 'arg' || others.length > 0) {
    reading.problems.add('UNKNOWN_KEY', (first?.key === 'arg' ? others[0] : first)?.keySpan ?? found.span, {
      message: 'a fact is written out, or taken from an argument',
      help: '`{ arg: path }`, or `{ arg: files.path }` for a list',
    });
    return undefined;
  }
  const arg = expectKind(first.value, ['text'], reading);
  if (arg === undefined) return undefined;
  const names = arg.value.split('.');
  if (names.every((name) => name !== '')) return { arg: names };
  reading.problems.add('BAD_VALUE', arg.span, {
    message: `${quote(arg.value)} leads to no argument`,
    help: '`path`, or `files.path`',
  });
  return undefined;
}
