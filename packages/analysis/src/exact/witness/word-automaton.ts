import type { Block } from '@ambit/policy/internal';
import { type Automaton, determinise } from './automaton.js';

export function withinAutomaton(whole: string): Automaton {
  const characters = Array.from(whole);
  return determinise({
    start: Array.from({ length: characters.length + 1 }, (_, index) => index),
    step: (position, character) => (characters[position] === character ? [position + 1] : []),
    specials: (position) => characters.slice(position, position + 1),
    accepts: () => true,
    acceptsAll: () => false,
  });
}

/** Every input must be a dotted address. */
export function blockAutomaton({ base, prefix }: Block): Automaton {
  const octets = [24n, 16n, 8n, 0n].map((shift) => Number((base >> shift) & 255n));
  const masks = [0, 1, 2, 3].map((index) => (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff);
  const [outside, inside] = [0, 1];
  const at = (index: number, value: number) => 2 + index * 1000 + value;
  const isIn = (state: number) => {
    const [index, value] = [Math.floor((state - 2) / 1000), (state - 2) % 1000];
    const mask = masks[index] as number;
    return (value & mask) === ((octets[index] as number) & mask);
  };
  const enter = (index: number) => (prefix <= index * 8 ? inside : at(index, 0));
  const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
  return {
    start: enter(0),
    step(state, character) {
      if (state <= inside) return state;
      const [index, value] = [Math.floor((state - 2) / 1000), (state - 2) % 1000];
      if (character === '.') return isIn(state) && index < 3 ? enter(index + 1) : outside;
      const next = value * 10 + Number(character);
      return /^[0-9]$/.test(character) && next <= 255 ? at(index, next) : outside;
    },
    label: (state) => (state === inside || (state > inside && isIn(state)) ? 1 : 0),
    specials: (state) => (state <= inside ? [] : [...digits, '.']),
    isSettled: (state) => state <= inside,
  };
}
