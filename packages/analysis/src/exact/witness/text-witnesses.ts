import type { Automaton } from './automaton.js';
import type { Shape } from './shape.js';

export interface TextQuestion {
  readonly automaton: Automaton;
  /** Whether accepting settles the text. */
  readonly isEnough: boolean;
}

export interface Witnesses<T> {
  readonly values: readonly T[];
  /** Null if they are complete; otherwise the reason. */
  readonly gap: string | null;
  readonly effort: number;
}

export function completely<T>(values: readonly T[]): Witnesses<T> {
  return { values, gap: null, effort: 0 };
}

export function joined<T>(parts: readonly Witnesses<T>[]): Witnesses<T> {
  return {
    values: parts.flatMap(({ values }) => values),
    gap: parts.find(({ gap }) => gap !== null)?.gap ?? null,
    effort: parts.reduce((sum, { effort }) => sum + effort, 0),
  };
}

const mostStates = 30_000;
const mostEffort = 4_000_000;

/** Machines that are not settled, with their states, and those that accept for good. */
interface Reached {
  readonly text: string;
  readonly shape: number;
  readonly live: readonly number[];
  readonly states: readonly number[];
  readonly accepted: readonly number[];
}

/** Walks all machines at once, the shortest texts first. */
export function textWitnesses(shape: Shape, questions: readonly TextQuestion[]): Witnesses<string> {
  const all = questions.map(({ automaton }) => automaton);
  const start = withoutSettled(questions, {
    text: '',
    shape: shape.start,
    live: all.map((_, index) => index),
    states: all.map((automaton) => automaton.start),
    accepted: [],
  });
  const queue = [start];
  const seen = new Set<string>([keyOf(start)]);
  const found = new Map<string, string>();
  const doubtful = new Set<string>();
  let walked = 0;
  const effort = () => all.reduce((sum, automaton) => sum + (automaton.effort?.() ?? 0), walked);
  const witnesses = (gap: string | null) => ({ values: [...found.values()], gap, effort: effort() });
  // The queue grows while it is walked.
  for (const here of queue) {
    const label = shape.label(here.shape);
    const yes = here.live.filter((index, place) => all[index]?.label(here.states[place] as number) === 1);
    const answers = `${label} ${here.accepted.join()} ${yes.join()}`;
    if (label !== 0 && !found.has(answers)) {
      if (shape.isReal(here.text)) found.set(answers, here.text);
      else doubtful.add(answers);
    }
    const isEnough =
      here.live.length === 0 || here.accepted.some((index) => questions[index]?.isEnough === true);
    if (isEnough && found.has(answers)) continue;
    for (const character of charactersAt(shape, all, here)) {
      const next = shape.step(here.shape, character);
      if (next === 0) continue;
      walked += 1 + here.live.length;
      const states = here.live.map((index, place) =>
        (all[index] as Automaton).step(here.states[place] as number, character),
      );
      const there = withoutSettled(questions, { ...here, text: here.text + character, shape: next, states });
      const key = keyOf(there);
      if (seen.has(key)) continue;
      if (seen.size >= mostStates || effort() >= mostEffort)
        return witnesses('its patterns overlap in too many ways');
      seen.add(key);
      queue.push(there);
    }
  }
  const isDoubtful = [...doubtful].some((answers) => !found.has(answers));
  const doubt = 'no canonical text was found for each way in which its patterns overlap';
  return witnesses(isDoubtful ? doubt : null);
}

function keyOf({ shape, live, states, accepted }: Reached): string {
  return `${shape} ${accepted.join()} ${live.join()} ${states.join()}`;
}

function withoutSettled(questions: readonly TextQuestion[], from: Reached): Reached {
  const machine = (index: number) => (questions[index] as TextQuestion).automaton;
  const isSettled = (index: number, place: number) => machine(index).isSettled(from.states[place] as number);
  if (!from.live.some(isSettled)) return from;
  const settled = from.live.filter(
    (index, place) => isSettled(index, place) && machine(index).label(from.states[place] as number) === 1,
  );
  return {
    ...from,
    live: from.live.filter((index, place) => !isSettled(index, place)),
    states: from.states.filter((_, place) => !isSettled(from.live[place] as number, place)),
    accepted:
      settled.length === 0 ? from.accepted : [...from.accepted, ...settled].sort((one, other) => one - other),
  };
}

function charactersAt(
  shape: Shape,
  all: readonly Automaton[],
  { live, states, shape: state }: Reached,
): readonly string[] {
  const specials = new Set<string>();
  for (const [place, index] of live.entries())
    for (const character of (all[index] as Automaton).specials(states[place] as number))
      specials.add(character);
  if (shape.classes !== null) {
    const others = shape.classes.flatMap((of) => [...of].find((character) => !specials.has(character)) ?? []);
    return [...others, ...specials];
  }
  for (const character of shape.specials(state)) specials.add(character);
  return [otherThan(specials), ...specials];
}

/** A plain one, if possible. */
export function otherThan(specials: ReadonlySet<string>): string {
  for (const character of 'xyzabcdefghijklmnopqrstuvw0123456789')
    if (!specials.has(character)) return character;
  // Beyond ASCII; there are always more characters than specials.
  for (let code = 0x4e00; ; code += 1) {
    const character = String.fromCodePoint(code);
    if (!specials.has(character)) return character;
  }
}
