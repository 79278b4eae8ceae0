import type { Law } from './law.js';
import { lawsOfDeciding } from './of-deciding.js';
import { lawsOfGrants } from './of-grants.js';

export const laws: readonly Law[] = [...lawsOfDeciding, ...lawsOfGrants];
