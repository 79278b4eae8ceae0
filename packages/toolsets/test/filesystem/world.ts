import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Capability, Description, Json, JsonObject, Tool, Toolset } from '@ambit/core';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { filesystem, type GuardedPlace, type Root } from '../../src/index.js';

/** A folder of its own for one test, with these files in it. Gone when the test is. */
export function world(files: Readonly<Record<string, string>> = {}): {
  readonly base: string;
  readonly at: (path: string) => string;
} {
  const base = temporaryFolder('ambit-toolsets-');
  const at = (path: string) => join(base, path);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  return { base, at };
}

export interface Setting {
  readonly roots: readonly Root[];
  readonly guarded?: readonly GuardedPlace[];
  readonly home?: string;
}

/** The tools of a toolset, called as the guard calls them. */
export class Hand {
  constructor(readonly toolset: Toolset) {}

  static with({ roots, guarded = [], home = '/nowhere/home' }: Setting): Hand {
    return new Hand(filesystem({ roots, guarded, home }));
  }

  async describe(tool: string, args: JsonObject): Promise<Description> {
    return this.tool(tool).describe(this.parsed(tool, args), context);
  }

  async capabilities(tool: string, args: JsonObject): Promise<readonly Capability[]> {
    return (await this.describe(tool, args)).capabilities;
  }

  async cannot(tool: string, args: JsonObject): Promise<string | null> {
    return (await this.describe(tool, args)).cannot ?? null;
  }

  async preview(tool: string, args: JsonObject) {
    return this.tool(tool).preview?.(this.parsed(tool, args), context);
  }

  /** Executes what was described, `between` the two. */
  async call(tool: string, args: JsonObject, between: () => void = () => undefined): Promise<Json> {
    const { capabilities, cannot } = await this.describe(tool, args);
    if (cannot !== undefined) throw new Error(`cannot: ${cannot}`);
    between();
    return this.execute(tool, args, capabilities);
  }

  async execute(tool: string, args: JsonObject, described: readonly Capability[]): Promise<Json> {
    return this.tool(tool).execute(this.parsed(tool, args), {
      ...context,
      id: 'c1',
      described,
      call: () => Promise.reject(new Error('no tool of these calls another')),
    });
  }

  private tool(name: string): Tool {
    const tool = this.toolset.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool;
  }

  private parsed(name: string, args: JsonObject): JsonObject {
    const parsed = this.tool(name).input.parse(args);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value;
  }
}

const context = { chain: ['main'] as const, signal: new AbortController().signal };

/** Everything in a folder: what files hold, where links lead. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...entriesIn(folder, '')].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Node's own recursion follows links from version 24 on. */
function entriesIn(folder: string, prefix: string): readonly [string, string][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const [path, key] = [join(folder, entry.name), prefix + entry.name];
    if (entry.isSymbolicLink()) return [[key, `-> ${readlinkSync(path)}`]];
    if (entry.isFile()) return [[key, readFileSync(path, 'utf8')]];
    return [[key, '/'], ...(entry.isDirectory() ? entriesIn(path, `${key}/`) : [])];
  });
}
