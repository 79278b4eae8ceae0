import { type Entry, quote, readText } from '@ambit/policy/yaml';
import { httpLimits, isProxy } from '@ambit/toolsets';
import { readLimit, type WorkerReading } from './worker-reading.js';

/** What a reference to `http` may say, besides `approvals`; all of it may be left out. */
export const httpKeys = ['max_bytes', 'timeout', 'proxy'] as const;

/** Says what is wrong with what it says. */
export function checkHttpReference(
  entries: Partial<Readonly<Record<(typeof httpKeys)[number], Entry>>>,
  reading: WorkerReading,
): void {
  readLimit(entries.max_bytes, reading, { most: httpLimits.max_bytes });
  readLimit(entries.timeout, reading, { most: httpLimits.timeout });
  const proxy = readText(entries.proxy, reading);
  if (entries.proxy === undefined || proxy === undefined || isProxy(proxy)) return;
  reading.problems.add('BAD_VALUE', entries.proxy.value.span, {
    message: `${quote(proxy)} is not a proxy`,
    help: '`http://host:port`, without a name, a password or a path',
  });
}
