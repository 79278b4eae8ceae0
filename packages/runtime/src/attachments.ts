import type { Capability } from '@ambit/core';
import {
  mostBytes,
  openRoots,
  type Place,
  pathsOf,
  placeOf,
  planRead,
  type Root,
  type Roots,
  readContained,
} from '@ambit/toolsets';
import { movedRoot } from './moved-root.js';
import type { AttachmentLimits, WorkerDefinition } from './worker-definition.js';

/** A file that a worker hands to another, as it was found. */
export interface Attachment {
  /** As the model named it: `ROOT/rest`. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Of the content, in hex. */
  readonly sha256: string;
}

/** What handing over these files carries, and why it cannot be done. */
export interface Handover {
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
  readonly attachments: readonly Attachment[];
}

export interface HandoverParties {
  readonly caller: WorkerDefinition;
  readonly callee: WorkerDefinition;
  readonly roots: readonly Root[];
  readonly home: string;
}

/**
 * Looks at the files that a caller hands over, in the caller's own roots: `data.share` for each, and what reading it carries.
 * Reads them, since their digests are facts; changes nothing.
 */
export async function handOver(names: readonly string[], parties: HandoverParties): Promise<Handover> {
  const { caller, callee, home } = parties;
  // What an outsider put into an attachment reaches the callee's model: untrusted unless the root says otherwise.
  const roots = openRoots(
    parties.roots.map((root) => ({ ...root, untrusted: root.untrusted ?? true })),
    { home },
  );
  const moved = movedRoot(roots);
  if (moved !== null && names.length > 0) return { capabilities: [], cannot: moved, attachments: [] };
  // More than either takes are not even looked at: a model may name a thousand.
  const most = Math.min(caller.attachments.maxCount, callee.attachments.maxCount);
  const found = [];
  for (const name of names.slice(0, most)) found.push(await look(name, roots, callee.name));
  const attachments = found.flatMap(({ attachment }) => (attachment === null ? [] : [attachment]));
  const problem = found.find(({ cannot }) => cannot !== null)?.cannot ?? null;
  return {
    capabilities: found.flatMap(({ capabilities }) => capabilities),
    cannot:
      tooMany(names, caller) ??
      tooMany(names, callee) ??
      problem ??
      limitProblem(attachments, caller) ??
      limitProblem(attachments, callee),
    attachments,
  };
}

interface Look {
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
  readonly attachment: Attachment | null;
}

async function look(name: string, roots: Roots, worker: string): Promise<Look> {
  const place = await placeOf(name, roots);
  const { capabilities: reads, cannot } = planRead(place, roots);
  if (cannot !== null)
    return { capabilities: [...sharing(place, { worker }), ...reads], cannot, attachment: null };
  const { bytes: content, sha256 } = await readContained(place, { roots, limit: mostBytes(place, roots) });
  return {
    capabilities: [...sharing(place, { bytes: content.length, worker, sha256 }), ...reads],
    cannot: null,
    attachment: { name, content, sha256 },
  };
}

/** `data.share` by each of the file's paths, so that a rule about either holds. */
function sharing(
  place: Place,
  facts: { worker: string; bytes?: number; sha256?: string },
): readonly Capability[] {
  const paths = pathsOf(place);
  if (paths.length === 0) return [{ name: 'data.share', ...facts }];
  return paths.map((path) => ({ name: 'data.share', path, ...facts }));
}

/** Why a worker hands over or takes no attachments of such a number, or null. */
function tooMany(names: readonly string[], { name, attachments }: WorkerDefinition): string | null {
  const { maxCount } = attachments;
  if (names.length <= maxCount) return null;
  return `${name} deals with at most ${maxCount} attachments at once, not ${names.length}`;
}

/** Why a worker hands over or takes no such attachments, or null. */
function limitProblem(attachments: readonly Attachment[], worker: WorkerDefinition): string | null {
  const { maxTotalBytes, allow, deny } = worker.attachments;
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (total > maxTotalBytes) {
    return `${worker.name} deals with at most ${maxTotalBytes} bytes of attachments at once, not ${total}`;
  }
  const denied = attachments.find(({ name }) => !isAllowed(name, { allow, deny }));
  if (denied === undefined) return null;
  return `${worker.name} deals with no attachment like \`${denied.name}\`${allow === null ? '' : `: only ${allow.join(', ')}`}`;
}

function isAllowed(name: string, { allow, deny }: Pick<AttachmentLimits, 'allow' | 'deny'>): boolean {
  const has = (suffix: string) => name.toLowerCase().endsWith(suffix.toLowerCase());
  return !deny.some(has) && (allow === null || allow.some(has));
}
