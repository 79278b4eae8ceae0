import { type Json, type JsonObject, jsonText, objectOf, printableLines } from '@ambit/core';
import { ServerError } from '@ambit/toolsets';
import { BadParams } from './methods.js';
import { shownText } from './texts.js';

/** The client's subscriptions, by the URIs that the server knows. */
export type Subscribed = Set<unknown>;

const mostSubscribed = 1_000;

/** Counts a URI as subscribed to while the server is asked, and afterwards unless it refuses. */
export async function subscribing(
  uri: unknown,
  subscribed: Subscribed,
  pass: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const stood = subscribed.has(uri);
  if (!stood && subscribed.size >= mostSubscribed)
    throw new BadParams(`there are more than ${mostSubscribed} subscriptions: end one of them first`);
  // The first updates may come before the answer.
  subscribed.add(uri);
  try {
    const result = await pass();
    // Another try at the same time may have been refused.
    subscribed.add(uri);
    return result;
  } catch (error) {
    // After a cancellation, nobody knows whether the server took it.
    if (!stood && error instanceof ServerError) subscribed.delete(uri);
    throw error;
  }
}

/** A notification for a client. */
export interface Notice {
  readonly method: string;
  readonly params?: JsonObject;
}

const changes = /^notifications\/(?:tools|resources|prompts)\/list_changed$/;
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const longestMessage = 4_000;

/**
 * The part of a server's notification that the client receives; null if it is dropped, as every unknown one
 * is.
 */
export function noticeOf(
  { method, params = {} }: Notice,
  { subscribed, prefix }: { readonly subscribed: Subscribed; readonly prefix: string },
): Notice | null {
  if (changes.test(method)) return { method };
  if (method === 'notifications/resources/updated') {
    const { uri } = params;
    return uri !== undefined && subscribed.has(uri) ? { method, params: { uri } } : null;
  }
  if (method !== 'notifications/message') return null;
  const { level = null, logger, data = null } = params;
  if (typeof level !== 'string' || !levels.includes(level)) return null;
  const named = typeof logger === 'string' ? { logger: `${prefix}${shownText(logger, 200)}` } : {};
  return { method, params: { level, ...named, data: shownData(data) } };
}

/** The text with a bounded length, and without control characters. */
export function shownData(data: Json): Json {
  if (typeof data === 'string') return shownText(data, longestMessage);
  const text = jsonText(data);
  // JSON escapes control characters, and its reader restores them.
  const isPlain = text.length <= longestMessage && printableLines(text) === text && !/\\u|\\[bfr]/.test(text);
  return isPlain ? data : shownText(text, longestMessage);
}

/** Accepts the progress of one request: it must increase, and its texts are cut. */
function growing(send: (progress: JsonObject) => void): (progress: JsonObject) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    if (typeof progress !== 'number' || progress <= last) return;
    last = progress;
    send({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message: shownText(message, 1_000) }),
    });
  };
}

interface Progress {
  readonly progress: number;
  readonly progressToken: string | number;
  readonly [more: string]: unknown;
}

/** Passes progress to the request that asked for it, under its own token. */
export function progressOf(
  params: JsonObject,
  notify: (progress: Progress) => Promise<void>,
): { readonly progress?: (params: JsonObject) => void } {
  const token = objectOf(params._meta).progressToken;
  if (typeof token !== 'string' && typeof token !== 'number') return {};
  return {
    progress: growing(({ progress, ...more }) => {
      notify({ ...more, progress: Number(progress), progressToken: token }).catch(() => undefined);
    }),
  };
}
