export interface FixedEnvironment {
  readonly searchPath: readonly string[];
  /** The user's home. */
  readonly home: string;
  /** Whether `/tmp` is read only for it, and temporary files go to another folder. */
  readonly is_isolated?: boolean;
}

/** All variables of a command: the fixed ones, and the call's own. It inherits none from the host. */
export function environmentOf(
  own: Readonly<Record<string, string>>,
  { searchPath, home, is_isolated = false }: FixedEnvironment,
): Readonly<Record<string, string>> {
  const usual = { LANG: 'C.UTF-8', TERM: 'dumb', ...(is_isolated && ownPlaces) };
  return { ...usual, ...own, PATH: searchPath.join(':'), HOME: home };
}

/** With a read-only home folder, these programs fail without their own cache. */
const ownPlaces: Readonly<Record<string, string>> = {
  TMPDIR: '/dev/shm',
  npm_config_cache: '/dev/shm/npm',
  GOCACHE: '/dev/shm/go-build',
  UV_CACHE_DIR: '/dev/shm/uv',
};

/** Why these variables cannot be passed on, as a text for the model; null if they can be passed on. */
export function problemOfEnvironment(own: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(own);
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(`${name}=${value}`), 0);
  if (bytes > mostBytes) return `the variables hold ${bytes} bytes, and may hold at most ${mostBytes}`;
  for (const entry of entries) {
    const problem = problemOf(entry);
    if (problem !== null) return problem;
  }
  return null;
}

/** Well below the system's limit for all variables and arguments of a program. */
const mostBytes = 65_536;

function problemOf([name, value]: readonly [string, string]): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return 'the name of a variable has letters, digits and underscores, and does not begin with a digit';
  if (value.includes('\0') || /\p{Surrogate}/u.test(value))
    return `the value of \`${name}\` is not well-formed text`;
  if (isFixed(name)) return `\`${name}\` is fixed, because it changes how a command is read or found`;
  if (/^(LANG|LANGUAGE|LC_[A-Z]+)$/.test(name) && !isPlainLocale(value))
    return `\`${name}\` may be C, POSIX or C.UTF-8: others change how a command is read`;
  if (isPrivate(name))
    return `\`${name}\` has the name of a secret, or of what guards this run, and is not passed on`;
  return null;
}

/**
 * Variables that bash reads: start-up files, options, functions, the search path, hooks, and message
 * catalogues for `$"…"`.
 */
function isFixed(name: string): boolean {
  return (
    fixed.has(name) ||
    // BASH_ENV, BASH_FUNC_…, BASHOPTS, BASH_COMPAT, BASH_XTRACEFD
    name.startsWith('BASH') ||
    name.startsWith('TEXTDOMAIN')
  );
}

const fixed: ReadonlySet<string> = new Set(
  (
    'CDPATH ENV EXECIGNORE FIGNORE GLOBIGNORE HOME IFS LOCPATH NLSPATH OLDPWD PATH POSIXLY_CORRECT ' +
    'PROMPT_COMMAND PS0 PS1 PS2 PS4 PWD SHELLOPTS SHELL_CALL SHLVL _'
  ).split(' '),
);

/** In other encodings, a byte of a character may be a backslash or a backquote; other languages sort names in another way. */
function isPlainLocale(value: string): boolean {
  return /^(C|POSIX|C\.utf-?8)$/i.test(value);
}

/** Whether the name of a variable looks like that of a secret, or of Ambit's own settings. */
export function isPrivate(name: string): boolean {
  return /^(AMBIT|ANTHROPIC)_/i.test(name) || secretName.test(name);
}

const secretName =
  /(^|_)(TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS?|CREDS|COOKIES?|AUTH|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|DEPLOY|SSH)_?KEYS?|KEY_?ID|APIKEY)(_|$)|(TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|_KEY)$/i;
