import type { Diagnostic } from '../text/diagnostic.js';
import type { PolicyDocument } from './document.js';
import type { ReadExtension } from './sections.js';

/** Reads policies, and knows the folders of `~/` and `./`. */
export interface PolicyWorld {
  /** Rejects if the file is missing or unreadable. */
  read(path: string): Promise<Uint8Array>;
  /** The path without links, for knowing one file by several names. */
  realpath?(path: string): Promise<string>;
  /** The user's home: an absolute, canonical path. */
  readonly home: string;
  /** The root of the run: an absolute, canonical path. */
  readonly root: string;
  /** Where given, a file that was read before is not read again. */
  readonly forms?: CheckedForms;
}

/** The checked form of a policy file without mistakes: plain data, without the policies that it extends. */
export interface CheckedForm {
  readonly document: PolicyDocument;
  readonly extensions: readonly ReadExtension[];
  readonly warnings: readonly Diagnostic[];
}

/** Keeps checked forms. It gives none but what it was given, unchanged, for the same file and by the same program. */
export interface CheckedForms {
  find(file: FormOf): CheckedForm | null;
  keep(file: FormOf, form: CheckedForm): void;
}

/** What a checked form was made of. */
export interface FormOf {
  /** The real path. */
  readonly path: string;
  /** Of the file's name and bytes, and of what `~/` and `./` mean in it, in hex. */
  readonly digest: string;
}
