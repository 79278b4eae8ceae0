import * as z from 'zod';

const names = z.string().regex(/^\S+(?: \S+)*$/, 'names with one space between them');
const line = z.string().min(1);
const trait = z.boolean().exactOptional();

/** What a program does. These are functions, so that no schema is made before one is needed. */
const effectKeys = () => ({
  /** What the program is for, in one line. */
  for: line.exactOptional(),
  /** The source of the options: a manual with its version. */
  source: line.exactOptional(),
  /**
   * Each of these words, if it is the only one, makes the program print something about itself. Then only `settings`
   * apply, and `opaque` and the rest of the entry do not.
   */
  about: names.exactOptional(),
  /** The same for the only word behind a command that the entry names: `git log -h`. */
  about_commands: names.exactOptional(),
  /** Options without a value, `--help` and `--version` always among them. `--color?` may have one, glued or after `=`; `-#` is a number. */
  flags: names.exactOptional(),
  /** Options whose value has no effect. */
  values: names.exactOptional(),
  /**
   * Options whose value has a role. `?` before the role: only glued or after `=`; `...`: all words up to the
   * next that begins with a dash.
   */
  options: z.record(names, z.string()).exactOptional(),
  /** The roles of operands in order: `...read` is any number of them, `*assignment` all like `NAME=value`. */
  operands: z.array(z.string()).exactOptional(),
  /**
   * Further effects of the program, each a role and a text: `write/** .`. `{-f}` is the value of that option,
   * `?` is unknown.
   */
  does: z.array(z.string()).exactOptional(),
  /**
   * Files that the program reads by itself if they exist, relative to its folder, to `~/`, or with `^/` to
   * this folder, those of its operands, and each above; `*` is any name or a part of it, and several have blanks between them. `data`; `options`, which may be
   * any; `options if KEY|KEY` for a JSON file with such a key (`*KEY`: at any depth), or another file with such a text; `options of NAMES` for files
   * with these names before the first point; `options unless NAMES` unless each of its lines sets one of these;
   * `options by workspaces` unless the manifests of all workspaces are JSON, and no links.
   */
  settings: z
    .record(
      z.string(),
      z.string().regex(/^(?:data|options(?: if [\w|*-]+| of [\w ]+| unless .+| by workspaces)?)$/),
    )
    .exactOptional(),
  /** The roles of names in `key=value`; `*` is any text in a name. */
  keys: z.record(z.string(), z.string()).exactOptional(),
  /** Another entry of the table, to which this one adds. */
  like: z.string().exactOptional(),
  /** Why its effects are unknown. Known effects are reported too. Conditions may follow. */
  opaque: line.exactOptional(),
  /** The files that say what an opaque program runs. An approval of it holds only while they stay as they are. */
  defined_by: z
    .strictObject({
      files: names,
      options: names.exactOptional(),
      packages: names.exactOptional(),
      modules: names.exactOptional(),
    })
    .exactOptional(),
});

/** How its words are read, and traits. */
const traitKeys = () => ({
  /** Whether subcommands take these options too. */
  inherits: trait,
  /** Whether options end at the first operand. */
  posix: trait,
  /** After an operand, only these are options, also with glued values; other words with a dash are unknown, as is `--`. */
  late: names.exactOptional(),
  /** Options are whole words with one dash, `-name`. */
  dashed: trait,
  /** The first word is a bundle of options without a dash, `tar xf`. */
  bundled: trait,
  /** Whether a `folder` option counts before all other options (`make -C DIR -f FILE`). */
  moved_first: trait,
  /** Each folder is relative to the one before (`make -C`); otherwise the last one counts. */
  joined_folders: trait,
  /** An unknown word is never an option (`test`). */
  closed: trait,
  /** No option is a digit: `-5` is an error, or an operand (`seq`). */
  no_digits: trait,
  /** The value of an option is a separate word, never glued to it (`tree -P`). */
  separate: trait,
  /** A word that begins with `@` names a file of further words (`strings @F`), or a list of files. */
  at_files: trait,
  /** Whether the program follows links while it walks folders (`zip -r`). */
  follows: trait,
  /** Ignored words, `( ) !`. */
  ignored: names.exactOptional(),
  /** Whether it leaves the standard input for the next command; `files`: only if it reads a named file. */
  leaves_input: z.union([z.boolean(), z.literal('files')]).exactOptional(),
  /** Whether the commands that the program starts read its standard input. */
  shares_input: trait,
  /** Options with which the program splits the words of its command over several runs. */
  splits: names.exactOptional(),
  /** The lister in `listing/listers.ts` that lists the program's files; `NAME if OPTIONS` with one of these only. */
  lists: z.string().exactOptional(),
  /** Its lister knows a process substitution among its files; any other one makes the program opaque. */
  reads_pipes: trait,
  /** The program's standard output, with optional conditions; the first that holds counts. */
  prints: z.union([z.string(), z.array(z.string())]).exactOptional(),
  /** Whether `NAME3.11` and `NAME-12` are this program too. */
  versioned: trait,
  /** Whether the files that it writes may be links. */
  may_link: trait,
});

const ownKeys = () => z.strictObject({ ...effectKeys(), ...traitKeys() });

/**
 * The effects of a program with its words. Options are written with all their spellings, `-f --file`; roles
 * as `role.ts` has them, several with `+`, those of an option's further words after a comma. A role may end
 * in conditions: `if -r -R` (one of these is given; `-i=` where its optional value is), `unless -e`, `if
 * none` (no operands), `if bare` (none but variables), `if many` (several), `if dash` (the first of them is
 * `-`), `if edit` (the first of them is that word), `only -n` (no other option is given).
 */
export interface ProgramSpec extends Readonly<z.output<ReturnType<typeof ownKeys>>> {
  /** Entries by the first operand; several names are joined by `|`, and `*` is any other. */
  readonly commands?: Readonly<Record<string, ProgramSpec>>;
}

export type ProgramTable = Readonly<Record<string, ProgramSpec>>;

export const programSpec: z.ZodType<ProgramSpec> = z.lazy(() =>
  ownKeys().extend({ commands: z.record(z.string(), programSpec).exactOptional() }),
);
