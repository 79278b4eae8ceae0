import type { Restricting } from '@ambit/core';
import { toolRoots } from '../../condition/scene.js';
import {
  expectKind,
  type Reading,
  readKeys,
  readText,
  readWord,
  reportMissing,
} from '../../grammar/reading.js';
import { placeText, type Span } from '../../text/place.js';
import type { Entry, MapNode, Node } from '../../text/tree.js';
import type { WrittenCombination } from '../document.js';
import { readMembers } from './read-members.js';
import { readObservation } from './read-observation.js';
import { idSpanOf, type ReadRule, readAnswer, readDecision, readId, readWhen } from './read-rule.js';
import { readUndecided, refuseUndecided } from './read-undecided.js';
import { combinationKeys, misplacedInCombination } from './rule-keys.js';

const keys = [...combinationKeys, ...misplacedInCombination] as const;
type Entries = Partial<Readonly<Record<(typeof keys)[number], Entry>>>;

/** The rules under `together:`. */
export function readTogether(entry: Entry | undefined, reading: Reading): readonly ReadRule[] {
  const items = entry === undefined ? [] : (expectKind(entry.value, ['list'], reading)?.items ?? []);
  return items
    .map((item, index) => readCombination(item, { path: `together[${index}]`, reading }))
    .filter((rule) => rule !== undefined);
}

function readCombination(
  node: Node,
  { path, reading }: { readonly path: string; readonly reading: Reading },
): ReadRule | undefined {
  const map = expectKind(node, ['map'], reading);
  if (map === undefined) return undefined;
  const entries = readKeys(map, keys, reading);
  refuseMisplaced(entries, reading);
  // Everything is read even where something is missing, so that all mistakes show at once.
  const decision = readRestriction(entries.decision, map, reading);
  refuseUndecided(entries, decision, reading);
  const listed = readMembers(entries.capabilities, map, reading);
  const place = reading.source.lines.placeOf(map.span.start);
  const rest: Omit<WrittenCombination, 'decision' | 'members'> = {
    about: 'combination',
    worker: null,
    id: readId(entries.id, reading) ?? path,
    place,
    at: `${reading.source.name}:${placeText(place)}`,
    within: readWithin(entries.within, reading),
    answer: readAnswer(entries.answer, reading) ?? 'person',
    undecided: readUndecided(entries.undecided, reading) ?? null,
    inherit: true,
    ...readObservation(entries, reading),
    when: readWhen(entries.when, toolRoots, reading),
    reason: readText(entries.reason, reading) ?? null,
    instead: readText(entries.instead, reading) ?? null,
    owner: readText(entries.owner, reading) ?? null,
    note: readText(entries.note, reading) ?? null,
    examples: [],
  };
  if (decision === undefined || listed === undefined) return undefined;
  return {
    rule: { ...rest, decision, members: listed.members },
    idSpan: idSpanOf(entries.id, { node: map, start: map.span }),
    remarks: listed.remarks,
  };
}

function readRestriction(entry: Entry | undefined, map: MapNode, reading: Reading): Restricting | undefined {
  if (entry === undefined) {
    reportMissing('decision', map, { reading, help: 'needs_approval or blocked' });
    return undefined;
  }
  const decision = readDecision(entry.value, reading);
  if (decision !== 'pre_approved') return decision;
  reading.problems.add('PERMISSIVE_COMBINATION', entry.value.span, {
    message: 'a combination restricts, and never pre-approves',
    help: 'needs_approval or blocked; what is permitted is said under `capabilities:`',
  });
  return undefined;
}

function readWithin(entry: Entry | undefined, reading: Reading): 'call' | 'run' {
  const what = 'where a combination is looked for';
  return (
    (entry && readWord(entry.value, ['call', 'run'], { reading, code: 'UNKNOWN_VALUE', what })) ?? 'call'
  );
}

const perCapability = {
  message: 'is for one of the capabilities that a combination lists',
  help: '`capabilities: [secret.read, { name: net.connect, except: { host: a.example } }]`',
};

const misplaced: Readonly<
  Record<Exclude<(typeof misplacedInCombination)[number], 'examples'>, { message: string; help: string }>
> = {
  match: perCapability,
  except: perCapability,
  below: {
    message: 'is for permissions',
    help: 'a combination covers what is under the names that it lists anyway',
  },
  inherit: { message: 'is for the rules of a worker', help: 'a combination holds for every worker' },
  until: {
    message: 'is for permissions',
    help: 'a restriction that ends by itself would loosen; take the rule away when its time has come',
  },
};

function refuseMisplaced(entries: Entries, { problems }: Reading): void {
  for (const key of misplacedInCombination) {
    const span: Span | undefined = entries[key]?.keySpan;
    if (span === undefined) continue;
    if (key === 'examples')
      problems.add('NOT_YET', span, { message: '`examples` of a combination come with a later version' });
    else {
      const { message, help } = misplaced[key];
      problems.add('MISPLACED_KEY', span, { message: `\`${key}\` ${message}`, help });
    }
  }
}
