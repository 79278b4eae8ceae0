import { type Capability, orNull } from '@ambit/core';
import {
  failureOf,
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
import type Anthropic from '@anthropic-ai/sdk';
import { movedRoot } from '../catalogue/root-folders.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';

interface Attachment {
  /** `ROOT/rest` */
  readonly name: string;
  /** Absolute: as named, and as real. */
  readonly paths: readonly string[];
  readonly content: Uint8Array;
  /** In hex. */
  readonly sha256: string;
}

interface Handover {
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
  readonly attachments: readonly Attachment[];
}

interface HandoverParties {
  readonly caller: WorkerDefinition;
  readonly callee: WorkerDefinition;
  readonly roots: readonly Root[];
  readonly home: string;
}

/** Describes a caller's attachments: `data.share` and reading for each. Reads them for their digests. */
export async function handOver(names: readonly string[], parties: HandoverParties): Promise<Handover> {
  const { caller, callee, home } = parties;
  // Outside text in an attachment reaches the callee's model: untrusted unless the root says otherwise.
  const roots = openRoots(
    parties.roots.map((root) => ({ ...root, untrusted: root.untrusted ?? true })),
    { home },
  );
  const moved = movedRoot(roots);
  if (moved !== null && names.length > 0) return { capabilities: [], cannot: moved, attachments: [] };
  // A model may name a thousand files: too many are not looked at.
  const most = Math.min(caller.attachments.max_count, callee.attachments.max_count);
  const found = [];
  for (const name of names.slice(0, most)) found.push(await lookAt(name, roots, callee.name));
  const attachments = found.flatMap((one) => one.attachments);
  const problem = found.find(({ cannot }) => cannot !== null)?.cannot ?? null;
  return {
    capabilities: found.flatMap(({ capabilities }) => capabilities),
    cannot:
      countProblem(names, caller) ??
      countProblem(names, callee) ??
      problem ??
      limitProblem(attachments, caller) ??
      limitProblem(attachments, callee),
    attachments,
  };
}

async function lookAt(name: string, roots: Roots, worker: string): Promise<Handover> {
  const place = await placeOf(name, roots);
  const { capabilities: reads, cannot } = planRead(place, roots);
  if (cannot !== null)
    return { capabilities: [...shareCapabilities(place, { worker }), ...reads], cannot, attachments: [] };
  const reading = readContained(place, { roots, limit: mostBytes(place, roots) });
  const { bytes: content, sha256 } = await reading.catch((error: unknown) => {
    throw failureOf(error, place.shown);
  });
  return {
    capabilities: [...shareCapabilities(place, { bytes: content.length, worker, sha256 }), ...reads],
    cannot: null,
    attachments: [{ name: place.shown, paths: pathsOf(place), content, sha256 }],
  };
}

/** `data.share` by each of the file's paths, so that a rule about either holds. */
function shareCapabilities(
  place: Place,
  facts: { worker: string; bytes?: number; sha256?: string },
): readonly Capability[] {
  const paths = pathsOf(place);
  if (paths.length === 0) return [{ name: 'data.share', ...facts }];
  return paths.map((path) => ({ name: 'data.share', path, ...facts }));
}

/** Why a worker may not hand over or take that many attachments, or null. */
function countProblem(names: readonly string[], { name, attachments }: WorkerDefinition): string | null {
  const { max_count: most } = attachments;
  if (names.length <= most) return null;
  return `${name} takes at most ${most} attachments at once, not ${names.length}`;
}

/** Why a worker may not hand over or take these attachments, or null. */
function limitProblem(attachments: readonly Attachment[], worker: WorkerDefinition): string | null {
  const { max_total_bytes: most, allow, deny } = worker.attachments;
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (total > most) {
    return `${worker.name} takes at most ${most} bytes of attachments at once, not ${total}`;
  }
  for (const { name: file, paths } of attachments) {
    const ends = (suffixes: readonly string[], path: string) =>
      suffixes.find((suffix) => path.toLowerCase().endsWith(suffix.toLowerCase()));
    const denied = paths.map((path) => ends(deny, path)).find((suffix) => suffix !== undefined);
    if (denied !== undefined)
      return `${worker.name} takes no attachment like \`${file}\`: none that ends in ${denied}`;
    // A link with another name is the same file.
    if (allow !== null && !paths.every((path) => ends(allow, path) !== undefined))
      return `${worker.name} takes no attachment like \`${file}\`: only ${allow.join(', ')}`;
  }
  const odd = attachments.find(({ content }) => formatOf(content) === null);
  return odd === undefined ? null : formatProblem(odd);
}

type Contained = Pick<Attachment, 'name' | 'content'>;

function formatProblem({ name, content }: Contained): string {
  if (content.length === 0) return `\`${name}\` is empty`;
  return `\`${name}\` is neither a PDF, nor an image, nor text: no model can read it`;
}

/** A file for a model: a PDF, an image, or UTF-8 text. Throws for anything else. */
export function attachmentBlock({ name, content }: Contained): Anthropic.ContentBlockParam {
  const format = formatOf(content);
  if (format === null) throw new Error(formatProblem({ name, content }));
  if (format.kind === 'text')
    return {
      type: 'document',
      title: name,
      source: { type: 'text', media_type: 'text/plain', data: format.text },
    };
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64');
  return format.kind === 'pdf'
    ? { type: 'document', title: name, source: { type: 'base64', media_type: 'application/pdf', data } }
    : { type: 'image', source: { type: 'base64', media_type: format.type, data } };
}

function formatOf(content: Uint8Array) {
  if (startsWith(content, '%PDF-')) return { kind: 'pdf' } as const;
  const image = images.find(({ isOne }) => isOne(content));
  if (image !== undefined) return { kind: 'image', type: image.type } as const;
  const text = inUtf8(content);
  return text === null || text === '' ? null : ({ kind: 'text', text } as const);
}

/** By content, not by name. */
const images = [
  { type: 'image/png', isOne: (content: Uint8Array) => startsWith(content, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', isOne: (content: Uint8Array) => startsWith(content, '\xff\xd8\xff') },
  {
    type: 'image/gif',
    isOne: (content: Uint8Array) => ['GIF87a', 'GIF89a'].some((magic) => startsWith(content, magic)),
  },
  {
    type: 'image/webp',
    isOne: (content: Uint8Array) => startsWith(content, 'RIFF') && startsWith(content.subarray(8), 'WEBP'),
  },
] as const;

function startsWith(content: Uint8Array, magic: string): boolean {
  return [...magic].every((character, index) => content[index] === character.charCodeAt(0));
}

function inUtf8(content: Uint8Array): string | null {
  const text = orNull(() => new TextDecoder('utf-8', { fatal: true }).decode(content));
  // Some binary files are UTF-8 by accident, but no text contains this character.
  return text?.includes('\0') === true ? null : text;
}
