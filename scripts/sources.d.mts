export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  /** The specifiers of its imports and re-exports, type-only and dynamic ones too. */
  readonly imports: readonly string[];
}

/** The names of the folders in packages/ that are packages. */
export declare const packageNames: readonly string[];

/** Where the sources of a package stand; those of `examples` stand in one folder an example. */
export declare function sourceFolder(name: string): string;

/** The TypeScript files of a package that are not tests. */
export declare function sourcesOf(name: string): readonly SourceFile[];

/** The files of one package that each of its files imports, types included. Keys and values are paths. */
export declare function importGraph(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]>;

/** The groups of files that import one another in a circle. */
export declare function importCircles(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[];

/** A text without its lines of comments. */
export declare function withoutComments(text: string): string;
