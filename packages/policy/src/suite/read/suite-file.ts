import type { JsonObject } from '@ambit/core';
import { fileSchema, type Grammar, map } from '../../grammar/grammar.js';
import { expectKindOrEmpty, type Reading, topMap } from '../../grammar/reading.js';
import { type NamedFile, namedFile, oneOrList, version } from '../../grammar/values.js';
import { quote } from '../../text/escape.js';
import { placeText } from '../../text/place.js';
import { helpFor, nearest } from '../../text/suggest.js';
import { type Entry, type MapNode, type Node, toJson } from '../../text/tree.js';
import { surroundings } from './call.js';
import { caseSchema, isSameCase, type ReadCase, readCase } from './case.js';
import { mostCases } from './rows.js';

/** The cases, read when the root of the suite is known. */
const cases: Grammar<Node> = {
  schema: { type: 'array', minItems: 1, items: caseSchema },
  read: (node) => node,
};

const suiteKeys = map(
  {
    version: { is: version },
    policy: {
      is: oneOrList(namedFile),
      about: 'the policies, relative to the suite',
      missing: '`policy: policy.yaml`, or a list; relative to the suite',
    },
    root: {
      is: namedFile,
      about: 'folder that `./` means, relative to the suite (default: its own folder)',
    },
    ...surroundings,
    cases: { is: cases, missing: 'a list of cases, each with `name`, `call` and `expect`' },
  },
  { mayBeEmpty: true },
);

export function suiteSchema(): JsonObject {
  return fileSchema('Ambit suite, version 1', suiteKeys);
}

export interface SuiteHead {
  readonly policies: readonly NamedFile[];
  readonly root: NamedFile | null;
  readonly defaults: JsonObject;
  readonly cases: Entry | undefined;
  readonly map: MapNode;
}

export function readHead(root: Node, reading: Reading): SuiteHead | undefined {
  const top = topMap(root, 'a suite, a map with `policy` and `cases`', reading);
  const read = top && suiteKeys.read(top, reading);
  if (top === undefined || read === undefined) return undefined;
  const { worker, context, now, cases } = read.entries;
  const given = [worker, context, now].filter((entry) => entry !== undefined);
  return {
    policies: read.values.policy ?? [],
    root: read.values.root ?? null,
    defaults: Object.fromEntries(given.map(({ key, value }) => [key, toJson(value)])),
    cases,
    map: top,
  };
}

export function readCases({ cases, defaults }: SuiteHead, reading: Reading): readonly ReadCase[] {
  const list = cases && expectKindOrEmpty(cases.value, ['list'], reading);
  if (cases === undefined || list === undefined) return [];
  const read = list.items.flatMap((item) => readCase(item, reading));
  const isTested = read.some(({ skip }) => skip === null);
  if (list.items.length === 0 || (!isTested && reading.problems.isEmpty))
    reading.problems.add('NOTHING_TESTED', cases.keySpan, {
      message: list.items.length === 0 ? 'this suite has no cases' : 'every case of this suite is skipped',
      help: 'write a case, or remove the file',
    });
  if (read.length > mostCases)
    reading.problems.add('TOO_MANY_CASES', cases.keySpan, {
      message: `the suite has ${read.length} cases; at most ${mostCases} are allowed`,
      help: 'split the suite',
    });
  refuseRepeatedNames(read, reading);
  return read.map((each) => ({ ...each, call: { ...defaults, ...each.call } }));
}

function refuseRepeatedNames(cases: readonly ReadCase[], { problems, source }: Reading): void {
  const first = new Map<string, ReadCase>();
  for (const read of cases) {
    const earlier = first.get(read.name);
    if (earlier === undefined) first.set(read.name, read);
    else if (earlier.start.start === read.start.start) {
      // Rows that are all the same case are reported as such.
      if (isSameCase(earlier, read)) continue;
      problems.add('DUPLICATE_CASE', read.nameSpan, {
        message: `two rows of this case have the name ${quote(read.name)}`,
        help: 'name each row by its values, or remove the placeholders from the name',
      });
    } else
      problems.add('DUPLICATE_CASE', read.nameSpan, {
        message: `the case at ${placeText(source.lines.placeOf(earlier.start.start))} also has the name ${quote(read.name)}`,
        help: 'give each case its own name',
      });
  }
}

export function checkRules(cases: readonly ReadCase[], ids: readonly string[], { problems }: Reading): void {
  const known = new Set(ids);
  for (const { id, span } of cases.flatMap(({ rules }) => rules))
    if (!known.has(id))
      problems.add('UNKNOWN_RULE', span, {
        message: `no rule of these policies has the id ${quote(id)}`,
        help: ids.length <= 12 ? helpFor(id, ids) : helpFromMany(id, ids),
      });
}

function helpFromMany(id: string, ids: readonly string[]): string | null {
  const near = nearest(id, ids);
  return near === null ? null : `did you mean ${quote(near)}?`;
}
