import type { Mutant } from './mutant.js';
import { mutantsOfCombinations } from './of-combinations.js';
import { mutantsOfDeciding } from './of-deciding.js';
import { mutantsOfFileSets } from './of-file-sets.js';
import { mutantsOfGrants } from './of-grants.js';
import { mutantsOfTheWhole } from './of-the-whole.js';

export const mutants: readonly Mutant[] = [
  ...mutantsOfDeciding,
  ...mutantsOfFileSets,
  ...mutantsOfGrants,
  ...mutantsOfCombinations,
  ...mutantsOfTheWhole,
];
