import { Random } from '../random.js';
import { caseLine } from './cases.js';
import { optionLine } from './options.js';
import { script } from './script.js';
import { stepsLine } from './steps.js';
import { tableLine } from './table.js';

/** The lines of a seed, by their numbers. */
export function generatorOf(seed: number): (index: number) => string {
  return (index) => {
    const random = new Random(seed, index);
    const make = random.weighted<(random: Random) => string>([
      [36, script],
      [13, stepsLine],
      [31, optionLine],
      [18, caseLine],
      [2, tableLine],
    ]);
    return make(random).replaceAll('\0', '').slice(0, 4000);
  };
}
