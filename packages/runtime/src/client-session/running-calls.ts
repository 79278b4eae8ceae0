import { dirname } from 'node:path';
import {
  type Capability,
  fileSetOf,
  folderOf,
  isUnder,
  isWithin,
  type Json,
  listedSetOf,
  objectOf,
  textsOf,
} from '@ambit/core';
import { mayChange, type Recorded } from './recorded.js';

/** Whether a call of the log may still run. `isAsked`: its user was asked, and may have approved it. */
export type MayRun = (call: string, isAsked: boolean) => boolean;

/**
 * Milliseconds after which a call without an outcome counts as ended. Clients judge all calls of a turn before the first
 * one ends, so within seconds. Some do not report that their user refused a call, or that it was killed.
 */
const longestRun = 30_000;

/**
 * Why a call must wait for others that may still run: one may change what the other's facts depend on. Null if none
 * does. Programs that a call leaves running are not known.
 */
export function whyWait(
  recorded: Recorded,
  { call, now, mayRun }: { readonly call: string; readonly now: number; readonly mayRun: MayRun },
): (effects: Effects) => string | null {
  const running = [...recorded.open.values()].flatMap((events) => {
    const last = events.findLast((event) => event.event === 'decision');
    if (last === undefined || last.decision === null || last.call === call) return [];
    const isAsked = last.decision === 'needs_approval' && !events.some((event) => event.event === 'approval');
    // A time from the future: the clock was set back.
    const isPast = Math.abs(now - (events.at(-1) ?? last).now) > longestRun;
    return !isPast && mayRun(last.call, isAsked) ? [last] : [];
  });
  return (effects) => {
    const other = running.find((each) => isTouched(effects, each));
    return other === undefined
      ? null
      : `another call of this session, ${other.tool}, has not ended, and one of both may change files of the other: wait until it has ended, or ${longestRun / 1000} seconds if it never ran, then make this call again`;
  };
}

interface Effects {
  readonly args: Json;
  readonly capabilities: readonly Capability[];
}

/** Whether one of two calls may change what the facts of the other one depend on. */
function isTouched(one: Effects, other: Effects): boolean {
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
        ? { place: dirname(place), isWhole: true }
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
