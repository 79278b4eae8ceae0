import type { Automaton } from './automaton.js';
import type { Shape } from './shape.js';

export interface TextQuestion {
  readonly automaton: Automaton;
  /** Whether nothing more is to be known of a text once it is certain that this accepts it. */
  readonly isEnough: boolean;
}

/** Texts that show every combination of answers that a text can give. */
export interface Witnesses<T> {
  readonly values: readonly T[];
  /** Null where these are all; otherwise why there may be more. */
  readonly gap: string | null;
}

const mostStates = 30_000;

/** Walks all machines at once, the shortest texts first. */
export function textWitnesses(shape: Shape, questions: readonly TextQuestion[]): Witnesses<string> {
  const start = [shape.start, ...questions.map(({ automaton }) => automaton.start)];
  const queue: { readonly states: readonly number[]; readonly text: string }[] = [
    { states: start, text: '' },
  ];
  const seen = new Set<string>([start.join(',')]);
  const found = new Map<string, string>();
  const doubtful = new Set<string>();
  for (let next = 0; next < queue.length; next += 1) {
    const { states, text } = queue[next] as (typeof queue)[number];
    const labels = questions.map(({ automaton }, index) => automaton.label(states[index + 1] as number));
    const shapeLabel = shape.label(states[0] as number);
    const answers = `${shapeLabel} ${labels.join('')}`;
    if (shapeLabel !== 0 && !found.has(answers)) {
      if (shape.isReal(text)) found.set(answers, text);
      else doubtful.add(answers);
    }
    const isSettled = questions.every(({ automaton }, index) =>
      automaton.isSettled(states[index + 1] as number),
    );
    if (isSettled && found.has(answers)) continue;
    const isEnough = questions.some(
      ({ automaton, isEnough: enough }, index) =>
        enough && labels[index] === 1 && automaton.isSettled(states[index + 1] as number),
    );
    if (isEnough && found.has(answers)) continue;
    for (const character of charactersAt(shape, questions, states)) {
      const after = [
        shape.step(states[0] as number, character),
        ...questions.map(({ automaton }, index) => automaton.step(states[index + 1] as number, character)),
      ];
      if (after[0] === 0) continue;
      const key = after.join(',');
      if (seen.has(key)) continue;
      if (seen.size >= mostStates)
        return { values: [...found.values()], gap: 'its patterns overlap in too many ways' };
      seen.add(key);
      queue.push({ states: after, text: text + character });
    }
  }
  const isDoubtful = [...doubtful].some((answers) => !found.has(answers));
  return {
    values: [...found.values()],
    gap: isDoubtful ? 'no canonical text was found for each way in which its patterns overlap' : null,
  };
}

/** The characters that lead to different states, and one for all others. */
function charactersAt(
  shape: Shape,
  questions: readonly TextQuestion[],
  states: readonly number[],
): readonly string[] {
  const specials = new Set(
    questions.flatMap(({ automaton }, index) => automaton.specials(states[index + 1] as number)),
  );
  if (shape.classes !== null) {
    const others = shape.classes.flatMap((of) => [...of].find((character) => !specials.has(character)) ?? []);
    return [...others, ...specials];
  }
  for (const character of shape.specials(states[0] as number)) specials.add(character);
  return [otherThan(specials), ...specials];
}

function otherThan(specials: ReadonlySet<string>): string {
  for (const character of 'xyzabcdefghijklmnopqrstuvw0123456789')
    if (!specials.has(character)) return character;
  // Beyond ASCII; there are always more characters than specials.
  for (let code = 0x4e00; ; code += 1)
    if (!specials.has(String.fromCodePoint(code))) return String.fromCodePoint(code);
}
