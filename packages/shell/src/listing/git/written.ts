import type { Request } from './request.js';
import type { References } from './store/references.js';

/** The name in a revision: `v1` in `v1~2`. */
export function nameIn(text: string): string {
  return /^[^~^:@{}]*/.exec(text)?.[0] ?? '';
}

/** The sides of `A..B`. */
export function partsOf(text: string): readonly string[] {
  return text.replace(/^\^/, '').split(/\.{2,3}/);
}

/** A name that is neither an id, nor a part of one, nor a name that git makes up. */
export const plainName = /^(?=.*[g-z])(?!.*-g[\da-f]{4,}$)(?!(?:main-)?worktrees?\/)[a-z][\w./-]*$/;

/** `@{u}`, `main@{upstream}` and `@{push}`. */
export const upstream = /^([^~^:@{}]*)@\{(u|upstream|push)\}/i;

/** A revision with the name of the branch that `@{u}` stands for; null if unknown, undefined if it certainly stands for none. */
export function withUpstream(
  { settings, reading }: Request,
  { byName, head }: References,
  text: string,
): string | null | undefined {
  const [all, name = '', kind = ''] = upstream.exec(text) ?? [];
  if (all === undefined) return text;
  if (!settings.areOfBranchesKnown) return null;
  const branch = name === '' || name === 'HEAD' ? head : `refs/heads/${name}`;
  const valuesOf = (key: string) => settings.all.flatMap((each) => (each.key === key ? [each.value] : []));
  const own = branch?.replace('refs/heads/', 'branch.') ?? '';
  const [remote, ...others] = valuesOf(`${own}.remote`);
  const [merged, ...more] = valuesOf(`${own}.merge`);
  if (reading.given.has('-c') || others.length + more.length > 0) return null;
  if (branch === null || remote === undefined || merged === undefined) return undefined;
  const pushes = ['push.default', 'remote.pushdefault', `${own}.pushremote`, `remote.${remote}.push`];
  if (/^push$/i.test(kind) && pushes.some((key) => valuesOf(key).length > 0)) return null;
  const [fetched = '', ...rest] = valuesOf(`remote.${remote}.fetch`);
  const place = /^\+?refs\/heads\/\*:(refs\/remotes\/[^*]+\/)\*$/.exec(fetched)?.[1];
  if (place === undefined || rest.length > 0 || !byName.has(branch) || !merged.startsWith('refs/heads/'))
    return null;
  return text.replace(all, () => merged.replace('refs/heads/', place));
}
