import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { dropStart, inFolder, isOpenStart } from '../words.js';
import { readCommand } from './command.js';
import { connect, load, opaque, shell } from './effect-of.js';

/** `-MModule=words` of `perl`, in which code may be hidden. */
export function readPerlModule(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known !== null && /^-?[\w:]+(?:=[\w:,.]*)?$/.test(known)) return [];
  return [{ kind: 'code', language: 'perl', text, ...inFolder(folder) }];
}

/** A module by its name, from where the language has them, or by its path. */
export function readModule(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  return known !== null && /^[\w:-]+(?:\/[\w-]+)*$/.test(known) ? [] : [load(text, folder)];
}

/** Options for `node`, in one text. */
export function readNodeOptions(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [{ kind: 'code', language: 'js', text: null, ...inFolder(folder) }];
  const loads = /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)(?:=|\s+)("[^"]*"|\S+)/g;
  return [...known.matchAll(loads)].flatMap(([, name = '']) => {
    const plain = name.replaceAll('"', '');
    if (!plain.startsWith('data:')) return [load(plain, folder)];
    return [{ kind: 'code', language: 'js', text: word(plain) } satisfies Effect];
  });
}

/** What `java` starts: a class, or a file of source. */
export function readJavaMain(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  return known === null || known.endsWith('.java') ? [load(text, folder)] : [];
}

/** A setting of `wireshark`: `lua_script:` and a file. */
export function readLuaScript(text: Word, folder: Word | null): readonly Effect[] {
  const name = /^lua_script:/.exec(startOf(text))?.[0];
  return name === undefined ? [load(text, folder)] : [load(dropStart(text, name.length), folder)];
}

/** A format of `pandoc`, or a file of code that makes one. */
export function readPandocFormat(text: Word, folder: Word | null): readonly Effect[] {
  return /^[a-z0-9_+-]+$/.test(textOf(text) ?? '') ? [] : [load(text, folder)];
}

/** What `lua` begins with: code, or `@` and a file. */
export function readLuaStart(text: Word, folder: Word | null): readonly Effect[] {
  const code: Effect = { kind: 'code', language: 'lua', text, ...inFolder(folder) };
  return startOf(text).startsWith('@') ? [code, load(dropStart(text, 1), folder)] : [code];
}

/** A setting of `svn`, `file:section:name=value`: its tunnels, helpers and editors are commands. */
export function readSvnSetting(text: Word, folder: Word | null): readonly Effect[] {
  const [, section = '', name = '', value] = /^\w+:([^:]*):([^=]*)=([\s\S]*)$/.exec(textOf(text) ?? '') ?? [];
  if (value === undefined) return [shell(null, folder)];
  if (section === 'tunnels' || /cmd|editor|hook|library/.test(name)) return readCommand(word(value), folder);
  return name.includes('proxy-host') ? [connect(value)] : [];
}

/** A setting of `php`: some of them load files. */
export function readPhpSetting(text: Word, folder: Word | null): readonly Effect[] {
  const name = /^\s*([\w.]+)\s*=/.exec(startOf(text));
  if (isOpenStart(text)) return [load(text, folder)];
  if (name === null) return [];
  const isLoading =
    /^(?:auto_prepend_file|auto_append_file|extension|zend_extension|include_path|sendmail_path|ffi\.preload|opcache\.preload)$/;
  return isLoading.test(name[1] ?? '') ? [load(dropStart(text, name[0].length), folder)] : [];
}

/** A setting of `cargo`, or a file of them: some run programs. */
export function readCargoSetting(text: Word, folder: Word | null): readonly Effect[] {
  if (!startOf(text).includes('=')) return [load(text, folder)];
  return /runner|linker|wrapper|rustc|alias|credential|env\b/.test(textOf(text) ?? 'runner')
    ? [shell(null, folder)]
    : [];
}

/** `-C linker=…` of `rustc`. */
export function readRustcSetting(text: Word, folder: Word | null): readonly Effect[] {
  const linker = /^linker=/.exec(startOf(text))?.[0];
  if (linker !== undefined) return readCommand(dropStart(text, linker.length), folder);
  return startOf(text) === '' ? [shell(null, folder)] : [];
}

/** A setting of `apt`: some run commands. */
export function readAptSetting(text: Word, folder: Word | null): readonly Effect[] {
  const name = /^([\w:-]+?)(?:::)?=/.exec(startOf(text));
  if (name === null) return [opaque('-o', 'a setting that is not known')];
  const runs = /invoke|pkgs|post|pre-|proxy-auto|dpkg::options|^dir|command|hook|method/i;
  return runs.test(name[1] ?? '') ? [shell(dropStart(text, name[0].length), folder)] : [];
}

/** A setting of `hg`: aliases, hooks, extensions and tools run code. */
export function readHgSetting(text: Word, folder: Word | null): readonly Effect[] {
  const [, hook, alias, extension] =
    /^(?:hooks\.[^=]*=(?!python:)([\s\S]+)|alias\.[^=]*=!([\s\S]+)|extensions\.[^=]*=([^!][\s\S]*))$/.exec(
      textOf(text) ?? '',
    ) ?? [];
  if (hook !== undefined || alias !== undefined) return [shell(hook ?? alias ?? null, folder)];
  if (extension !== undefined) return [load(extension, folder)];
  return /^(?:ui\.(?:verbose|quiet|debug|interactive)|diff\.|color\.|progress\.)/.test(startOf(text))
    ? []
    : [shell(null, folder)];
}

/** A setting of `wget`, as in its file. */
export function readWgetSetting(text: Word): readonly Effect[] {
  const known = textOf(text) ?? '';
  if (
    /^\s*(?:robots|timestamping|tries|timeout|check_certificate|quiet|verbose|recursive|reclevel)\s*=/.test(
      known,
    )
  )
    return [];
  const proxy = /^\s*(?:https?|ftp)_proxy\s*=\s*(\S+)/.exec(known)?.[1];
  return proxy === undefined ? [opaque(known, 'a setting that is not known')] : [connect(proxy)];
}

/** What is installed: a name from the registry, a URL, a repository, or a path whose code is run. */
export function readPackage(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (isOpenStart(text)) return [load(text, folder), connect(null)];
  const url = /^(?:[\w.@/[\]-]*(?:@| @ ))?(?:git\+)?(?=(?:https?|ssh|git|ftp):\/\/)/.exec(start)?.[0];
  if (url !== undefined) return [connect(dropStart(text, url.length))];
  if (/^(?:[./~]|file:|link:|portal:)/.test(start))
    return [load(dropStart(text, /^(?:file|link|portal):/.exec(start)?.[0].length ?? 0), folder)];
  const repository = /^(?:(github|gitlab|bitbucket|gist):)?[\w.-]+\/[\w.-]+(?:#.*)?$/.exec(
    textOf(text) ?? '',
  );
  if (repository !== null) return [connect(`${repository[1] ?? 'github'}.com`)];
  const host = /^git@([^:/]+):/.exec(start)?.[1];
  return host === undefined ? [] : [connect(host)];
}
