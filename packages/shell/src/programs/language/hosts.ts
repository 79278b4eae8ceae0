import { startOf, text, textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { dropStart, isUnknownStart } from '../words.js';
import { capability, connect, load } from './make-effect.js';

/** An operand of `dig`: a server, a flag, a type, or a name to resolve. */
export function readDns(written: Word): Effects {
  const start = startOf(written);
  const isType = /^(?:[A-Z]+|IN|any|mx|ns|txt|a|aaaa|soa|cname|ptr|srv)$/.test(textOf(written) ?? '');
  if (start.startsWith('+') || isType) return [];
  const to = start.startsWith('@') ? dropStart(written, 1) : written;
  return [{ kind: 'connect', to, scheme: 'dns', port: 53 }];
}

/** `port:host:port`, optionally after an address. */
export function readForward(written: Word): Effects {
  const known = textOf(written) ?? '';
  const port = /^(?:(?:\[[^\]]*\]|[^:]*):)?(\d+):(?:\[[^\]]*\]|[^:]+):\d+$/.exec(known)?.[1];
  const number = Number(port ?? /^(\d+):\//.exec(known)?.[1]);
  return [capability('net.listen', number > 0 && number < 65_536 ? { port: number } : {})];
}

/** A package to install: a name from the registry, a URL, a repository, or a path whose code is run. */
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
