import { startOf, text, textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { dropStart, isUnknownStart } from '../words.js';
import { capability, connect, file, load, tree } from './make-effect.js';

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** An operand of `dig`: a server, a flag, a type, or a name that is looked up. */
export function readDns(written: Word): Effects {
  const start = startOf(written);
  const isType = /^(?:[A-Z]+|IN|any|mx|ns|txt|a|aaaa|soa|cname|ptr|srv)$/.test(textOf(written) ?? '');
  if (start.startsWith('+') || isType) return [];
  const to = start.startsWith('@') ? dropStart(written, 1) : written;
  return [{ kind: 'connect', to, scheme: 'dns', port: 53 }];
}

/** `port:host:port`, with an address before it or not. */
export function readForward(written: Word): Effects {
  const known = textOf(written) ?? '';
  const port = /^(?:(?:\[[^\]]*\]|[^:]*):)?(\d+):(?:\[[^\]]*\]|[^:]+):\d+$/.exec(known)?.[1];
  const number = Number(port ?? /^(\d+):\//.exec(known)?.[1]);
  return [capability('net.listen', number > 0 && number < 65_536 ? { port: number } : {})];
}

/** A URL; anything else belongs to the host that is meant anyway. */
export function readUrlOnly(written: Word): Effects {
  return scheme.test(startOf(written)) || isUnknownStart(written) ? [connect(written)] : [];
}

/** What is mounted: `host:path`, `//host/share`, or something of this machine. */
export function readMounted(written: Word): Effects {
  const [, share, host] = /^(?:\/\/([^/]+)|([^/:=]+):\/)/.exec(startOf(written)) ?? [];
  const to = share ?? host;
  if (to !== undefined) return [connect(to)];
  return isUnknownStart(written) ? [connect(null)] : [];
}

/** `file://` and `fileb://` are files of this machine; anything else is the cloud's. */
export function readCloudOperand(written: Word, around: Around): Effects {
  const found = /^fileb?:\/\//.exec(startOf(written))?.[0];
  if (found !== undefined) return [file('read', dropStart(written, found.length), around)];
  return isUnknownStart(written) ? [file('read', written, around)] : [];
}

/** What is copied from a bucket, or from a path of this machine. */
export function readBucketFrom(written: Word, around: Around): Effects {
  return scheme.test(startOf(written)) ? [] : [tree('read', written, around)];
}

/** Where it is copied to. */
export function readBucketTo(written: Word, around: Around): Effects {
  return scheme.test(startOf(written)) ? [] : [tree('write', written, around)];
}

/** What is installed: a name from the registry, a URL, a repository, or a path whose code is run. */
export function readPackage(written: Word, around: Around): Effects {
  const start = startOf(written);
  if (isUnknownStart(written)) return [load(written, around), connect(null)];
  const url = /^(?:[\w.@/[\]-]*(?:@| @ ))?(?:git\+)?(?=(?:https?|ssh|git|ftp):\/\/)/.exec(start)?.[0];
  if (url !== undefined) return [connect(dropStart(written, url.length))];
  if (/^(?:[./~]|file:|link:|portal:)/.test(start)) {
    const prefix = /^(?:file|link|portal):/.exec(start)?.[0] ?? '';
    return [load(dropStart(written, prefix.length), around)];
  }
  const known = textOf(written) ?? '';
  const repository = /^(?:(github|gitlab|bitbucket|gist):)?[\w.-]+\/[\w.-]+(?:#.*)?$/.exec(known);
  if (repository !== null) return [connect(text(`${repository[1] ?? 'github'}.com`))];
  const host = /^git@([^:/]+):/.exec(start)?.[1];
  return host === undefined ? [] : [connect(host)];
}
