// Programs that import the sources of this package find the types of YAML files through this reference.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../../scripts/yaml.d.ts" />
import files from '../../../programs/*.yaml';
import type { ProgramTable } from './spec.js';

interface Family {
  readonly family: string;
  readonly programs: Readonly<Record<string, unknown>>;
}

const { variables: _, ...programFiles } = files as Readonly<Record<string, Family>>;

/** The files of `packages/shell/programs` that hold programs, by their names. */
export const families: Readonly<Record<string, Family>> = programFiles;

/** The table of programs. A test checks the form of every entry; loading checks nothing. */
export const programs = Object.assign(
  {},
  ...Object.values(families).map((family) => family.programs),
) as ProgramTable;
