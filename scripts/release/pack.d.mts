/** The packages that a release holds: those that are not private. */
export function publicPackages(): string[];
/** Writes each package as a tarball into `out`, and returns their paths. Needs a build and declarations. */
export function pack(out: string, packages?: readonly string[]): string[];
/** Puts the files of a tarball into a folder. */
export function stage(folder: string, into: string): void;
