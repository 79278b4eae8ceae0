import type { Json } from '@ambit/core';
import type { Block } from '../cidr.js';
import { compileGlob } from '../glob.js';
import { longAddresses } from './address-witnesses.js';
import type { Atom } from './atom.js';
import { truthNumber } from './atom.js';
import type { Automaton } from './automaton.js';
import type { Cut, TextCut } from './cut.js';
import { globAutomaton } from './glob-automaton.js';
import { numberWitnesses } from './number-witnesses.js';
import { anyShape, nameShape, pathShape, programShape, type Shape, v4Shape, v6Shape } from './shape.js';
import { type TextQuestion, textWitnesses, type Witnesses } from './text-witnesses.js';
import type { Value, Variable } from './variable.js';
import { blockAutomaton, literalAutomaton, withinAutomaton } from './word-automaton.js';

/** Values of a fact, an argument or the context: one at least for each way in which it can answer the atoms. */
export function valueWitnesses(
  variable: Variable,
  atoms: readonly Atom[],
  isEnough: (atom: Atom) => boolean,
): Witnesses<Value> {
  const asked = atoms.flatMap((atom) =>
    atom.cuts.map((cut) => ({ cut, isEnough: atom.isGlobs && isEnough(atom) })),
  );
  const fact = variable.kind === 'fact' && variable.path.length === 1 ? (variable.path[0] as string) : '';
  if (fact === 'port') return { values: [...numbersOf(asked, isPort), undefined], gap: null };
  const shapes = shapesOf(fact);
  if (shapes !== null) {
    const texts = textsOf(asked, shapes);
    return { values: [...texts.values, undefined], gap: texts.gap };
  }
  const plain = plainValues(asked);
  const lists = listsOf(asked, atoms);
  const values = [...plain.values, ...lists.values, null, {}, undefined];
  return { values, gap: plain.gap ?? lists.gap };
}

interface Asked {
  readonly cut: Cut;
  readonly isEnough: boolean;
}

function plainValues(asked: readonly Asked[]): Witnesses<Json> {
  const texts = textsOf(asked, [anyShape]);
  return { values: [...texts.values, ...numbersOf(asked, () => true), true, false], gap: texts.gap };
}

function numbersOf(asked: readonly Asked[], isAllowed: (value: number) => boolean): readonly number[] {
  return numberWitnesses(
    asked.flatMap(({ cut }) => (cut.cut === 'number' ? [cut.at] : [])),
    isAllowed,
  );
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 65535;
}

/** Facts that have a canonical form are texts of these shapes, or missing. */
function shapesOf(fact: string): readonly Shape[] | null {
  if (fact === 'path' || fact === 'cwd') return [pathShape];
  if (fact === 'program') return [programShape];
  return fact === 'host' ? [nameShape, v4Shape, v6Shape] : null;
}

function textsOf(asked: readonly Asked[], shapes: readonly Shape[]): Witnesses<string> {
  const cuts = new Map<string, { of: TextCut; isEnough: boolean }>();
  for (const { cut, isEnough } of asked) {
    if (cut.cut !== 'text') continue;
    const key = JSON.stringify(cut.of, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    cuts.set(key, { of: cut.of, isEnough: isEnough || cuts.get(key)?.isEnough === true });
  }
  const distinct = [...cuts.values()];
  const blocks = distinct.flatMap(({ of }) => (of.text === 'address' ? [of.block] : []));
  const parts = shapes.map((shape) => ofShape(shape, distinct, blocks));
  const values = [...new Set(parts.flatMap((part) => part.values))];
  // The empty text is a poor example.
  values.sort((one, other) => Number(one === '') - Number(other === ''));
  return { values, gap: parts.find(({ gap }) => gap !== null)?.gap ?? null };
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
  return { values: [...texts.values, ...long.values], gap: texts.gap ?? long.gap };
}

/** Addresses in blocks are found by their numbers, so nothing else may ask about how they are written but as a whole. */
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
  const gap = written.values.length > 1 ? 'patterns of addresses overlap with blocks' : written.gap;
  return { values: longAddresses(blocks, literals), gap };
}

/** The texts of a cut that asks for single texts alone. */
function literalsOf(cut: TextCut): readonly string[] {
  if (cut.text === 'literals') return cut.literals;
  if (cut.text !== 'globs') return [];
  const texts = cut.globs.map(({ segments }) =>
    segments.map((segment) => (segment !== '**' && 'literal' in segment ? segment.literal : null)),
  );
  return texts.some((segments) => segments.includes(null)) ? [] : texts.map((segments) => segments.join('.'));
}

function questionsOf({ of, isEnough }: Distinct, shape: Shape): readonly TextQuestion[] {
  const automaton = automatonOf(of, shape);
  return automaton === null ? [] : [{ automaton, isEnough }];
}

function automatonOf(cut: TextCut, shape: Shape): Automaton | null {
  switch (cut.text) {
    case 'globs':
      return globAutomaton(cut.globs);
    case 'literals':
      return literalAutomaton(cut.literals);
    case 'contains':
      return globAutomaton([containing(cut.part)]);
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

function containing(part: string) {
  const characters = Array.from(part, (literal) => ({ literal }));
  const star = { wildcard: '*' } as const;
  return {
    kind: 'text',
    written: '',
    text: '',
    segments: [{ characters: [star, ...characters, star] }],
  } as const;
}

const mostLists = 2000;

/** Lists of elements, one at least for each combination of answers; what is asked of a list depends on the set of its elements. */
function listsOf(asked: readonly Asked[], atoms: readonly Atom[]): Witnesses<Json> {
  const inner = asked.flatMap(({ cut }) => (cut.cut === 'element' ? [{ cut: cut.of, isEnough: false }] : []));
  if (inner.length === 0) return { values: [['x'], []], gap: null };
  const plain = plainValues(inner);
  const answers = (list: Json) => atoms.map(({ truth }) => truthNumber(truth(list))).join('');
  const elements = new Map<string, Json>();
  for (const value of [...plain.values, null, {}, []]) {
    const key = answers([value]);
    if (!elements.has(key)) elements.set(key, value);
  }
  const found = new Map<string, readonly Json[]>([...elements].map(([key, element]) => [key, [element]]));
  // Of one more element it matters only how the list answered before: a map grows while it is walked.
  for (const list of found.values()) {
    for (const element of elements.values()) {
      const longer = [...list, element];
      const key = answers(longer);
      if (!found.has(key)) found.set(key, longer);
    }
    if (found.size > mostLists)
      return { values: [...found.values(), []], gap: 'too much is asked of the elements of a list' };
  }
  return { values: [...found.values(), []], gap: plain.gap };
}
