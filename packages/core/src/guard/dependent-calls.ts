import { type Capability, isWithin } from '../words/capability.js';
import { aborted, deferred } from '../words/deferred.js';
import { fileSetOf, folderOf, isUnder, listedSetOf } from '../words/files/file-set.js';
import { type Json, objectOf, textsOf } from '../words/json.js';

interface Call {
  readonly name: string;
  readonly signal: AbortSignal;
  /** The call that makes this one. */
  readonly parent: Call | null;
}

interface Begun {
  readonly effects: Effects;
  readonly isOver: Promise<void>;
  readonly over: () => void;
}

/** The calls of a run that are executed now, and those that wait for them. */
export class DependentCalls {
  readonly #begun = new Map<Call, Begun>();
  readonly #waiting = new Map<Call, Call>();

  /** Null if the call begins now. Otherwise resolves when it has waited, to why it can never begin; null if it can. */
  begin(call: Call, effects: Effects): Promise<string | null> | null {
    if (this.#before(call, effects) !== null) return this.#wait(call, effects);
    const { promise: isOver, resolve: over } = deferred();
    const { over: before } = this.#begun.get(call) ?? {};
    this.#begun.set(call, { effects, isOver, over });
    before?.();
    return null;
  }

  end(call: Call): void {
    this.#begun.get(call)?.over();
    this.#begun.delete(call);
  }

  /** Then the call has begun as far as others see, unless it is cancelled. */
  async #wait(call: Call, effects: Effects): Promise<string | null> {
    // Its description has changed: others may wait for it.
    this.end(call);
    for (;;) {
      const before = this.#before(call, effects);
      if (before === null) return this.begin(call, effects);
      const [other, { isOver }] = before;
      if (this.#needs(other, call))
        return `${other.name} has not ended, waits for this call, and one of both may change files of the other`;
      this.#waiting.set(call, other);
      await Promise.race([isOver, aborted(call.signal)]);
      this.#waiting.delete(call);
      if (call.signal.aborted) return null;
    }
  }

  /** A call that must end first. The calls that make this one need not. */
  #before(call: Call, effects: Effects): readonly [Call, Begun] | null {
    for (const each of this.#begun)
      if (!isMadeBy(call, each[0]) && areDependent(effects, each[1].effects)) return each;
    return null;
  }

  /** Whether a call, or one that it makes, waits for the other one, or for one that makes that. */
  #needs(one: Call, other: Call): boolean {
    return [...this.#waiting].some(
      ([waiting, first]) => isMadeBy(waiting, one) && (isMadeBy(other, first) || this.#needs(first, other)),
    );
  }
}

/** Whether a call is the other one, or is made by it. */
function isMadeBy(call: Call | null, other: Call): boolean {
  return call !== null && (call === other || isMadeBy(call.parent, other));
}

/** What may change the effects of a later call. */
const changing = ['fs.write', 'fs.delete', 'fs.meta', 'proc.exec.opaque', 'mcp.call', 'sys.admin'];

/** Whether what it says may change a file, or is unknown. Only the hints of a trusted server say `read_only`. */
export function mayChange({ name, read_only }: Capability): boolean {
  if (name === 'mcp.call' ? read_only === true : name === 'mcp.call.sampling') return false;
  return changing.some((each) => isWithin(name, each));
}

export interface Effects {
  readonly args: Json;
  readonly capabilities: readonly Capability[];
}

/** Whether one of two calls may change what the facts of the other one depend on. */
export function areDependent(one: Effects, other: Effects): boolean {
  return mayTouch(one, other) || mayTouch(other, one);
}

function mayTouch({ capabilities }: Effects, depending: Effects): boolean {
  const changes = capabilities.filter(mayChange).map(({ path }) => foldersIn(path));
  const places = changes.length === 0 ? [] : placesOf(depending);
  return changes.some((changed) =>
    places.some(
      ({ place, isWhole }) =>
        changed === null ||
        place === null ||
        changed.some((each) => isUnder(place, each) || (isWhole && isUnder(each, place))),
    ),
  );
}

/** Null if it may be any. `isWhole`: with all that the folder holds. */
interface Place {
  readonly place: string | null;
  readonly isWhole: boolean;
}

/** The places that the facts of a call depend on: with a pattern, also the folders of the files that it names. */
function placesOf({ args, capabilities }: Effects): readonly Place[] {
  const isProgram = capabilities.some(({ name }) => isWithin(name, 'proc.exec'));
  const hasPattern = isProgram && textsOf(Object.values(objectOf(args))).some((text) => /[*?[]/.test(text));
  return capabilities.flatMap(({ name, path }): readonly Place[] => {
    if (path === undefined) return [];
    const isWhole = typeof path !== 'string' || isWithin(name, 'fs.list');
    const folders = foldersIn(path) ?? [null];
    return folders.map((place) =>
      hasPattern && !isWhole && place !== null
        ? { place: folderOf([place]) ?? place, isWhole: true }
        : { place, isWhole },
    );
  });
}

/** The paths of a fact, or the folder of its file set; null if they are unknown. */
function foldersIn(path: Json | undefined): readonly string[] | null {
  if (typeof path === 'string') return [path];
  const set = fileSetOf(path) ?? listedSetOf(path);
  if (set === null || (set.open === true && set.under === undefined)) return null;
  const folder = 'folder' in set ? set.folder : folderOf(set.paths);
  return [set.under, folder].filter((each) => typeof each === 'string');
}
