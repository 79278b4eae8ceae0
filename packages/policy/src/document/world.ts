import type { NamedFile } from '../grammar/values.js';
import type { Diagnostic } from '../text/diagnostic.js';
import type { Node } from '../text/tree.js';
import type { PolicyDocument } from './document.js';

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
  /** Collects the trees of the files by their texts, for those who would parse them again. */
  readonly trees?: Map<string, Node>;
}

/** Plain data, without the policies that it extends. */
export interface CheckedForm {
  readonly document: PolicyDocument;
  readonly extensions: readonly NamedFile[];
  readonly warnings: readonly Diagnostic[];
}

/** Stores checked forms. Returns only unchanged forms of the same file and program. */
export interface CheckedForms {
  find(file: FormOf): CheckedForm | null;
  keep(file: FormOf, form: CheckedForm): void;
}

export interface FormOf {
  readonly path: string;
  /** The digest of the file's name and bytes, and of the values of `~/` and `./`, in hexadecimal. */
  readonly digest: string;
}
