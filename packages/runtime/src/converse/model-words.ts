import { type CallOutcome, escapeRegExp, type Refusal } from '@ambit/core';
import type { Catalogue } from '../catalogue/catalogue.js';

/** Rewrites outcomes for a model, without paths of the host. `named` holds the paths that the model itself named. */
export function modelWords(catalogue: Catalogue, worker: string) {
  const state = catalogue.guarded.flatMap(({ path, what }) => (what === 'state folder' ? [path] : []));
  const known: Folders = [
    ...(catalogue.roots.get(worker) ?? []).map(({ folder, name }) => [folder, name] as const),
    ...state.map((path) => [path, 'the state folder'] as const),
    [catalogue.root, '.'],
    [catalogue.home, '~'],
  ];
  // The innermost folder names a path.
  const folders = known
    .filter(([folder]) => folder !== '/')
    .sort(([one], [other]) => other.length - one.length);
  const toWords = (text: string, said: string) => withModelPaths(text, folders, said);
  return (outcome: CallOutcome, named: unknown): CallOutcome => {
    if (outcome.status === 'completed') return outcome;
    const said = typeof named === 'string' ? named : (JSON.stringify(named) ?? '');
    if (outcome.status === 'failed') return { ...outcome, error: toWords(outcome.error, said) };
    return { ...outcome, refusal: refusalInWords(outcome.refusal, (text) => toWords(text, said)) };
  };
}

function refusalInWords(refusal: Refusal, toWords: (text: string) => string): Refusal {
  const { reason, rule, instead } = refusal;
  return {
    ...refusal,
    reason: toWords(reason),
    rule: rule === null ? null : { ...rule, at: toWords(rule.at) },
    instead: instead === null ? null : toWords(instead),
  };
}

/** Each with its name for the model. */
type Folders = readonly (readonly [folder: string, name: string])[];

const end = '[^\\s\'"`,;:()<>]*';
const descriptor = new RegExp(
  `/proc/(?:self|thread-self|\\d+)/(?:task/\\d+/)?fd/\\d+(?:/\\.(?=/|$))?/?(${end})`,
  'g',
);
/** `ENOENT: no such file or directory, open '/a/b' -> '/c'` */
const systemError = /\b(E[A-Z0-9]+: [^,'\n]+), [a-z]+((?: (?:-> )?'[^'\n]*')+)/g;

function withModelPaths(text: string, folders: Folders, said: string): string {
  const short = text.replace(descriptor, (path, rest: string) => (said.includes(path) ? path : rest));
  const named = folders.reduce((result, [folder, name]) => {
    const path = new RegExp(`(?<![\\w./-])${escapeRegExp(folder)}(?![\\w.-])(/${end})?`, 'g');
    return result.replace(path, (found, rest = '') => (said.includes(found) ? found : joined(name, rest)));
  }, short);
  return named.replace(systemError, (_, what: string, paths: string) => {
    const list = [...paths.matchAll(/'([^']*)'/g)].map(([, path = '']) => path);
    const told = list.filter((path) => path !== '' && (!path.startsWith('/') || said.includes(path)));
    return told.length === 0 ? what : `${what}: ${told.map((path) => `\`${path}\``).join(', ')}`;
  });
}

function joined(name: string, rest: string): string {
  if (name !== '.') return `${name}${rest}`;
  return rest === '' || rest === '/' ? '.' : rest.slice(1);
}
