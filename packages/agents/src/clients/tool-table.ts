import { type JsonObject, ownMember } from '@ambit/core';

/** The effects of a call of a client's tool. A fact that is null is unknown. */
export type Use =
  | { readonly kind: 'shell'; readonly command: string | null; readonly folder?: string | null }
  | {
      readonly kind: 'file';
      readonly access: 'read' | 'list' | 'write' | 'delete';
      readonly path: string | null;
      readonly bytes?: number;
      /** The program that a use is like, as in rules: `mv` for a move. */
      readonly by?: 'mv';
      /** Whether the client searches the project for a missing file. */
      readonly isSearched?: boolean;
    }
  /**
   * Reads all files below a folder that a search walks. `isIgnoring`: except files that ignore rules exclude. `globs`: only files
   * that match one, even ignored ones, and none that match one after a `!`. `type`: only files of this type of rg.
   */
  | {
      readonly kind: 'search';
      readonly path: string | null;
      readonly isIgnoring: boolean;
      readonly globs?: readonly string[];
      readonly type?: string | null;
      /** Whether the client searches the whole folder of a file. */
      readonly inFolder?: true;
    }
  | { readonly kind: 'connect'; readonly url: string | null }
  | { readonly kind: 'agent'; readonly worker: string | null }
  /** Adds text to the run that an outsider may have written. */
  | { readonly kind: 'untrusted'; readonly source: string }
  /** Starts or runs code that the call does not show in full. */
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'persists'; readonly what: string };

/** A tool of a client. */
export interface ClientTool {
  /** The tool's full name in policies. */
  readonly name: string;
  /** All known arguments. A call with any other argument also carries `tool.call`. */
  readonly known: readonly string[];
  readonly uses: (args: Arguments) => readonly Use[];
}

/**
 * Tools by the client's own names. The names in calls come from a model, so this is a map and not an object.
 */
export type ToolTable = ReadonlyMap<string, ClientTool>;

/** The unchecked arguments of a call. */
export class Arguments {
  constructor(readonly all: JsonObject) {}

  /** Null if the argument is missing or not text. */
  text(name: string): string | null {
    const value = ownMember(this.all, name);
    return typeof value === 'string' ? value : null;
  }

  has(name: string): boolean {
    return (ownMember(this.all, name) ?? null) !== null;
  }

  /** An optional path; the folder of the call by default, and for an empty text. Null if it is not text. */
  path(name: string): string | null {
    return this.has(name) && this.text(name) === null ? null : this.text(name) || '.';
  }

  /** Several paths, as a text or a list; the folder of the call by default. */
  paths(name: string): readonly (string | null)[] {
    const value = ownMember(this.all, name) ?? null;
    if (value === null) return ['.'];
    if (!Array.isArray(value)) return [this.path(name)];
    return value.length === 0 ? ['.'] : value.map((each) => (typeof each === 'string' ? each || '.' : null));
  }
}

/** What a search by rg leaves out where this argument may give a glob: with one, it searches matching files even if ignored. */
export function globsIn(
  args: Arguments,
  name: string,
  split: (text: string) => readonly string[] = (text) => [text],
): { readonly isIgnoring: boolean; readonly globs: readonly string[] } {
  // The search begins in another folder than the described one, so a glob with a slash may match anywhere, or exclude nothing.
  const globs = split(args.text(name) ?? '')
    .map((each) => each.replace(/^!\*\*\/(?=[^/]+$)/, '!'))
    .filter((each) => each !== '' && !/^!(?:$|.*\/)/s.test(each))
    .map((each) => (each.includes('/') ? `**/${each.replace(/^\/+/, '')}` : each));
  return { isIgnoring: args.text(name) !== null || !args.has(name), globs };
}

/** `known`: names of arguments, separated by blanks. */
export function clientTool(
  name: string,
  known: string,
  uses: readonly Use[] | ClientTool['uses'] = [],
): ClientTool {
  const all = known.split(' ').filter((each) => each !== '');
  return { name, known: all, uses: typeof uses === 'function' ? uses : () => uses };
}

export function opaqueTool(name: string, known: string, why: string): ClientTool {
  return clientTool(name, known, [{ kind: 'opaque', why }]);
}

const fileTools = {
  read: ['read_file', 'read'],
  view: ['read_file', 'read', 'list'],
  list: ['list_files', 'list'],
  write: ['write_file', 'write'],
  edit: ['edit_file', 'read', 'write'],
} as const;

/** A tool for the file, or the listed folder, that its first known argument names. A written text is its second. */
export function fileTool(what: keyof typeof fileTools, known: string): ClientTool {
  const [name, ...accesses] = fileTools[what];
  const [path = '', text = ''] = known.split(' ');
  return clientTool(`filesystem.${name}`, known, (args) =>
    accesses.map((access) => ({
      kind: 'file',
      access,
      path: what === 'list' ? args.path(path) : args.text(path),
      ...(what === 'write' ? bytesOf(args.text(text)) : {}),
    })),
  );
}

/** From an object of ours, whose names are no model's. */
export function toolTable(tools: Readonly<Record<string, ClientTool>>): ToolTable {
  return new Map(Object.entries(tools));
}

/** The size of a text in UTF-8, as a fact of writing it. */
function bytesOf(text: string | null): { readonly bytes?: number } {
  return text === null ? {} : { bytes: Buffer.byteLength(text) };
}

/** The words of a text that Gemini takes for URLs; one unknown URL if there is none. */
export function urlsIn(text: string | null): readonly Use[] {
  const found = text?.split(/\s+/).filter((word) => word.includes('://')) ?? [];
  const urls: readonly (string | null)[] = found.length === 0 ? [null] : found;
  return urls.flatMap((url) => [url, ...rawFile(url)]).flatMap((url) => fetched(url));
}

/** Gemini fetches a file that a page of GitHub shows from the host of the files. */
function rawFile(page: string | null): readonly string[] {
  const url = page !== null && URL.canParse(page) ? new URL(page) : null;
  if (url?.hostname !== 'github.com' || !url.pathname.includes('/blob/')) return [];
  url.hostname = 'raw.githubusercontent.com';
  url.pathname = url.pathname.replace(/^\/([^/]+\/[^/]+)\/blob\//, '/$1/');
  return [url.href];
}

export function fetched(url: string | null): readonly Use[] {
  return [
    { kind: 'connect', url },
    { kind: 'untrusted', source: url ?? 'the web' },
  ];
}
