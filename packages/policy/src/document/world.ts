import type { Diagnostic } from '../text/diagnostic.js';
import type { PolicyDocument } from './document.js';
import type { ReadExtension } from './sections.js';

/** Reads policies, and knows the folders of `~/` and `./`. */
export interface PolicyWorld {
  /** Rejects if the file is missing or unreadable. */
  read(path: string): Promise<Uint8Array>;
  /** The path without links, which identifies a file with several names. */
  realpath?(path: string): Promise<string>;
  /** The user's home: an absolute, canonical path. */
  readonly home: string;
  /** The root of the run: an absolute, canonical path. */
  readonly root: string;
  /** Stores checked forms; if present, a file that was read before is not read again. */
  readonly forms?: CheckedForms;
}

/** The checked form of a policy file without mistakes: plain data, without the policies that it extends. */
export interface CheckedForm {
  readonly document: PolicyDocument;
  readonly extensions: readonly ReadExtension[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * A store of checked forms. It returns only a form that it was given, unchanged, for the same file and the
 * same program.
 */
export interface CheckedForms {
  find(file: FormOf): CheckedForm | null;
  keep(file: FormOf, form: CheckedForm): void;
}

/** The inputs of a checked form. */
export interface FormOf {
  /** The real path. */
  readonly path: string;
  /** The digest of the file's name and bytes, and of the values of `~/` and `./`, in hexadecimal. */
  readonly digest: string;
}
