import { isJsonObject, type Json, type JsonObject, type NonEmpty, objectOf } from '@ambit/core';
import type { OfferedTool, RunningServer } from '@ambit/toolsets';
import { type EntryPins, type List, lists, plainUri } from '../pins/entry-pins.js';
import { lookOf } from '../upstream/servers-file.js';
import type { Starting } from '../upstream/start-tool.js';
import { Links } from './links.js';
import { BadParams, requireFirstPage } from './methods.js';
import type { Subscribed } from './notices.js';
import type { Tasks } from './task-state.js';

/** One server, as its clients see it. */
export interface Served {
  readonly running: RunningServer;
  /** Why a tool that the server lists is not offered, by tool name. */
  readonly refused: ReadonlyMap<string, string>;
  readonly entries: EntryPins;
  readonly subscribed: Subscribed;
  readonly tasks: Tasks;
  /** How it is started again. */
  readonly starting: Starting;
  /** Starts it again after it has ended. */
  restart(): Promise<void>;
}

/** A request in the form of the server that it is for. */
export interface Route {
  readonly served: Served;
  readonly params: JsonObject;
}

export interface RoutedTool {
  readonly served: Served;
  /** The server's own name for it. */
  readonly name: string;
  /** Null if it is not offered. */
  readonly tool: OfferedTool | null;
}

export function isList(method: string): method is List {
  return Object.hasOwn(lists, method);
}

interface Listed {
  readonly cursor: Json | undefined;
  readonly signal: AbortSignal;
  readonly shown: (one: Listing) => Promise<boolean>;
}

/** An entry of a list, with the server that has it. */
export interface Listing {
  readonly served: Served;
  readonly name: string;
  /** The server's own name for it. */
  readonly own: string;
  readonly entry: JsonObject;
}

/** A list of all servers. */
interface Fetched {
  readonly all: readonly Listing[];
  /** The servers that gave no list: theirs is the last that they gave. */
  readonly silent: readonly Served[];
}

/**
 * Which server a request is for. One server keeps its names. With several, tools and prompts are called `SERVER__NAME`, and resources
 * are known by the server that lists them, or else by the one whose results link to them; what two servers have is refused.
 */
export class Routes {
  readonly #tools = new Map<string, RoutedTool>();
  readonly #known = new Map<List, Fetched>();
  readonly links = new Links<Served>();

  /** Throws if tools of two servers have names that look alike. */
  constructor(readonly servers: NonEmpty<Served>) {
    const looks = new Map<string, Served>();
    for (const served of servers) {
      const { running, refused } = served;
      const tools = new Map(running.tools.map((tool) => [tool.name, tool]));
      for (const name of new Set([...tools.keys(), ...refused.keys()])) {
        const shown = shownName(served, name);
        const other = looks.get(lookOf(shown));
        if (other !== undefined && other !== served)
          throw new Error(`two servers have a tool that looks like \`${shown}\`: rename one of the servers`);
        looks.set(lookOf(shown), served);
        this.#tools.set(shown, { served, name, tool: tools.get(name) ?? null });
      }
    }
  }

  /** The servers that run and have this capability. */
  having(capability: string): readonly Served[] {
    return this.servers.filter(
      ({ running }) => running.ended === null && capability in running.greeting.capabilities,
    );
  }

  tool(shown: string): RoutedTool | null {
    return this.#tools.get(shown) ?? null;
  }

  /** Why a tool cannot be called; null if it can. */
  problemOf({ served: { running, refused }, name, tool }: RoutedTool): string | null {
    const why = refused.get(name);
    if (tool === null || why !== undefined) return why ?? 'its server does not offer it';
    if (running.standing(name) === 'as first seen') return null;
    return 'its definition changed during this session; the next session shows the change to a person';
  }

  /** The definitions that may be offered, as the servers wrote them except for their names. */
  tools() {
    return this.servers.flatMap((served) => {
      const { running } = served;
      const isOffered = (tool: OfferedTool) => this.problemOf({ served, name: tool.name, tool }) === null;
      // A call to a server that has ended starts it again.
      return running.tools.filter(isOffered).map((tool) => {
        const definition = { ...tool.definition, name: shownName(served, tool.name) };
        return { served, tool, definition };
      });
    });
  }

  /** A page of `shown` entries, under the names that clients use: a server's own page, or all of several. */
  async list(method: List, { cursor, signal, shown }: Listed): Promise<JsonObject> {
    const { entries, named } = lists[method];
    const [only, another] = this.servers;
    if (cursor !== undefined && typeof cursor !== 'string') throw new BadParams('`cursor` is a text');
    const params = cursor === undefined ? {} : { cursor };
    if (another !== undefined) requireFirstPage(params);
    const page = another === undefined ? await only.running.request(method, params, { signal }) : {};
    const { all, silent }: Fetched =
      another === undefined
        ? { all: await only.entries.offered(method, listingsIn(page, method, only)), silent: [] }
        : await this.#fetch(method, signal);
    const current = clear(all, method).filter(({ served }) => !silent.includes(served));
    const each = await Promise.all(current.map(async (one) => ((await shown(one)) ? [one] : [])));
    const shownEntries = each.flat().map(({ entry, name }) => ({ ...entry, [named]: name }));
    const { nextCursor } = page;
    // Another text beside the entries would be compared with no pin.
    return { [entries]: shownEntries, ...(typeof nextCursor === 'string' && { nextCursor }) };
  }

  /** The server that a request is for. Throws `BadParams` if there is none, or if two are possible. */
  async of(method: string, params: JsonObject, signal: AbortSignal): Promise<Route> {
    const [only, another] = this.servers;
    if (another === undefined) return { served: only, params };
    if (method === 'completion/complete') {
      const { ref = null } = params;
      if (!isJsonObject(ref)) throw new BadParams('a completion has a `ref`');
      if (ref.type !== 'ref/prompt')
        return { served: (await this.#listed('resources/templates/list', ref.uri, signal)).served, params };
      const { served, own } = await this.#listed('prompts/list', ref.name, signal);
      return { served, params: { ...params, ref: { ...ref, name: own } } };
    }
    if (method === 'prompts/get') {
      const { served, own } = await this.#listed('prompts/list', params.name, signal);
      return { served, params: { ...params, name: own } };
    }
    return { served: await this.#resource(params.uri, signal), params };
  }

  async #resource(uri: Json | undefined, signal: AbortSignal): Promise<Served> {
    // Servers that have ended are included: no other server is asked instead.
    const [first, ...others] = this.servers.filter(
      ({ running }) => 'resources' in running.greeting.capabilities,
    );
    if (first !== undefined && others.length === 0) return first;
    if (typeof uri !== 'string') throw new BadParams('`uri` is a text');
    const resources = await this.#fetch('resources/list', signal);
    const listed = resources.all.filter(({ name }) => plainUri(name) === plainUri(uri));
    if (listed.length > 0) return onlyOne(listed, uri).served;
    const templates = await this.#fetch('resources/templates/list', signal);
    const isFrom = (form: (text: string) => string, name: string) =>
      form(uri).startsWith(beginning(form(name)));
    const from = templates.all.filter(({ name }) => isFrom(String, name) || isFrom(plainUri, name));
    const silent = [...resources.silent, ...templates.silent];
    // A silent server may list it.
    const linked = from.length === 0 && silent.length === 0 ? this.links.serversOf(uri) : [];
    if (linked.length > 1) throw new BadParams(severalHave(uri));
    return linked[0] ?? onlyOne(from, uri, silent).served;
  }

  async #listed(list: List, name: Json | undefined, signal: AbortSignal): Promise<Listing> {
    if (typeof name !== 'string') throw new BadParams('a name is a text');
    const isNamed = (each: Listing) => each.name === name;
    const known = this.#known.get(list)?.all.filter(isNamed) ?? [];
    if (known.length > 0) return onlyOne(known, name);
    const { all, silent } = await this.#fetch(list, signal);
    return onlyOne(all.filter(isNamed), name, silent);
  }

  /** What a server that has ended or does not answer listed before is not another's. */
  async #fetch(list: List, signal: AbortSignal): Promise<Fetched> {
    const capability = list === 'prompts/list' ? 'prompts' : 'resources';
    const silent: Served[] = [];
    const before = this.#known.get(list)?.all ?? [];
    const able = this.servers.filter(({ running }) => capability in running.greeting.capabilities);
    const each = await Promise.all(
      able.map((served) =>
        entriesOf(list, served, signal).catch((): readonly Listing[] => {
          signal.throwIfAborted();
          silent.push(served);
          return before.filter((one) => one.served === served);
        }),
      ),
    );
    const fetched = { all: each.flat(), silent };
    this.#known.set(list, fetched);
    return fetched;
  }
}

/** The name of a tool or a prompt for clients. */
function shownName({ running }: Served, name: string): string {
  return `${running.server.prefix}${name}`;
}

/** Without what two servers have. What a server lists twice is one entry. */
function clear(all: readonly Listing[], list: List): readonly Listing[] {
  const named = new Map<string, Listing | null>();
  for (const one of all) {
    const name = list === 'prompts/list' ? one.name : plainUri(one.name);
    const before = named.get(name);
    if (before === undefined) named.set(name, one);
    else if (before?.served !== one.served) named.set(name, null);
  }
  return [...named.values()].filter((one) => one !== null);
}

function onlyOne(found: readonly Listing[], name: string, silent: readonly Served[] = []): Listing {
  const [first] = found;
  const another = found.find(({ served }) => served !== first?.served);
  const keys = new Set(silent.map(({ running }) => running.server.key));
  const why = keys.size === 0 ? '' : `; no list came from ${[...keys].join(', ')}`;
  if (first === undefined) throw new BadParams(`no server has \`${name}\`${why}`);
  if (another !== undefined) throw new BadParams(severalHave(name));
  return first;
}

function severalHave(name: string): string {
  return `BLOCKED: more than one server has \`${name}\``;
}

const mostPages = 50;
const mostEntries = 1_000;
/** The most characters of all pages but the last one. */
const mostCharacters = 8_000_000;
/** The longest time in milliseconds for a whole list. The other servers wait for it, and clients give up after a minute. */
const longestList = 50_000;

/** The whole list of a server, as far as it is offered. */
export function entriesOf(list: List, served: Served, signal: AbortSignal): Promise<readonly Listing[]> {
  return inTime(served, signal, (within) => pagesOf(list, served, within));
}

/** Asks a server for a list, or for an entry of it. Aborts if that takes too long. */
export async function inTime<T>(
  { running }: Served,
  signal: AbortSignal,
  asked: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  // The timer keeps it alive: nothing keeps an `AbortSignal.timeout` below `any`, and a collected one never aborts.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(running.server.limits.start, longestList));
  try {
    return await asked(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function pagesOf(list: List, served: Served, signal: AbortSignal): Promise<readonly Listing[]> {
  const found: Listing[] = [];
  let cursor: Json | undefined;
  let size = 0;
  for (let page = 0; page < mostPages && found.length < mostEntries && size < mostCharacters; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await served.running.request(list, params, { signal });
    found.push(...listingsIn(result, list, served));
    cursor = result.nextCursor;
    if (cursor === undefined) break;
    size += JSON.stringify(result).length;
  }
  return served.entries.offered(list, found.slice(0, mostEntries));
}

function listingsIn(page: JsonObject, list: List, served: Served): readonly Listing[] {
  const { entries, named } = lists[list];
  const items = page[entries];
  return (Array.isArray(items) ? (items as readonly Json[]) : []).flatMap((entry) => {
    const name = objectOf(entry)[named];
    if (typeof name !== 'string' || !isJsonObject(entry)) return [];
    return [{ served, entry, own: name, name: named === 'name' ? shownName(served, name) : name }];
  });
}

/** The part of a template before its first variable. */
function beginning(template: string): string {
  return template.replace(/\{.*/s, '');
}
