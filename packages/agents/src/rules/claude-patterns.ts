import { plainWords, type StaticDecision, type Subject } from './static-rule.js';

const keptFiles =
  '.gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile .profile .zshenv .zlogin .zlogout .bash_login ' +
  '.bash_aliases .bash_logout .envrc .ripgreprc .mcp.json .claude.json .npmrc .yarnrc .yarnrc.yml .pnp.cjs ' +
  '.pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc ' +
  '.pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml gradle-wrapper.properties ' +
  'maven-wrapper.properties .devcontainer.json pyrightconfig.json';

/** Claude Code asks about writes to them, whatever its settings allow. */
export const askedAnyway: readonly string[] = [
  ...keptFiles.split(' ').map((name) => `**/${name}`),
  ...'.git .vscode .idea .claude .husky .cargo .devcontainer .yarn .mvn'
    .split(' ')
    .map((name) => `**/${name}/**`),
];

/** `words:*`, `words *` and `words`; other wildcards only in restrictions. */
export function commandOf(what: string, decision: StaticDecision): Subject | null {
  const start = /^(.*?)(?::\*| \*)$/s.exec(what)?.[1];
  const words = plainWords(start ?? what);
  if (
    words !== null &&
    !what.includes('*', start === undefined ? 0 : start.length + 2) &&
    !(start ?? what).includes('*')
  )
    return { about: 'shell', words, isExact: start === undefined };
  if (decision === 'allow') return null;
  // A backslash removes the meaning of the next character.
  const pieces = what
    .replace(/:\*/g, '*')
    .split(/[*\s\\]+/)
    .filter((piece) => piece !== '');
  return pieces.length === 0 ? { about: 'shell', words: [], isExact: false } : { about: 'text', pieces };
}

/**
 * A gitignore pattern as globs of a policy; null if there is no equivalent. A restriction also covers the
 * files below.
 */
export function globsOf(
  pattern: string,
  { isAllow, isProject }: { readonly isAllow: boolean; readonly isProject: boolean },
): readonly string[] | null {
  // Blanks at the end do not belong to the pattern.
  if (/[[\]!\\{}]|^#|^$|\s$|(?:^|\/)\.\.?(?:\/|$)/.test(pattern.replace(/^\.\//, ''))) return null;
  if (/^\/(?!\/)/.test(pattern) && !isProject) return null;
  if (pattern.includes('***') || /[^/]\*\*|\*\*[^/]/.test(pattern)) return null;
  const isFolder = pattern.endsWith('/');
  if (isFolder && isAllow) return null;
  const plain = isFolder ? pattern.slice(0, -1) : pattern;
  const base = plain.startsWith('//')
    ? plain.slice(1)
    : plain.startsWith('~/')
      ? plain
      : plain.startsWith('/')
        ? `.${plain}`
        : plain.startsWith('./')
          ? plain
          : plain.includes('/')
            ? plain.startsWith('**/')
              ? plain
              : `./${plain}`
            : `**/${plain}`;
  // A policy's `**` also covers the folder itself, which a permission must not add.
  if (isAllow) {
    const narrow = base.replace(/^\*\*\//, './**/').replace(/\/\*\*$/, '/*/**');
    return [narrow];
  }
  const at = base.replace(/\/\*\*$/, '');
  // A folder that is always there is covered by its `/**`.
  return /^(?:\*\*|\.|~|)$/.test(at) ? [base] : [at, `${at}/**`];
}
