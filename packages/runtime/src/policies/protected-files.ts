import { wellKnown, wellKnownAt } from '@ambit/toolsets';

/** What no rule that is learnt ever covers together with other files of a folder. */
export interface ProtectedFiles {
  /** As `except` of a rule says it; after `./` below the folder of the rule. */
  readonly patterns: readonly string[];
  /** Whether this file below a folder is one of them. */
  readonly isExcepted: (path: string, folder: string) => boolean;
  /** Whether a person's answer about it is learnt from at all. */
  readonly isSecret: (path: string) => boolean;
}

/** Well-known secrets, hidden files and folders, which hold most of them, and files that guard. */
export function protectedFiles(home: string): ProtectedFiles {
  const isSecret = (path: string) => wellKnownAt(path, 'secret.read', [home]).length > 0;
  return {
    patterns: ['./**/.*', './**/.*/**', ...visibleSecrets, ...guards],
    isSecret,
    isExcepted: (path, folder) => path.slice(folder.length).includes('/.') || isSecret(path) || isGuard(path),
  };
}

const visibleSecrets = wellKnown
  .filter(({ capability }) => capability === 'secret.read')
  .flatMap(({ places }) => places)
  .filter((place) => place.startsWith('**/') && !place.includes('/.'));

const guards = ['**/*.worker', '**/ambit.yaml'];

function isGuard(path: string): boolean {
  return path.endsWith('.worker') || path.endsWith('/ambit.yaml');
}
