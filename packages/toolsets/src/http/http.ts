import { defineToolset, type Toolset } from '@ambit/core';
import { fetchTool } from './fetch.js';
import { type Resolve, systemResolve } from './resolve.js';
import { readTarget, type Target } from './target.js';

export interface HttpOptions {
  /** Bytes of a body; 200 000 by default. */
  readonly max_bytes?: number;
  /** Seconds; 30 by default. */
  readonly timeout?: number;
  /** `http://host:port` of a proxy for every request. The environment's proxies are ignored. */
  readonly proxy?: string;
  readonly resolve?: Resolve;
}

export const httpLimits = { max_bytes: 20_000_000, timeout: 600 } as const;

/** The toolset `http`. Throws on an invalid limit or proxy. */
export function http({
  max_bytes = 200_000,
  timeout = 30,
  proxy,
  resolve = systemResolve,
}: HttpOptions = {}): Toolset {
  requireWithin('max_bytes', max_bytes);
  requireWithin('timeout', timeout);
  const through = proxy === undefined ? null : proxyTarget(proxy);
  if (proxy !== undefined && through === null)
    throw new TypeError('a proxy must be `http://host:port`, without a name, a password or a path');
  return defineToolset({ name: 'http', tools: [fetchTool({ max_bytes, timeout, resolve, proxy: through })] });
}

function requireWithin(name: keyof typeof httpLimits, value: number): void {
  if (!(value > 0 && value <= httpLimits[name]))
    throw new RangeError(`\`${name}\` is above 0 and at most ${httpLimits[name]}`);
}

/** `http://host:port`. */
export function isProxy(text: string): boolean {
  return proxyTarget(text) !== null;
}

function proxyTarget(text: string): Target | null {
  const { target, cannot } = readTarget(text);
  return target !== null && cannot === null && target.scheme === 'http' && target.path === '/'
    ? target
    : null;
}
