import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word } from '../../word.js';
import { dropStart, isUnknownStart, written } from '../words.js';
import { connect, file, load, opaque, shell, tree } from './effect-of.js';

/** `@file`, `name@file` and `%output{file}`, in what `curl` sends and prints. */
export function readAtFile(text: Word, folder: Word | null): readonly Effect[] {
  const name = /^[\w%]*@/.exec(startOf(text))?.[0];
  if (name !== undefined) return [file('read', dropStart(text, name.length), folder)].filter(isFile);
  if (startOf(text) === '' && textOf(text) === null) return [file('read', text, folder)];
  const outputs = [...(textOf(text) ?? '').matchAll(/%output\{(?:>>)?([^}]*)\}/g)];
  return outputs.map(([, output = '']) => file('write', output, folder));
}

/** A field of a form, `name=@file`. */
export function readForm(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) {
    const start = /^[^=]*=[@<]/.exec(startOf(text))?.[0];
    if (start !== undefined) return [file('read', dropStart(text, start.length), folder)];
    return startOf(text).includes('=') && !startOf(text).endsWith('=') ? [] : [file('read', null, folder)];
  }
  const files = [...known.matchAll(/(?:=|,)[@<]?"?([^;,"]+)/g)];
  return /=[@<]/.test(known) ? files.map(([, name = '']) => file('read', name, folder)).filter(isFile) : [];
}

/** Cookies, or a file of them. */
export function readCookie(text: Word, folder: Word | null): readonly Effect[] {
  return startOf(text).includes('=') ? [] : [file('read', text, folder)].filter(isFile);
}

/** A file, or `|command`. */
export function readPipeOrFile(text: Word, folder: Word | null): readonly Effect[] {
  if (isUnknownStart(text)) return [file('write', text, folder), shell(null, folder)];
  return /^[|!]/.test(startOf(text)) ? [shell(dropStart(text, 1), folder)] : [file('write', text, folder)];
}

/** An operand of a compiler: a file, or a file of options. */
export function readAtOperand(text: Word, folder: Word | null): readonly Effect[] {
  if (!startOf(text).startsWith('@') && !isUnknownStart(text))
    return [file('read', text, folder)].filter(isFile);
  return [
    file('read', dropStart(text, 1), folder),
    opaque(written(text), 'a file of options says what it does'),
  ];
}

/** The operand of `ed`: a file, or `!command` whose output is edited. */
export function readEdOperand(text: Word, folder: Word | null): readonly Effect[] {
  const known = [file('read', text, folder), file('write', text, folder)];
  if (startOf(text).startsWith('!')) return [shell(dropStart(text, 1), folder)];
  return isUnknownStart(text) ? [...known, shell(null, folder)] : known;
}

/** `file://` and `fileb://` are files of this machine; anything else is the cloud's. */
export function readCloudOperand(text: Word, folder: Word | null): readonly Effect[] {
  const scheme = /^fileb?:\/\//.exec(startOf(text))?.[0];
  return scheme === undefined ? [] : [file('read', dropStart(text, scheme.length), folder)];
}

/** `key=file`. */
export function readKeyFile(text: Word, folder: Word | null): readonly Effect[] {
  const key = /^[^=]*=/.exec(startOf(text))?.[0] ?? '';
  return [file('read', dropStart(text, key.length), folder)];
}

/** `source:target:ro`, for a container. A name without a slash is a volume of its own. */
export function readMount(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [tree('read', null, folder), tree('write', null, folder)];
  const [source = '', target, mode = ''] = known.split(':');
  if (target === undefined || !/^[./~]/.test(source)) return [];
  const isReadOnly = mode.split(',').includes('ro');
  return [tree('read', source, folder), ...(isReadOnly ? [] : [tree('write', source, folder)])];
}

/** `type=bind,src=folder,readonly`, for a container or a build. */
export function readMountOption(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [tree('read', null, folder), tree('write', null, folder)];
  const source = /(?:^|,)(?:src|source)=([^,]*)/.exec(known)?.[1];
  if (source === undefined || (!known.includes('type=bind') && known.includes('type=volume'))) return [];
  const isReadOnly = /(?:^|,)(?:readonly|ro)(?:=true|,|$)/.test(known) || !known.includes('type=bind');
  return [tree('read', source, folder), ...(isReadOnly ? [] : [tree('write', source, folder)])];
}

/** Where a build puts its result: a folder, or `type=local,dest=folder`. */
export function readOutputOption(text: Word, folder: Word | null): readonly Effect[] {
  const target = /(?:^|,)dest=([^,]*)/.exec(textOf(text) ?? '')?.[1];
  if (target !== undefined) return [tree('write', target, folder)];
  return startOf(text).startsWith('type=') ? [] : [tree('write', text, folder)];
}

/** A picture that is read: a file, perhaps with its format before it, or something else that a prefix names. */
export function readImage(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (isUnknownStart(text)) return [load(text, folder), opaque(written(text), 'what kind of picture it is')];
  if (start.startsWith('|')) return [shell(dropStart(text, 1), folder)];
  if (/^[a-z]+:\/\//i.test(start) && !/^file:/i.test(start)) return [connect(text)];
  if (start.startsWith('@')) return [file('read', dropStart(text, 1), folder)];
  const prefix = /^([a-z][a-z0-9-]+):(?=.)/i.exec(start);
  const rest = prefix === null ? text : dropStart(text, prefix[0].length);
  switch (prefix?.[1]?.toLowerCase() ?? '') {
    case 'ephemeral':
      return [file('read', rest, folder), file('delete', rest, folder)];
    case 'msl':
    case 'mvg':
    case 'svg':
    case 'ps':
    case 'eps':
    case 'pdf':
    case 'epdf':
      return [load(rest, folder)];
    case 'label':
    case 'caption':
    case 'pango':
      return startOf(rest).startsWith('@') ? [file('read', dropStart(rest, 1), folder)] : [];
    case 'xc':
    case 'canvas':
    case 'gradient':
    case 'plasma':
    case 'pattern':
      return [];
    default:
      return [file('read', rest, folder)].filter(isFile);
  }
}

/** A picture that is written. */
export function readImageOut(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (isUnknownStart(text)) return [file('write', text, folder), shell(null, folder)];
  if (start.startsWith('|')) return [shell(dropStart(text, 1), folder)];
  const prefix = /^[a-z][a-z0-9-]+:/i.exec(start)?.[0] ?? '';
  return [file('write', dropStart(text, prefix.length), folder)].filter(isFile);
}

function isFile(effect: Effect): boolean {
  return effect.kind !== 'path' || !['', '-'].includes(textOf(effect.word) ?? '?');
}

/** What is copied to or from a bucket: a path of this machine, unless a scheme says otherwise. */
export function readBucketFrom(text: Word, folder: Word | null): readonly Effect[] {
  return /^[a-z0-9]+:\/\//i.test(startOf(text)) ? [] : [tree('read', text, folder)];
}

export function readBucketTo(text: Word, folder: Word | null): readonly Effect[] {
  return /^[a-z0-9]+:\/\//i.test(startOf(text)) ? [] : [tree('write', text, folder)];
}

/** What `ffmpeg` takes in through one of its protocols, `concat:a|b`, `subfile:…:name`. */
export function readFfmpeg(text: Word, folder: Word | null): readonly Effect[] {
  const [, name = '', rest = ''] = /^([a-z]+):(?!\/\/)([\s\S]*)$/.exec(textOf(text) ?? '') ?? [];
  if (name === 'concat') return rest.split('|').map((each) => file('read', each, folder));
  return /^(?:subfile|async|cache|crypto|data|hls)$/.test(name) ? [file('read', null, folder)] : [];
}
