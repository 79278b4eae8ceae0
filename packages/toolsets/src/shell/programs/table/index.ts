import type { ProgramTable } from '../spec.js';
import { filePrograms } from './files.js';
import { readingPrograms } from './reading.js';
import { searchingPrograms } from './searching.js';
import { wrapperPrograms } from './wrappers.js';

/** The one table of what programs do with their arguments. */
export const programs: ProgramTable = {
  ...readingPrograms,
  ...searchingPrograms,
  ...filePrograms,
  ...wrapperPrograms,
};
