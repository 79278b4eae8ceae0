import { foldersUp, isCanonicalPort, type Json, unknownMember } from '@ambit/core';
import type { Glob, Segment } from '@ambit/policy';
import { type Block, compileGlob, coversAllBelow, longestText, mostSteps } from '@ambit/policy/internal';
import { type Atom, type Cut, cutsKeyOf, type TextCut, truthNumber } from '../formula/atom.js';
import type { Value, Variable } from '../formula/variable.js';
import { type Automaton, blockAutomaton, withinAutomaton } from './automaton.js';
import { globAutomaton } from './glob-automaton.js';
import { globSample } from './glob-tree.js';
import { longAddresses, numberWitnesses } from './point-witnesses.js';
import { anyShape, nameShape, pathShape, programShape, type Shape, v4Shape, v6Shape } from './shape.js';
import {
  completely,
  joined,
  otherThan,
  type TextQuestion,
  textWitnesses,
  type Witnesses,
} from './text-witnesses.js';

/** At least one value for each combination of answers. */
export function valueWitnesses(
  variable: Variable,
  atoms: readonly Atom[],
  isEnough: (atom: Atom) => boolean,
): Witnesses<Value> {
  const asked = atoms.flatMap((atom) => atom.cuts.map((cut) => ({ cut, isEnough: isEnough(atom) })));
  const fact = variable.kind === 'fact' && variable.path.length === 1 ? (variable.path[0] as string) : '';
  if (fact === 'port') return completely([...portsOf(asked), undefined]);
  const shapes = shapesOf(fact);
  const gap = asked.some(isTooLongToWalk) ? 'a pattern or a text in a condition is too long' : null;
  if (shapes !== null) {
    const texts = textsOf(asked, shapes);
    const long = overlongTexts(asked, atoms, shapes);
    const folders = fact === 'path' ? textsOf(asked.flatMap(askedOfFolders), shapes) : completely<string>([]);
    const unknown = fact === 'path' ? [undefined, ...folders.values, ...long.values].map(unknownIn) : [];
    return {
      // Unknown files are what calls carry; a capability without a path is rare.
      values: [...texts.values, ...unknown, undefined, ...long.values],
      gap: gap ?? texts.gap ?? folders.gap,
      effort: texts.effort + long.effort + folders.effort,
    };
  }
  const plain = plainValues(asked);
  const lists = listsOf(asked, atoms);
  const long = overlongTexts(asked, atoms, [anyShape]);
  const values = [...plain.values, ...lists.values, null, {}, undefined, ...long.values];
  const effort = plain.effort + lists.effort + long.effort;
  return { values, gap: gap ?? plain.gap ?? lists.gap, effort };
}

interface Asked {
  readonly cut: Cut;
  readonly isEnough: boolean;
}

/** An unknown path, perhaps in a folder. */
const unknownIn = (under: string | undefined): Json =>
  unknownMember(under === undefined ? {} : { under }) as Json;

/** What a question about a path asks of the folder that an unknown path lies in. */
function askedOfFolders({ cut, isEnough }: Asked): readonly Asked[] {
  if (cut.cut !== 'text' || isTooLongText(cut.of)) return [];
  const ask = (of: TextCut, isSettled = false): Asked => ({ cut: { cut: 'text', of }, isEnough: isSettled });
  if (cut.of.text === 'under')
    return [ask(cut.of), ask({ text: 'literals', literals: foldersUp(cut.of.folder).toReversed() })];
  if (cut.of.text !== 'globs') return [];
  // Something below a folder may be covered if the folder is covered by the beginning of a glob.
  const beginnings = cut.of.globs.flatMap((glob) => {
    const { segments } = glob;
    // What begins with `**` covers whatever begins longer.
    const longest = segments.includes('**') ? segments.indexOf('**') + 1 : segments.length;
    return Array.from({ length: longest + 1 }, (_, end) => ({ ...glob, segments: segments.slice(0, end) }));
  });
  return [
    ask({ text: 'globs', globs: cut.of.globs.filter(coversAllBelow) }, isEnough),
    ask({ text: 'globs', globs: beginnings }),
  ];
}

function plainValues(asked: readonly Asked[]): Witnesses<Json> {
  const texts = textsOf(asked, [anyShape]);
  return { ...texts, values: [...texts.values, ...numbersOf(asked, () => true), true, false] };
}

function numbersOf(asked: readonly Asked[], isAllowed: (value: number) => boolean): readonly number[] {
  return numberWitnesses(
    asked.flatMap(({ cut }) => (cut.cut === 'number' ? [cut.at] : [])),
    isAllowed,
  );
}

/** The ports that matter, and the first and the last one. */
function portsOf(asked: readonly Asked[]): readonly number[] {
  const ends = [0, 65535].map((at) => ({ cut: { cut: 'number' as const, at }, isEnough: false }));
  return numbersOf([...asked, ...ends], isCanonicalPort);
}

function shapesOf(fact: string): readonly Shape[] | null {
  if (fact === 'path' || fact === 'cwd') return [pathShape];
  if (fact === 'program') return [programShape];
  return fact === 'host' ? [nameShape, v4Shape, v6Shape] : null;
}

function textsOf(asked: readonly Asked[], shapes: readonly Shape[]): Witnesses<string> {
  const cuts = new Map<string, { of: TextCut; isEnough: boolean }>();
  for (const { cut, isEnough } of asked) {
    if (cut.cut !== 'text') continue;
    const key = cutsKeyOf(cut.of);
    cuts.set(key, { of: cut.of, isEnough: isEnough || cuts.get(key)?.isEnough === true });
  }
  const distinct = [...cuts.values()];
  const blocks = distinct.flatMap(({ of }) => (of.text === 'address' ? [of.block] : []));
  const parts = shapes.map((shape) => ofShape(shape, distinct, blocks));
  const { values: found, gap, effort } = joined(parts);
  const values = [...new Set([...found, ...(gap === null ? [] : samples(distinct, shapes))])];
  // The empty text is a poor example.
  values.sort((one, other) => Number(one === '') - Number(other === ''));
  return { values, gap, effort };
}

/** At least one text for each short pattern, where not all texts were found. */
function samples(cuts: readonly Distinct[], shapes: readonly Shape[]): readonly string[] {
  const globs = cuts.flatMap(({ of }) => (of.text === 'globs' && !isTooLongText(of) ? of.globs : []));
  return globs.map(globSample).filter((text) => shapes.some((shape) => shape.isReal(text)));
}

type Distinct = { readonly of: TextCut; readonly isEnough: boolean };

function ofShape(shape: Shape, cuts: readonly Distinct[], blocks: readonly Block[]): Witnesses<string> {
  const isLong = blocks.some(({ bits }) => bits === 128);
  if (shape === v6Shape && isLong) return longTexts(cuts, blocks);
  const questions = cuts.flatMap((cut) => questionsOf(cut, shape));
  if (shape !== anyShape || blocks.length === 0) return textWitnesses(shape, questions);
  // Of a text of any form it is also asked whether it is an address.
  const addresses = [v4Shape, v6Shape].map((automaton) => ({ automaton, isEnough: false }));
  const texts = textWitnesses(shape, [...questions, ...addresses]);
  if (!isLong) return texts;
  const long = longTexts(cuts, blocks);
  return joined([texts, long]);
}

/** Finds addresses as numbers, which is complete only if all other cuts are about whole addresses. */
function longTexts(cuts: readonly Distinct[], blocks: readonly Block[]): Witnesses<string> {
  const literals = cuts
    .flatMap(({ of }) => literalsOf(of))
    .filter((text) => text.includes(':') && v6Shape.isReal(text));
  const others = cuts.filter(
    ({ of }) => of.text !== 'address' && of.text !== 'literals' && literalsOf(of).length === 0,
  );
  const written = textWitnesses(
    v6Shape,
    others.flatMap((cut) => questionsOf(cut, v6Shape)),
  );
  const gap = written.values.length > 1 ? 'patterns of addresses overlap with address blocks' : written.gap;
  return { values: longAddresses(blocks, literals), gap, effort: written.effort };
}

function literalsOf(cut: TextCut): readonly string[] {
  if (cut.text === 'literals') return cut.literals;
  if (cut.text !== 'globs') return [];
  const texts = cut.globs.map(({ segments }) =>
    segments.map((segment) => (segment !== '**' && 'literal' in segment ? segment.literal : null)),
  );
  return texts.some((segments) => segments.includes(null)) ? [] : texts.map((segments) => segments.join('.'));
}

/** Longer globs are not matched against all texts of a length at which shorter ones still are; see `isTooLong`. */
const longestGlob = mostSteps / longestText;
const longestWritten = 1000;

function isTooLongToWalk({ cut }: Asked): boolean {
  if (cut.cut === 'element') return isTooLongToWalk({ cut: cut.of, isEnough: false });
  return cut.cut === 'text' && isTooLongText(cut.of);
}

function isTooLongText(cut: TextCut): boolean {
  switch (cut.text) {
    case 'globs':
      return cut.globs.some(({ text }) => text.length > longestGlob);
    case 'literals':
      return cut.literals.some(({ length }) => length > longestWritten);
    case 'contains':
      return cut.part.length > longestWritten;
    case 'within':
      return cut.whole.length > longestWritten;
    case 'under':
      return cut.folder.length > longestWritten;
    case 'canonical path':
    case 'address':
      return false;
  }
}

/** Texts that are too long for every glob. */
function overlongTexts(
  asked: readonly Asked[],
  atoms: readonly Atom[],
  shapes: readonly Shape[],
): Witnesses<string> {
  const isGlobs = ({ cut }: Asked) => cut.cut === 'text' && cut.of.text === 'globs';
  // Where nothing but globs is asked, a fact that is absent leaves them as undecided.
  if (!asked.some(isGlobs) || atoms.every((atom) => atom.isGlobs)) return completely([]);
  const others = asked.filter((each) => !isGlobs(each));
  const open = shapes.filter((shape) => shape.classes === null);
  const texts = textsOf(others, open);
  const written = cutsKeyOf(others.map(({ cut }) => cut));
  const filler = otherThan(new Set(written)).repeat(longestText + 1);
  const values = texts.values.flatMap((text) => [text + filler, `${text === '/' ? '' : text}/${filler}`]);
  return { ...texts, values };
}

function questionsOf({ of, isEnough }: Distinct, shape: Shape): readonly TextQuestion[] {
  const automaton = isTooLongText(of) ? null : automatonOf(of, shape);
  return automaton === null ? [] : [{ automaton, isEnough }];
}

function automatonOf(cut: TextCut, shape: Shape): Automaton | null {
  switch (cut.text) {
    case 'globs':
      return globAutomaton(cut.globs);
    case 'literals':
      return globAutomaton(cut.literals.map((literal) => textGlob({ literal })));
    case 'contains':
      return globAutomaton([
        textGlob({ characters: [star, ...Array.from(cut.part, (literal) => ({ literal })), star] }),
      ]);
    case 'within':
      return withinAutomaton(cut.whole);
    case 'under':
      return globAutomaton([compileGlob('path', { written: '', folder: cut.folder, rest: '**' })]);
    case 'canonical path':
      return shape === pathShape ? null : pathShape;
    case 'address':
      return cut.block.bits === 32 && (shape === v4Shape || shape === anyShape)
        ? blockAutomaton(cut.block)
        : null;
  }
}

function textGlob(segment: Segment): Glob {
  return { kind: 'text', written: '', text: '', segments: [segment] };
}

const star = { wildcard: '*' } as const;

const mostLists = 2000;
const mostEffort = 1_000_000;

/** Lists with at least one set of elements for each combination of answers. */
function listsOf(asked: readonly Asked[], atoms: readonly Atom[]): Witnesses<Json> {
  const inner = asked.flatMap(({ cut }) => (cut.cut === 'element' ? [{ cut: cut.of, isEnough: false }] : []));
  if (inner.length === 0) return completely([['x'], []]);
  const plain = plainValues(inner);
  let effort = plain.effort;
  const answers = (list: Json) => {
    effort += atoms.length * (list as readonly Json[]).length;
    return atoms.map(({ truth }) => truthNumber(truth(list))).join('');
  };
  const elements = new Map<string, Json>();
  for (const value of [...plain.values, null, {}, []]) {
    const key = answers([value]);
    if (!elements.has(key)) elements.set(key, value);
  }
  const found = new Map<string, readonly Json[]>([...elements].map(([key, element]) => [key, [element]]));
  // Only the answers so far matter for one more element. A map grows while it is walked.
  for (const list of found.values()) {
    for (const element of elements.values()) {
      const longer = [...list, element];
      const key = answers(longer);
      if (!found.has(key)) found.set(key, longer);
    }
    if (found.size > mostLists || effort > mostEffort)
      return {
        values: [...found.values(), []],
        gap: 'conditions ask too much about the elements of a list',
        effort,
      };
  }
  return { values: [...found.values(), []], gap: plain.gap, effort };
}
