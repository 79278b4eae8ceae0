import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { dropStart, isOpenStart, isUnknownStart, written } from '../words.js';
import { readCommand } from './command.js';
import { admin, connect, file, listen, opaque, shell } from './effect-of.js';

/** `host:port:host:port`: who asks for the first is sent to the second. */
export function readConnectTo(text: Word): readonly Effect[] {
  const [, host] = /^(?:\[[^\]]*\]|[^:]*):[^:]*:(\[[^\]]*\]|[^:]*):[^:]*$/.exec(textOf(text) ?? '') ?? [];
  return host === '' ? [] : [connect(host ?? null)];
}

/** `host:port:address,address`. */
export function readResolve(text: Word): readonly Effect[] {
  const known = textOf(text);
  const [, addresses] = /^[+-]?(?:\[[^\]]*\]|[^:]*):\d*:(.+)$/.exec(known ?? '') ?? [];
  if (addresses === undefined) return known?.startsWith('-') === true ? [] : [connect(null)];
  return addresses.split(',').map((address) => connect(address));
}

/** A method, a URL, or an item `name=value` or `name@file` of `http`. */
export function readHttpItem(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (isOpenStart(text)) return [connect(text), file('read', null, folder)];
  if (/^[A-Z]+$/.test(textOf(text) ?? '')) return [];
  if (/^:(?:\d|\/|$)/.test(start)) return [connect({ parts: ['localhost', ...text.parts] })];
  const from = /^[\w-]+(?::?=)?@/.exec(start)?.[0];
  if (from !== undefined) return [file('read', dropStart(text, from.length), folder)];
  if (!/^https?:/i.test(start) && /^[\w[\].-]+(?::=|==|=|:(?!\d|\/))/.test(start)) return [];
  const body = /^@/.exec(start)?.[0];
  return body === undefined ? [connect(text)] : [file('read', dropStart(text, 1), folder)];
}

/** An operand of `dig`: a server, a flag, a type, or a name that is looked up. */
export function readDns(text: Word): readonly Effect[] {
  const start = startOf(text);
  if (
    start.startsWith('+') ||
    /^(?:[A-Z]+|IN|any|mx|ns|txt|a|aaaa|soa|cname|ptr|srv)$/.test(textOf(text) ?? '')
  )
    return [];
  return [
    { kind: 'connect', to: start.startsWith('@') ? dropStart(text, 1) : text, scheme: 'dns', port: 53 },
  ];
}

/** `port:host:port`, with an address before it or not. */
export function readForward(text: Word): readonly Effect[] {
  const known = textOf(text);
  const port = /^(?:(?:\[[^\]]*\]|[^:]*):)?(\d+):(?:\[[^\]]*\]|[^:]+):\d+$/.exec(known ?? '')?.[1];
  return [listen(port ?? /^(\d+):\//.exec(known ?? '')?.[1])];
}

/** A word of a command for `tftp`; which way a file goes is not told apart. */
export function readTftp(text: Word, folder: Word | null): readonly Effect[] {
  if (/^(?:-c|-v|-l|-4|-6|put|get|mode|binary|ascii|octet|netascii|quit|\d+)$/.test(textOf(text) ?? ''))
    return [];
  return [file('read', text, folder), file('write', text, folder)];
}

/** An address of `socat`, or two with `!!` between them. */
export function readSocat(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [opaque(written(text), 'what it connects to depends on a value')];
  return known.split('!!').flatMap((address) => socatAddress(address, folder));
}

function socatAddress(address: string, folder: Word | null): readonly Effect[] {
  const [, type = '', rest = ''] = /^([^:,]*):?([\s\S]*)$/.exec(address) ?? [];
  const target = rest.replace(/,[\s\S]*$/, '');
  const name = type.toUpperCase();
  if (address === '-' || /^(?:STDIO|STDIN|STDOUT|STDERR|FD|READLINE|PTY|SOCKETPAIR)$/.test(name)) return [];
  if (name === 'EXEC') return readCommand(word(target), folder);
  if (name === 'SYSTEM' || name === 'SHELL') return [shell(rest, folder)];
  if (/^(?:UNIX|ABSTRACT|GOPEN|OPEN(?!SSL)|CREATE|CREAT|FILE|PIPE|FIFO)/.test(name)) {
    return [file('read', target, folder), file('write', target, folder)];
  }
  if (/-(?:LISTEN|L|RECV|RECVFROM)$/.test(name) || /^(?:UDP|TCP)\d?-L$/.test(name))
    return [listen(/\d+/.exec(target)?.[0])];
  if (/^(?:TUN|INTERFACE|IF)$/.test(name)) return [admin('network')];
  if (/^(?:PROXY|SOCKS)/.test(name)) {
    const [proxy = '', host = '', port = ''] = target.split(':');
    return [connect(proxy), connect(`${host}:${port}`)];
  }
  if (/^(?:TCP|UDP|SSL|OPENSSL|SCTP|DCCP|IP|DTLS|VSOCK|WEBSOCKET)/.test(name)) return [connect(target)];
  if (address.includes('/') && !address.includes(':')) {
    return [
      file('read', address.replace(/,[\s\S]*$/, ''), folder),
      file('write', address.replace(/,[\s\S]*$/, ''), folder),
    ];
  }
  return [opaque(address, 'an address of a kind that is not known')];
}

/** A URL; anything else belongs to the host that is meant anyway. */
export function readUrlOnly(text: Word): readonly Effect[] {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(startOf(text)) || startOf(text) === '' ? [connect(text)] : [];
}

/** What is mounted: `host:path`, `//host/share`, or something of this machine. */
export function readMounted(text: Word): readonly Effect[] {
  const [, share, host] = /^(?:\/\/([^/]+)|([^/:=]+):\/)/.exec(startOf(text)) ?? [];
  const to = share ?? host;
  if (to !== undefined) return [connect(to)];
  return isUnknownStart(text) ? [connect(null)] : [];
}

/** A file that an editor fetches: a URL, or `/ssh:host:path`. */
export function readEdited(text: Word): readonly Effect[] {
  const start = startOf(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(start)) return [connect(text)];
  const host = /^\/(?:ssh|scp|sudo|ftp|rsync|docker|plink)x?:(?:[^/@]*@)?([^:|#]*)/.exec(start)?.[1];
  if (host !== undefined) return [connect(host === '' ? null : host)];
  return isUnknownStart(text) ? [connect(null)] : [];
}

/** `user@host`; a user alone is one of this machine. */
export function readFinger(text: Word): readonly Effect[] {
  const user = /^[^@]*@/.exec(startOf(text))?.[0];
  return user === undefined && textOf(text) !== null ? [] : [connect(dropStart(text, user?.length ?? 0))];
}
