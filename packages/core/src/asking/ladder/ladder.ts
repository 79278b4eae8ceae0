import {
  foldersOfFact,
  isMeasureOf,
  isUnbounded,
  isWithinReach,
  type Reach,
  reaches,
} from '../../decide/reach.js';
import { type Capability, filesRunBy } from '../../words/capability.js';
import type { NonEmpty } from '../../words/decision.js';
import { type FileSet, fileSetOf } from '../../words/files/file-set.js';
import { filesInWords } from '../../words/files/files-in-words.js';
import { inWords } from '../../words/in-words.js';
import { equalJson, isList, type Json } from '../../words/json.js';
import { vocabulary } from '../../words/vocabulary.js';
import { beside, type ExampleCall, type ShownCall, sameAgain, wider } from './example-calls.js';

export interface Rung {
  readonly reach: Exclude<Reach, 'call'>;
  /** "later calls of this tool by this chain …". Not escaped. */
  readonly words: string;
  /** Up to three; the same call again if only that is covered. */
  readonly covers: NonEmpty<ExampleCall>;
  readonly not: ExampleCall;
}

/** The rungs up to the widest that is admitted, narrowest first. Empty if no answer may be kept. */
export function ladder(call: ShownCall, most: Reach): readonly Rung[] {
  // An answer about files that may lie anywhere covers no call.
  if (call.capabilities.some(({ path }) => isUnbounded(path))) return [];
  const admitted = reaches.slice(1, reaches.indexOf(most) + 1) as readonly Rung['reach'][];
  const rungs: Rung[] = [];
  // What narrower rungs cover, the nearest first.
  let before: readonly ExampleCall[] = [];
  for (const reach of admitted) {
    const found = reach === 'arguments' ? [sameAgain(call)] : wider(call, reach);
    const last = rungs.at(-1)?.reach;
    const fresh = found.filter(
      (example) =>
        isCoveredBy(call, reach, example) && (last === undefined || !isCoveredBy(call, last, example)),
    );
    const covers = distinctCalls([...fresh, ...before]).slice(0, 3);
    const [first, ...others] = covers;
    if (fresh.length === 0 || first === undefined) continue;
    rungs.push({
      reach,
      words: rungInWords(call, reach),
      covers: [first, ...others],
      not: outside(call, reach),
    });
    // The same call is not an example once a rung covers others.
    before = reach === 'arguments' ? [] : covers;
  }
  return rungs;
}

/** Whether an answer to `call` with this reach answers every question about the other call. */
function isCoveredBy(call: ShownCall, reach: Reach, example: ExampleCall): boolean {
  if (reach === 'arguments' && (example.args === null || !equalJson(example.args, call.args))) return false;
  return example.capabilities.every((capability) => isWithinReach(call.capabilities, reach, capability));
}

/** A call that the answer does not permit: one of the next rungs, else one with another capability. */
function outside(call: ShownCall, reach: Rung['reach']): ExampleCall {
  const others = reaches.slice(reaches.indexOf(reach) + 1) as readonly Exclude<Rung['reach'], 'arguments'>[];
  const near = others.flatMap((other) => wider(call, other));
  const [argument, another] = beside(call);
  const candidates = reach === 'arguments' && argument !== null ? [argument, ...near] : near;
  const not = candidates.filter((example) => !isCoveredBy(call, reach, example));
  // The first call beyond a program is another program.
  const program = reach !== 'program' ? undefined : not.find((example) => hasOtherProgram(call, example));
  return program ?? not[0] ?? another;
}

function hasOtherProgram({ capabilities }: ShownCall, example: ExampleCall): boolean {
  return example.differ.some((index) => {
    const [one, other] = [example.capabilities[index]?.program, capabilities[index]?.program];
    return one !== undefined && other !== undefined && one !== other;
  });
}

function distinctCalls(list: readonly ExampleCall[]): readonly ExampleCall[] {
  const same = (one: ExampleCall, other: ExampleCall) =>
    equalJson(one.args, other.args) && equalJson(one.capabilities, other.capabilities);
  return list.filter((one, index) => list.findIndex((other) => same(one, other)) === index);
}

/** What is different in an example. Not escaped. */
export function exampleInWords(call: ShownCall, example: ExampleCall): string {
  if (example.differ.length > 0) {
    return example.differ
      .flatMap((index) => {
        const capability = example.capabilities[index];
        return capability === undefined ? [] : [changeInWords(capability, call.capabilities[index])];
      })
      .join('; ');
  }
  const { args } = example;
  if (args === null) return 'the same call with other arguments';
  const keys = Object.keys(args).filter((key) => !equalJson(args[key] as Json, call.args[key] ?? null));
  if (keys.length === 0) return 'the same call again';
  return `the same, with ${keys.map((key) => `${key} ${JSON.stringify(args[key])}`).join(', ')}`;
}

/** Adds changed facts that the words omit. */
function changeInWords(capability: Capability, shown: Capability | undefined): string {
  const words = inWords(capability);
  const definition = vocabulary.find(({ name }) => name === capability.name);
  if (definition === undefined || shown === undefined) return words;
  const unsaid = Object.entries(capability).filter(
    ([fact, value]) =>
      fact !== 'name' && !definition.words.includes(`{${fact}}`) && !equalJson(value, shown[fact] ?? null),
  );
  return [words, ...unsaid.map(([fact, value]) => `${fact} ${JSON.stringify(value)}`)].join(', ');
}

/** What the answer permits at this reach. Not escaped. */
function rungInWords(call: ShownCall, reach: Exclude<Reach, 'call'>): string {
  // The answer holds for their current content.
  const files = reach === 'capability' ? [] : distinct(filesRunBy(call.capabilities).map(({ path }) => path));
  const end = files.length === 0 ? '' : `, until ${fewOf(files)} changes, or another such file is made`;
  return `${rungAlone(call, reach)}${end}`;
}

function fewOf(files: readonly string[]): string {
  const [first = ''] = files;
  return files.length > 4 ? `${first} or one of ${files.length - 1} other files` : joinedTexts(files, 'or');
}

function rungAlone({ capabilities }: ShownCall, reach: Exclude<Reach, 'call'>): string {
  const rest = 'and otherwise just like this one';
  if (reach === 'arguments') {
    const places = distinct(capabilities.flatMap(({ cwd }) => (typeof cwd === 'string' ? [cwd] : [])));
    return `with exactly the same arguments${places.length === 0 ? '' : ` in ${joinedTexts(places)}`}`;
  }
  if (reach === 'capability')
    return `whatever they are about: every ${joinedTexts(distinct(capabilities.map(({ name }) => name)))}`;
  const folders = distinct(capabilities.flatMap(({ path }) => foldersOfFact(path)));
  if (reach === 'folder') return `on any file below ${joinedTexts(folders)}, ${rest}`;
  if (reach === 'program') {
    const files = folders.length === 0 ? '' : `, on files below ${joinedTexts(folders)}`;
    return `that run ${joinedTexts(programsOf(capabilities))} with any arguments${files}, ${rest}`;
  }
  const paths = distinct(
    capabilities.flatMap(({ path }) =>
      typeof path === 'string'
        ? [path]
        : fileSetOf(path) === null
          ? []
          : [filesInWords(path as unknown as FileSet)],
    ),
  );
  const hasSize = capabilities.some(
    (capability) =>
      Object.keys(capability).some((fact) => isMeasureOf(capability, fact)) &&
      (!Object.hasOwn(capability, 'sha256') || isMeasureOf(capability, 'sha256')),
  );
  const free = hasSize ? 'with any size and other arguments' : 'with any other arguments';
  return paths.length === 0
    ? `that carry exactly what is listed here, ${free}`
    : `on ${joinedTexts(paths)}, ${free}`;
}

function programsOf(capabilities: readonly Capability[]): readonly string[] {
  const named = capabilities.flatMap(({ program, argv }) => {
    if (typeof program === 'string') return [program];
    const word = argv !== undefined && isList(argv) ? argv[0] : undefined;
    return typeof word === 'string' ? [word] : [];
  });
  return named.length === 0 ? ['the same program'] : distinct(named);
}

function joinedTexts(all: readonly string[], and: 'and' | 'or' = 'and'): string {
  const texts =
    all.length <= mostListed ? all : [...all.slice(0, mostListed), `${all.length - mostListed} more`];
  const [last = '', ...others] = [...texts].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} ${and} ${last}`;
}

/** A file set may lie in hundreds of folders. */
const mostListed = 5;

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
