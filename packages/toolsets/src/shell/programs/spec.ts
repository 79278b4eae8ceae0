import * as z from 'zod';

/**
 * What a program does with its arguments. Options are written with all their spellings, `-f --file`; roles as `role.ts`
 * has them, several with `+`; what an option's further arguments are after a comma. A role may end in conditions,
 * `if -r -R` (one of these is given; `-i=` where its value, that it need not have, is), `unless -e`, `if none` (there are no operands), `if many` (more than one), `if edit` (the first of them is that word).
 */
export interface ProgramSpec {
  /** Options without a value, `--help` and `--version` always among them; `--color?` may have one after `=` or glued. `-#` is a number. */
  readonly flags?: string;
  /** Options with a value that touches nothing. */
  readonly values?: string;
  /** Options with a value that means something, by their spellings. A `?` before the role: only glued or after `=`. */
  readonly options?: Readonly<Record<string, string>>;
  /** What the operands are, in order; `...read` is any number of them, `*assignment` as many as look like it. */
  readonly operands?: readonly string[];
  /** What it does besides, a role with a text: `write/** .`, `sys.admin:power`, `code:make ?`. `{-f}` is what that
   * option was given, `?` what is not known. */
  readonly does?: readonly string[];
  /** What the names in `key=value` mean, `*` being any text in a name. */
  readonly keys?: Readonly<Record<string, string>>;
  /** By the first operand, which names what to do; `*` is any other. */
  readonly commands?: Readonly<Record<string, ProgramSpec>>;
  /** Subcommands take these options too. */
  readonly isInherited?: boolean;
  /** Options end at the first operand. */
  readonly isPosix?: boolean;
  /** Options are whole words with one dash, `-name`. */
  readonly isDashed?: boolean;
  /** The first word is a bundle of options without a dash, `tar xf`. */
  readonly isBundled?: boolean;
  /** An option that is not known changes nothing, since what it does is already said to be anything. */
  readonly isLoose?: boolean;
  /** It goes to the folder of a `folder` option before it reads the other options (`make -C DIR -f FILE`). */
  readonly isMovedFirst?: boolean;
  /** A value that is not known is never an option (`test`). */
  readonly isClosed?: boolean;
  /** Words that mean nothing by themselves, `( ) !`. */
  readonly ignored?: string;
  /** Another program's entry, which this one adds to. */
  readonly like?: string;
}

export type ProgramTable = Readonly<Record<string, ProgramSpec>>;

const names = z.string().regex(/^\S+(?: \S+)*$/, 'names with one space between them');

export const programSpec: z.ZodType<ProgramSpec> = z.lazy(() =>
  z.strictObject({
    flags: names.exactOptional(),
    values: names.exactOptional(),
    options: z.record(names, z.string()).exactOptional(),
    operands: z.array(z.string()).exactOptional(),
    does: z.array(z.string()).exactOptional(),
    keys: z.record(z.string(), z.string()).exactOptional(),
    commands: z.record(z.string(), programSpec).exactOptional(),
    isInherited: z.boolean().exactOptional(),
    isPosix: z.boolean().exactOptional(),
    isDashed: z.boolean().exactOptional(),
    isBundled: z.boolean().exactOptional(),
    isLoose: z.boolean().exactOptional(),
    isMovedFirst: z.boolean().exactOptional(),
    isClosed: z.boolean().exactOptional(),
    ignored: names.exactOptional(),
    like: z.string().exactOptional(),
  }),
);
