import type { Options } from 'tsup';

/** The source of a module whose default export is what a YAML text says. */
export declare function yamlModule(text: string): string;

/** Lets esbuild bundle YAML files as modules. */
export declare const yamlForEsbuild: NonNullable<Options['esbuildPlugins']>[number];

/** Lets Vite import YAML files as modules. */
export declare const yamlForVite: {
  readonly name: string;
  readonly enforce: 'pre';
  resolveId(path: string, importer: string | undefined): string | null;
  load(id: string): Promise<string> | null;
  transform(text: string, id: string): { readonly code: string; readonly map: null } | null;
};
