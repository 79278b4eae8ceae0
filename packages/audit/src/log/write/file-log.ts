import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode, type LogEvent, printable, systemWords } from '@ambit/core';
import { formatVerification } from '../../verify/format-verification.js';
import type { Verified } from '../../verify/verification.js';
import { type VerifiedSegments, verifySegments } from '../../verify/verify-segments.js';
import { acquireLock } from '../files/lock.js';
import { LogError } from '../files/log-error.js';
import { makeFolder, openToAppend } from '../files/open-file.js';
import { createAdding } from '../line/history.js';
import { keepManifests } from '../manifests/write-manifest.js';
import { createEventTexts } from '../mask/event-texts.js';
import type { MaskRules } from '../mask/mask-rules.js';
import { firstSegmentOf } from '../segments/find-first.js';
import { openFile, WrittenFiles } from '../segments/written-files.js';
import type { SigningKey } from '../tree/note-key.js';
import { readHeads } from '../tree/notes-file.js';
import { createHeadWriter, type HeadInterval } from './head-writer.js';
import { setAside, setFileAside } from './recover.js';
import { checkedLimits, type RotationLimits, segmentOf } from './rotation.js';
import { Writer } from './writer.js';
import type { CommitMode, FileLog, WriterPlace } from './writer-place.js';

export interface LogOptions {
  readonly file: string;
  readonly run: string;
  /** The key of the digests of secrets and arguments: at least 16 bytes, out of reach of every run. */
  readonly key: Uint8Array;
  /** Signs tree heads beside the log, in `FILE.heads`; absent for an unsigned log. */
  readonly signer?: SigningKey;
  /** Whether it must have signed the existing entries: its run began signed. */
  readonly wasSigned?: boolean;
  /** By default every 1000 entries and after ten seconds. */
  readonly heads?: HeadInterval;
  /** When the log continues in another file; never by default. */
  readonly rotate?: RotationLimits;
  /** Further secrets besides recognised ones. */
  readonly mask?: MaskRules;
  /** The earlier events of the run, before masking. They are not written; their secrets stay secret. */
  readonly earlier?: readonly LogEvent[];
  /** How appended events reach the disk; `group` by default. */
  readonly commit?: CommitMode;
}

export type Recording = Pick<LogOptions, 'rotate' | 'commit' | 'mask'>;

/** Opens or continues a log for its one writer. Rejects with a `LogError` if it is unsafe, in use or broken. */
export async function createLog(options: LogOptions): Promise<FileLog> {
  try {
    return await createOrContinue(options);
  } catch (error) {
    const why = unwritable.test(errorCode(error) ?? '') ? systemWords(error) : null;
    if (why === null) throw error;
    const file = resolve(options.file);
    const message = `the log cannot be written: ${printable(file)}: ${why}`;
    throw new LogError('WRITE_FAILED', message, { file, cause: error });
  }
}

const unwritable = /^E(?:ROFS|ACCES|PERM|NOSPC|DQUOT)$/;

async function createOrContinue(options: LogOptions): Promise<FileLog> {
  const path = resolve(options.file);
  if (typeof options.run !== 'string') throw new TypeError('the id of a run must be a text');
  const rotate = checkedLimits(options.rotate ?? {}, path);
  let files: WrittenFiles | null = null;
  // Those of earlier events are written before the log is open.
  const manifests: string[] = [];
  const onManifest = (file: string) => (files === null ? manifests.push(file) : files.add(file));
  const textsOf = createEventTexts(options.key, options.mask, keepManifests(path, options.key, onManifest));
  await makeFolder(dirname(path), 0o700);
  const lock = acquireLock(`${path}.lock`);
  let handle: FileHandle | null = null;
  const keep = (last: FileHandle) => {
    handle = last;
  };
  try {
    for (const event of options.earlier ?? []) textsOf(event);
    await refuseLater(path);
    const found = await continued(path, options, keep);
    if (handle === null) throw new Error('a log that verifies has no last segment');
    const writer = await openWriter({ path, handle, lock, textsOf, rotate }, found, options);
    files = writer.files;
    for (const manifest of manifests) files.add(manifest);
    return writer;
  } catch (error) {
    await (handle as FileHandle | null)?.close();
    lock.release();
    throw error;
  }
}

async function refuseLater(path: string): Promise<void> {
  const first = await firstSegmentOf(path);
  if (first === path) return;
  throw new LogError('BROKEN', `this is a later segment of a log; open its first segment: ${first}`, {
    file: path,
  });
}

interface Found extends VerifiedSegments {
  readonly verification: Verified;
  readonly heads: Awaited<ReturnType<typeof readHeads>>;
}

async function continued(
  path: string,
  { signer, wasSigned = false }: LogOptions,
  keep: (handle: FileHandle) => void,
): Promise<Found> {
  const heads = await readHeads(path);
  const isSigned = wasSigned || (heads !== null && heads.notes.length > 0);
  if (isSigned && signer === undefined)
    throw new LogError('BROKEN', 'the log is signed, and cannot be continued without its key', {
      file: path,
    });
  // An unsigned log may become signed. A log of another key is not continued.
  const keys = isSigned && signer !== undefined ? [signer.verifier] : [];
  const open = (segment: string) => openToAppend(segment, segment === path ? 'any' : 'there');
  const found = await verifySegments(path, { heads, keys, anchors: [], isContinued: true }, open, keep);
  const { verification } = found;
  if (verification.ok) return { ...found, verification, heads };
  const message = `the log does not verify, so it cannot be continued; record in another file: ${formatVerification(path, verification)}`;
  throw new LogError('BROKEN', message, { file: path });
}

async function openWriter(
  place: Pick<WriterPlace, 'path' | 'handle' | 'lock' | 'textsOf' | 'rotate'>,
  { verification, tree, firstRun, paths, last, heads: found }: Found,
  { run, signer, heads: every = usual, commit = 'group', earlier = [] }: LogOptions,
): Promise<Writer> {
  const { path, handle } = place;
  const adding = createAdding();
  if (verification.run === run) for (const event of earlier) adding(event);
  const { torn, unfinished } = verification;
  const recovered = torn === null ? null : await setAside(last.path, handle, torn);
  const abandoned = unfinished === null ? null : await setFileAside(unfinished);
  const files = new WrittenFiles(openFile(last.path, handle.fd));
  for (const ended of paths.slice(0, last.number - 1)) files.add(ended);
  const writer: Writer = new Writer({
    ...place,
    files,
    run,
    commit,
    recovered,
    abandoned,
    segment: segmentOf(last, (await handle.stat()).size),
    size: verification.entries,
    lastRun: verification.run,
    adding,
    heads:
      signer === undefined
        ? null
        : await createHeadWriter(
            { file: path, found },
            { run: firstRun ?? run, tree, signer, every, onDue: () => writer.signHead() },
          ),
  });
  return writer;
}

const usual: HeadInterval = { entries: 1000, seconds: 10 };
