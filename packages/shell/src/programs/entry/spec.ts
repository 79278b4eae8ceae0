import * as z from 'zod';
import type { DefinedBy } from '../../world.js';

/**
 * The effects of a program with its words. Options are written with all their spellings, `-f --file`; roles
 * as `role.ts` has them, several with `+`, those of an option's further words after a comma. A role may end
 * in conditions: `if -r -R` (one of these is given; `-i=` where its optional value is), `unless -e`, `if
 * none` (no operands), `if bare` (none but variables), `if many` (several), `if edit` (the first of them is
 * that word), `only -n` (no other option is given).
 */
export interface ProgramSpec {
  /** What the program is for, in one line. */
  readonly for?: string;
  /** The source of the options: a manual with its version. */
  readonly source?: string;
  /**
   * Each of these words, if it is the only one, makes the program print something about itself. Then only `settings`
   * apply, and `opaque` and the rest of the entry do not.
   */
  readonly about?: string;
  /** Options without a value, `--help` and `--version` always among them. `--color?` may have one, glued or after `=`; `-#` is a number. */
  readonly flags?: string;
  /** Options whose value has no effect. */
  readonly values?: string;
  /**
   * Options whose value has a role. `?` before the role: only glued or after `=`; `...`: all words up to the
   * next that begins with a dash.
   */
  readonly options?: Readonly<Record<string, string>>;
  /** The roles of operands in order: `...read` is any number of them, `*assignment` all like `NAME=value`. */
  readonly operands?: readonly string[];
  /**
   * Further effects of the program, each a role and a text: `write/** .`. `{-f}` is the value of that option,
   * `?` is unknown.
   */
  readonly does?: readonly string[];
  /**
   * Files that the program reads by itself if they exist, relative to its folder, to `~/`, or with `^/` to
   * this folder, those of its operands, and each above; `*` is any name or a part of it, and several have blanks between them. `data`; `options`, which may be
   * any; `options if KEY|KEY` for a JSON file with such a key, or another file with such a text; `options of NAMES` for files
   * with these names before the first point.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** The roles of names in `key=value`; `*` is any text in a name. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Entries by the first operand; several names are joined by `|`, and `*` is any other. */
  readonly commands?: Readonly<Record<string, ProgramSpec>>;
  /** Another entry of the table, to which this one adds. */
  readonly like?: string;
  /** Why its effects are unknown. Known effects are reported too. */
  readonly opaque?: string;
  /** The files that say what an opaque program runs. An approval of it holds only while they stay as they are. */
  readonly defined_by?: DefinedBy;
  /** Whether subcommands take these options too. */
  readonly inherits?: boolean;
  /** Whether options end at the first operand. */
  readonly posix?: boolean;
  /** Behind an operand, only these are options, glued values too. Any other word with a dash there is outside, and `--` anywhere. */
  readonly late?: string;
  /** Options are whole words with one dash, `-name`. */
  readonly dashed?: boolean;
  /** The first word is a bundle of options without a dash, `tar xf`. */
  readonly bundled?: boolean;
  /** Whether a `folder` option counts before all other options (`make -C DIR -f FILE`). */
  readonly moved_first?: boolean;
  /** An unknown word is never an option (`test`). */
  readonly closed?: boolean;
  /** No option is a digit: `-5` is an error, or an operand (`seq`). */
  readonly no_digits?: boolean;
  /** The value of an option is a separate word, never glued to it (`tree -P`). */
  readonly separate?: boolean;
  /** A word that begins with `@` names a file of further words (`strings @F`), or a list of files. */
  readonly at_files?: boolean;
  /** Whether the program follows links while it walks folders (`zip -r`). */
  readonly follows?: boolean;
  /** Ignored words, `( ) !`. */
  readonly ignored?: string;
  /** Whether it leaves the standard input for the next command; `files`: only if it reads a named file. */
  readonly leaves_input?: boolean | 'files';
  /** Whether the commands that the program starts read its standard input. */
  readonly shares_input?: boolean;
  /** Options with which the program splits the words of its command over several runs. */
  readonly splits?: string;
  /** The lister in `listing/listers.ts` that lists the program's files; `NAME if OPTIONS` with one of these only. */
  readonly lists?: string;
  /** Its lister knows a process substitution among its files; any other one makes the program opaque. */
  readonly reads_pipes?: boolean;
  /** The program's standard output, with optional conditions; the first that holds counts. */
  readonly prints?: string | readonly string[];
  /** Whether `NAME3.11` and `NAME-12` are this program too. */
  readonly versioned?: boolean;
  /** Whether the files that it writes may be links. */
  readonly may_link?: boolean;
}

export type ProgramTable = Readonly<Record<string, ProgramSpec>>;

const names = z.string().regex(/^\S+(?: \S+)*$/, 'names with one space between them');
const line = z.string().min(1);
const trait = z.boolean().exactOptional();

export const programSpec: z.ZodType<ProgramSpec> = z.lazy(() =>
  z.strictObject({
    for: line.exactOptional(),
    source: line.exactOptional(),
    about: names.exactOptional(),
    flags: names.exactOptional(),
    values: names.exactOptional(),
    options: z.record(names, z.string()).exactOptional(),
    operands: z.array(z.string()).exactOptional(),
    does: z.array(z.string()).exactOptional(),
    settings: z
      .record(z.string(), z.string().regex(/^(?:data|options(?: if [\w|-]+| of [\w ]+)?)$/))
      .exactOptional(),
    keys: z.record(z.string(), z.string()).exactOptional(),
    commands: z.record(z.string(), programSpec).exactOptional(),
    like: z.string().exactOptional(),
    opaque: line.exactOptional(),
    defined_by: z
      .strictObject({ files: names, options: names.exactOptional(), packages: names.exactOptional() })
      .exactOptional(),
    inherits: trait,
    posix: trait,
    late: names.exactOptional(),
    dashed: trait,
    bundled: trait,
    moved_first: trait,
    closed: trait,
    no_digits: trait,
    separate: trait,
    at_files: trait,
    follows: trait,
    ignored: names.exactOptional(),
    leaves_input: z.union([z.boolean(), z.literal('files')]).exactOptional(),
    shares_input: trait,
    splits: names.exactOptional(),
    lists: z.string().exactOptional(),
    reads_pipes: trait,
    prints: z.union([z.string(), z.array(z.string())]).exactOptional(),
    versioned: trait,
    may_link: trait,
  }),
);
