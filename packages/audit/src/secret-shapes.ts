import { isSecretKey } from './secret-keys.js';

/**
 * Texts that are secret wherever they stand. Each takes time linear in the text: a match begins where its kind of text
 * cannot have begun before, and what repeats without bound is never tried twice from within itself.
 */
export const secretShapes: readonly RegExp[] = [
  // A private key in PEM; one that is cut off is masked to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{12,}/g,
  /(?<![A-Za-z0-9])[rsp]k_(?:live|test)_[A-Za-z0-9]{12,}/g,
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{16,}/g,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{16,}/g,
  /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{12,}/g,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/g,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9-]{8,}/g,
  // A JSON Web Token.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,3}/g,
  /(?<=\b(?:[Bb]earer|BEARER)[ \t]{1,8})[A-Za-z0-9._~+/=-]{6,}/g,
  /(?<=[Aa]uthorization:[ \t]{0,8}(?:[Bb]asic|BASIC)[ \t]{1,8})[A-Za-z0-9+/=]{4,}/g,
  // The password of a URL.
  /(?<=[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/[^\s/?#:@]{0,256}:)[^\s/?#]{1,512}(?=@)/g,
];

/**
 * What is assigned to a secret key within a text: `--password=…`, `API_KEY=…`, `"token": "…"`, `?access_token=…`.
 * Short values, and words without a digit, are left: they are types and variables more often than secrets.
 */
export function assignedSecrets(text: string): readonly string[] {
  // Nothing is assigned without one of these.
  if (!text.includes('=') && !text.includes(':') && !text.includes('--')) return [];
  return Array.from(text.matchAll(assignment), ([, , key = '', ...values]) => ({
    key,
    value: values.find((value) => value !== undefined) ?? '',
  }))
    .filter(({ key, value }) => isSecretKey(key) && isLikelySecret(value))
    .map(({ value }) => value);
}

// A key in quotes or none; `=`, `:` or, after `--key`, a space; a value in quotes or none.
const assignment =
  /(?<![\w-])(["']?)([\w-]{1,80})\1(?:=|[ \t]{0,4}:[ \t]{0,4}|[ \t]{1,4}(?<=--[\w-]{1,80}[ \t]{1,4}))(?:"([^"\n]{1,1024})"|'([^'\n]{1,1024})'|([^\s"'&;,|()<>]{1,1024}))/g;

function isLikelySecret(value: string): boolean {
  return value.length >= 20 || (value.length >= 6 && /\d/.test(value));
}
