import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { isOpaque, remembered } from '@ambit/core';
import { followNow, isUnder, whatIsThere } from '@ambit/toolsets';
import { type Access, type Files, type FilesEffect, onlyFiles, type PathEffect } from '../effect.js';
import { outermost } from '../files/listing.js';
import { numberedNames } from '../listing/start.js';
import { Outside } from '../state/outside.js';
import type { Scope, Walk } from '../state/scope.js';
import type { State } from '../state/state.js';
import {
  isPipe,
  type NamesWord,
  namesWord,
  textOf,
  textsIn,
  type UnknownWord,
  underOf,
  type Word,
} from '../word.js';
import { areNear, type Changes, type Folder, forgetMade, type World } from '../world.js';
import { capabilitiesOfFiles, type Touch } from './files.js';
import { type Found, isNothing, mostLinks, placeOf } from './places.js';

export interface Toucher {
  readonly folder: Folder;
  /** The program, or `shell`. */
  readonly by: string;
  readonly scope: Scope;
  readonly run?: Touch['run'];
}

type Want = Pick<PathEffect, 'access' | 'by'> &
  Partial<
    Pick<
      PathEffect,
      'deep' | 'ends' | 'follows' | 'what' | 'mayLink' | 'leads' | 'isLook' | 'leavesBinary' | 'isPacked'
    >
  >;

/** Reports the capabilities of touching the files that a word names. */
export function touch(word: Word, want: Want, toucher: Toucher): void {
  const { scope } = toucher;
  const { report } = scope.walk;
  report.spend(10);
  const text = textOf(word);
  if (isPipe(word) && want.access === (word.takes ? 'write' : 'read')) return;
  if (text === '' || (text !== null && isNothing(text, want))) return;
  if (word.kind === 'text') touchFound(placesOf(word.text, want, toucher), want, toucher);
  else if (word.kind === 'names') touchNames(word, want, toucher);
  else touchUnknown(word, want, toucher);
}

function touchUnknown(word: UnknownWord, want: Want, toucher: Toucher): void {
  const found = numberedNames(word, { folder: toucher.folder, world: toucher.scope.walk.world });
  // A new file may have another number.
  const isNew = want.access === 'write';
  const others = isNew ? { isNumbered: true } : { isKept: found?.isOwn === true };
  if (found === null) reportFiles(unknownFiles(null, word.end ?? '', want), want, toucher);
  else touchNames(namesWord({ ...found, open: found.open || isNew }), want, toucher, others);
}

/** A path, and the missing folders before a `..` in a written one: `mkdir -p new/..` creates them. */
function placesOf(text: string, want: Want, { folder, scope }: Toucher): readonly Found[] {
  const { world } = scope.walk;
  const place = placeOf(text, folder, world, want.deep === true || want.mayLink === true ? 0 : mostLinks);
  if (want.access !== 'write') return [place];
  const ways = [...text.matchAll(/\/+\.\.(?=\/|$)/g)].map(({ index }) => text.slice(0, index));
  const made = ways.filter((way) => way !== '').map((way) => placeOf(way, folder, world));
  return [place, ...made.filter(({ stat }) => stat === null)];
}

export function touchFiles(effect: FilesEffect, toucher: Toucher): void {
  const { listing } = toucher.scope.walk.world;
  const isFolder = (path: string) => ['folder', null].includes(listing.kind(path));
  const folders = effect.access === 'list' ? outermost(effect.files.paths).filter(isFolder) : [];
  const want = { ...effect, folders };
  const tell = effect.isRemembered === true ? report : reportFiles;
  tell(effect.files, want, toucher);
}

/** `others`: what else is known of unknown files. */
function touchNames(word: NamesWord, want: Want, toucher: Toucher, others: Partial<Told> = {}): void {
  const { names } = word;
  const { world } = toucher.scope.walk;
  toucher.scope.walk.report.spend(names.texts.length / 100);
  const texts = textsIn(word).filter((text) => text !== '');
  const found = texts.flatMap((text) => placesOf(text, want, toucher));
  if (found.length > 0) touchFound(found, want, toucher);
  // A file may appear between the listing and the deletion, so an empty list may still delete.
  if (!names.open && (texts.length > 0 || want.access !== 'delete')) return;
  const under = underOf(word);
  const real = under === null ? null : placeOf(under, toucher.folder, world).real;
  reportFiles(unknownFiles(real, word.after, want), { ...want, ...others }, toucher);
}

/** The end of a folder's path says nothing about the files below it. */
function unknownFiles(under: string | null, end: string, { deep }: Want): Files {
  return { paths: [], open: true, under, ...(deep !== true && { end }) };
}

function touchFound(found: readonly Found[], want: Want, toucher: Toucher): void {
  const { access } = want;
  const { world } = toucher.scope.walk;
  for (const group of byFacts(found, want, world)) {
    const { facts, places } = group;
    const lost = places.some(({ real }) => real === null);
    const paths = places.flatMap((place) => pathsOf(place, access));
    const folders = want.isLook === true ? [] : places.flatMap(namesRead);
    report(onlyFiles(paths), { ...want, facts, folders }, toucher);
    if (lost) reportFiles({ paths: [], open: true, under: null }, { ...want, facts }, toucher);
  }
  if (want.deep === true) for (const place of found) touchBelow(place, want, toucher);
  // A file that may have become unreadable counts as deleted, and a folder with changed properties may have
  // other names.
  if (access === 'delete' || access === 'meta')
    for (const place of found)
      for (const path of [...pathsOf(place, 'delete'), place.real])
        if (path !== null) noteRemoved(path, world.changes);
  if (access === 'meta')
    for (const { named, real, stat } of found)
      if (stat?.isDirectory() === true) noteOpen(real ?? named, want, world);
  if (access !== 'write') return;
  noteChanges(found.flatMap(missingFolders), want.deep === true ? want : {}, world);
  // A program may replace a link with a new file.
  for (const { named, real, entry } of found)
    noteChanges([...new Set([real ?? named, entry ?? real ?? named])], want, world);
}

/** The paths by which rules may know a file. Removing or replacing a link touches the link itself. */
function pathsOf({ named, real, entry, passed }: Found, access: Access): readonly string[] {
  const paths =
    access === 'delete'
      ? [named, entry, ...passed.filter((path) => posix.basename(path) === posix.basename(named))]
      : [named, ...(access === 'write' ? [entry] : []), ...passed, real];
  return [...new Set(paths)].filter((path) => path !== null);
}

/** The paths that a listing reads: a folder, or a path that may be one. */
function namesRead({ named, real, stat }: Found): readonly string[] {
  if (stat !== null && !stat.isDirectory()) return [];
  return real === null || real === named ? [named] : [named, real];
}

type Told = Want &
  Pick<Touch, 'facts' | 'folders' | 'runsNothing' | 'isKept'> & { readonly isNumbered?: boolean };

function reportFiles(files: Files, want: Told, toucher: Toucher): void {
  report(files, want, toucher);
  const { world } = toucher.scope.walk;
  if (want.access === 'delete' || want.access === 'meta') {
    for (const path of files.paths) noteRemoved(path, world.changes);
    if (files.open) noteRemoved(files.under ?? '/', world.changes);
  }
  if (want.access !== 'write') return;
  noteChanges(files.paths, want, world);
  if (files.open) noteOpen(files.under ?? '/', want, world);
}

function report(files: Files, want: Told, { by, scope, run = () => ({ program: by }) }: Toucher): void {
  const { report: into, world } = scope.walk;
  const isUnsure = files.open && mayBeMade(files.under, scope.walk);
  const { leavesBinary = false } = want;
  const isAlike = want.isNumbered === true && want.deep !== true && want.mayLink !== true;
  const touched: Touch = {
    ...want,
    ...(isAlike && files.under !== null && { facts: { numbered: true } }),
    leavesBinary: leavesBinary === 'of UTF-8' ? hasUtf8(scope.state) : leavesBinary,
    run,
    isUnsure,
    by: want.by === 'argument' ? 'argument' : by,
  };
  for (const capability of capabilitiesOfFiles(files, touched, world)) into.add(capability);
}

/** Whether programs see a locale of UTF-8, as far as the line says. The one of the user is taken for such. */
function hasUtf8({ variables, inherits }: State): boolean {
  const said = ['LC_ALL', 'LC_CTYPE', 'LANG'].flatMap((name) => variables.get(name) ?? []);
  const seen = said.filter(({ isExported }) => isExported).map(({ value }) => textOf(value) ?? '');
  return (seen.length > 0 || inherits === true) && seen.every((locale) => /\.utf-?8$/i.test(locale));
}

/** Whether an opaque program, one that unpacks or one that writes anywhere may have put unknown files below a folder, or anywhere. */
function mayBeMade(under: string | null, { report: { capabilities }, world: { changes } }: Walk): boolean {
  const unpacked = [...changes.links].filter((each) => each !== '/' && changes.open.has(each));
  const isUnpacked = under === null ? unpacked.length > 0 : areNear(unpacked, under);
  const isUnknown = () => capabilities.some(({ name }) => isOpaque(name));
  return isUnpacked || (changes.open.has('/') && (under !== null || isUnknown()));
}

function touchBelow({ named, real, stat }: Found, want: Want, toucher: Toucher): void {
  const { world } = toucher.scope.walk;
  if (real === null || (stat !== null && !stat.isDirectory())) return;
  const { entries: all, isOpen } = world.listing.below(real);
  const isMeant = (path: string) => want.ends?.some((end) => path.endsWith(end)) !== false;
  const entries = all.filter(({ kind, path }) => kind === 'folder' || isMeant(path));
  if (want.access === 'write' && want.ends === undefined) {
    const hasLinks = entries.some(({ kind }) => kind === 'link');
    reportFiles({ paths: [], open: true, under: isOpen || hasLinks ? null : real }, want, toucher);
    return;
  }
  const wanted = entries.filter(({ kind, depth }) => {
    if (depth === 0) return false;
    if (want.access === 'list') return kind === 'folder';
    return want.ends === undefined && want.access !== 'read' ? true : kind === 'file' || kind === 'other';
  });
  const made = [...world.changes.created].filter((path) => path !== real && isUnder(path, real));
  const isChanged = areNear(world.changes.open, real);
  const paths = [...wanted.map(({ path }) => path), ...made];
  const both = named === real ? paths : paths.flatMap((path) => [path, named + path.slice(real.length)]);
  const isLinked = [...world.changes.links].some((link) => isUnder(link, real));
  const isLeft = want.follows === true && (isOpen || entries.some(({ kind }) => kind === 'link'));
  const isAnywhere = isLinked || isLeft;
  const files = { paths: both, open: isOpen || isChanged || isLeft, under: isAnywhere ? null : real };
  const tell = want.access === 'write' ? reportFiles : report;
  if (files.paths.length > 0 || files.open) tell(files, want, toucher);
  if (want.access === 'list') return;
  // Walking through folders lists them.
  const listed = entries.flatMap(({ kind, path }) => (kind === 'folder' ? [path] : []));
  report(onlyFiles(listed), { access: 'list', by: want.by }, toucher);
}

interface FactsGroup {
  readonly facts: NonNullable<Touch['facts']>;
  readonly places: Found[];
}

/** Files that share what is known about them before they are written. */
function byFacts(found: readonly Found[], { access }: Want, world: World): readonly FactsGroup[] {
  if (access !== 'write') return [{ facts: {}, places: [...found] }];
  const groups = new Map<string, FactsGroup>();
  for (const place of found) {
    const facts = factsOf(place, world);
    remembered(groups, JSON.stringify(facts), () => ({ facts, places: [] })).places.push(place);
  }
  return [...groups.values()];
}

/** Where earlier commands write, the file may be another one by then. */
function factsOf(found: Found, { changes }: World): NonNullable<Touch['facts']> {
  const { real } = found;
  if (real === null) return {};
  const isChanged = changes.created.has(real) || [...changes.open].some((folder) => isUnder(real, folder));
  return isChanged ? {} : whatIsThere(found);
}

/** The folders that are created on the way to a missing file. */
function missingFolders({ named, real, stat }: Found): readonly string[] {
  const path = real ?? named;
  const made: string[] = [];
  if (stat !== null) return made;
  for (let folder = posix.dirname(path); folder !== '/'; folder = posix.dirname(folder)) {
    if (followNow(folder).real !== folder || existsSync(folder)) break;
    made.push(folder);
  }
  return made;
}

/** The most files that a line makes. A loop may double them in each round. */
const mostMade = 100_000;

function noteChanges(paths: readonly string[], { mayLink, leads }: Partial<Want>, { changes }: World): void {
  for (const path of paths) {
    changes.created.add(path);
    if (changes.tags.has(path)) changes.tags.set(path, null);
    const index = changes.indexes.get(path);
    if (index) changes.indexes.set(path, { ...index, isNew: false });
    forgetMade(path, changes);
    if (mayLink !== true) continue;
    // One that is made twice may lead to either place, and one at a link may be made behind that.
    const isPlain = paths.length === 1 && (!changes.links.has(path) || changes.leads.get(path) === leads);
    if (isPlain && leads?.startsWith('/') === true) changes.leads.set(path, leads);
    else changes.leads.delete(path);
    changes.links.add(path);
  }
  if (changes.created.size > mostMade) throw new Outside('it makes too many files to list', '');
}

function noteRemoved(path: string, changes: Changes): void {
  changes.removed.add(path);
  forgetMade(path, changes);
}

function noteOpen(folder: string, { mayLink, isNumbered }: Told, { changes }: World): void {
  if (isNumbered === true && mayLink !== true && !changes.open.has(folder)) changes.numbered.add(folder);
  else if (isNumbered !== true || mayLink === true) changes.numbered.delete(folder);
  changes.open.add(folder);
  forgetMade(folder, changes);
  if (mayLink !== true) return;
  changes.links.add(folder);
  changes.leads.delete(folder);
}
