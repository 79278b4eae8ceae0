import { existsSync } from 'node:fs';
import { orNull } from '@ambit/core';
import { originalsOf } from './place-pattern.js';
import { readPlain } from './plain-file.js';

/** The most bytes of a file that are read. */
const mostBytes = 1_000_000;

/** Whether a file with the name of a secret holds only public keys, or settings and values without passwords. */
export function holdsPublicTextOnly(path: string): boolean {
  const isPublic = kinds.find(([name]) => originalsOf(path).some((each) => name.test(each)))?.[1];
  if (isPublic === undefined || /\/\.(?!(?:git|bundle)\/)[^/]*\//.test(path)) return false;
  const text = orNull(() => readPlain(path, mostBytes).toString('latin1'));
  return text === null ? gitSettings.test(path) && !existsSync(path) : isPublic(text.split(/\r?\n/));
}

/** Settings of a repository or a submodule. */
export const gitSettings = /\/\.git\/(?:modules\/.+\/)?config$/;

type Lines = readonly string[];

const kinds: readonly (readonly [name: RegExp, isPublic: (lines: Lines) => boolean])[] = [
  [/\.(?:pem|key)$/i, areBlocks],
  [/\/\.npmrc$/, areSettings],
  [/\.tfvars(?:\.json)?$/, arePlainValues],
  [/\/local\.properties$/, arePlacesOfTools],
  [/\/profiles\.yml$/, areVariables],
  [/\/\.bundle\/config$/, (lines) => lines.every((line) => bundlerSetting.test(line))],
  [gitSettings, (lines) => !lines.some(mayHoldPassword)],
];

/** A setting of Bundler that is not about a server of packages. */
const bundlerSetting =
  /^(?:---|BUNDLE_(?:BIN|CACHE_ALL|CLEAN|DEPLOYMENT|FORCE_RUBY_PLATFORM|FROZEN|JOBS|PATH|RETRY|WITH|WITHOUT): "[\w.:/ -]{0,48}"|)$/;

/** Whether a line of git's settings has a password, a token, a header, or an address with one of them. */
export function mayHoldPassword(line: string): boolean {
  return /:\/\/(?:[^/@\s]*:[^/@\s]+|[^/@\s]{20,})@|(?:header|pass(?:word|wd)?|token|secret)\s*=\s*\S/i.test(
    line,
  );
}

const labels: ReadonlySet<string> = new Set(
  (
    'CERTIFICATE|CERTIFICATE REQUEST|NEW CERTIFICATE REQUEST|TRUSTED CERTIFICATE|X509 CRL|PUBLIC KEY|' +
    'RSA PUBLIC KEY|PGP PUBLIC KEY BLOCK|DH PARAMETERS|EC PARAMETERS'
  ).split('|'),
);

/** Blocks of RFC 7468 and RFC 9580 with public labels, and nothing between them. */
function areBlocks(lines: Lines): boolean {
  let label: string | null = null;
  let count = 0;
  for (const line of lines) {
    if (label !== null) {
      if (line === `-----END ${label}-----`) label = null;
      else if (!/^(?:[A-Za-z0-9+/=]*|(?:Version|Comment|Charset|Hash): .*)$/.test(line)) return false;
    } else if (line.trim() !== '') {
      label = /^-----BEGIN ([A-Z0-9 ]+)-----$/.exec(line)?.[1] ?? null;
      if (label === null || !labels.has(label)) return false;
      count += 1;
    }
  }
  return label === null && count > 0;
}

/** Settings of npm and pnpm with short values. A comment may hold a token too. */
const plain = new Set(
  (
    'audit audit-level auto-install-peers engine-strict fund hoist ignore-scripts legacy-peer-deps ' +
    'link-workspace-packages lockfile loglevel node-linker optional package-lock prefer-workspace-packages ' +
    'progress public-hoist-pattern public-hoist-pattern[] resolution-mode save save-exact save-prefix ' +
    'save-workspace-protocol shamefully-hoist strict-peer-dependencies tag-version-prefix update-notifier'
  ).split(' '),
);

/** A host, and folders that are words: some registries have a token in the address. */
const address = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[a-z_.-]{1,24})*\/?$/;

function areSettings(lines: Lines): boolean {
  return lines.every((line) => {
    const [, key = '', value = ''] = /^([^=]*?)\s*=\s*(.*?)$/.exec(line.trim()) ?? [];
    if (/^(?:@[\w-]+:)?registry$/.test(key)) return address.test(value);
    return line.trim() === '' || (plain.has(key) && /^[\w*~^."' -]{0,24}$/.test(value));
  });
}

/** Names of variables for Terraform that may stand before a secret. */
const secretVariable = /pass|pw|secret|token|key|cred|auth|private|salt|cert|webhook|dsn|conn|url|account/i;
/** Numbers, versions, addresses, and words such as `eu-west-1`. */
const plainValue = String.raw`(?:true|false|null|[\d.]{1,15}|"(?:[a-z][a-z0-9.-]{0,31}|[\d.]{1,15}(?:\/\d{1,2})?)?")`;
const assignment = new RegExp(
  String.raw`^\s*(?:(?:"?[\w-]{1,64}"?\s*[=:]\s*)?(?:${plainValue}|[[{]|\[(?:\s*${plainValue}\s*,?)*\s*\]),?|[\]}],?)\s*$`,
);

function arePlainValues(lines: Lines): boolean {
  return lines.every(
    (line) =>
      !secretVariable.test(line) && (line.trim() === '' || (line.length < 500 && assignment.test(line))),
  );
}

const madeByAndroidStudio = new Set([
  '## This file must *NOT* be checked into Version Control Systems,',
  '# as it contains information specific to your local configuration.',
  '#',
  '# Location of the SDK. This is only used by Gradle.',
  '# For customization when using a Version Control System, please read the',
  '# header note.',
]);

/** Folders of the tools that build for Android, and the comments that Android Studio writes. */
function arePlacesOfTools(lines: Lines): boolean {
  const place =
    /^(?:(?:sdk|ndk|cmake)\.dir=[\w./ ~-]*|flutter\.\w+=[\w./ ~+-]*|#\w{3} \w{3} \d\d [\d:]{8} \w{2,5} \d{4}|)$/;
  return lines.every((line) => madeByAndroidStudio.has(line) || place.test(line));
}

/** Settings of dbt that name a variable of the environment where a secret may stand. */
function areVariables(lines: Lines): boolean {
  const variable = /^\s*[\w-]+:\s*(["']?)\{\{\s*env_var\(\s*["']\w+["']\s*\)\s*(?:\|\s*\w+\s*)?\}\}\1\s*$/;
  const plainLine = /^\s*(?:[\w-]+:\s*(?:["']?[a-z][a-z0-9._/-]{0,31}["']?|[\d.]{1,15})?)?\s*$/;
  return lines.every((line) => variable.test(line) || (plainLine.test(line) && !secretVariable.test(line)));
}
