import { isSecretKey, isSecretNumberKey } from './secret-keys.js';

/** Texts that are secret anywhere. Each pattern takes linear time. */
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
  /(?<![A-Za-z0-9])pypi-AgE[A-Za-z0-9_-]{12,}/g,
  // A JSON Web Token.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,3}/g,
  /(?<=\b(?:[Bb]earer|BEARER)[ \t]{1,8})[A-Za-z0-9._~+/=-]{6,}/g,
  // The value of a credentials header, with any scheme; the whole value of a cookie.
  /(?<=[Aa](?:uthorization|UTHORIZATION):[ \t]{0,8}[A-Za-z][A-Za-z0-9-]{1,20}[ \t]{1,8})[^\s"'\\]{4,}/g,
  /(?<=\b[Cc](?:ookie|OOKIE):[ \t]{0,8})[^\n"'\\]{4,4096}/g,
  // `curl -u NAME:PASSWORD`
  /(?<=\b(?:curl|wget|https?|xh)\b[^\n]{0,400}\s(?:-u|--user|--proxy-user)[ \t=]{1,4}["']?[^\s:"'/]{1,80}:)[^\s"'/][^\s"']{2,512}/g,
  // `sshpass -p PASSWORD`, and a line of `.netrc`.
  /(?<=\bsshpass[ \t]{1,4}-p[ \t]{0,4})[^\s"'$][^\s"']{1,511}/g,
  /(?<=\bsshpass[ \t]{1,4}-p[ \t]{0,4}["'])[^\n"'$][^\n"']{1,511}/g,
  /(?<=\bmachine\s{1,20}[^\s"']{1,80}\s{1,20}login\s{1,20}[^\s"']{1,80}\s{1,20}password\s{1,20})[^\s"']{2,512}/g,
  // The password of a URL.
  /(?<=[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/[^\s/?#:@]{0,256}:)[^\s/?#]{1,512}(?=@)/g,
];

/** Values of secret keys in a text: `--password=…`, `API_KEY=…`, `"token": "…"`, `?access_token=…`. */
export function assignedSecrets(text: string): readonly string[] {
  // Every assignment has one of these.
  if (!text.includes('=') && !text.includes(':') && !text.includes('--')) return [];
  const secrets: string[] = [];
  // The value of another key may contain a secret one: `--data "user=ada&password=…"`.
  for (const { index, 0: whole, 2: key = '', 3: sign = '' } of text.matchAll(assignment)) {
    if (!isSecretKey(key)) continue;
    given.lastIndex = index + whole.length;
    const [, ...found] = given.exec(text) ?? [];
    const value = found.find((one) => one !== undefined) ?? '';
    // After a colon, or between blanks, a type or a variable is likely.
    const mayBeName = sign.includes(':') || (/[ \t]=/.test(sign) && value === found.at(-1));
    if (isLikelySecret(value) || (!mayBeName && isValue(key, value))) secrets.push(value);
  }
  return secrets;
}

/** Whether this is a value, and not a name: `password=password`, `$TOKEN`, `max_tokens=4096`. */
function isValue(key: string, value: string): boolean {
  return (
    value.length >= 4 &&
    /^[A-Za-z0-9]/.test(value) &&
    !isSecretKey(value) &&
    !plainValues.includes(value.toLowerCase()) &&
    (isSecretNumberKey(key) || !/^\d+$/.test(value))
  );
}

const plainValues = 'true false null none undefined string number boolean'.split(' ');

// A key in quotes (with backslashes before them, within another text) or none; `=`, alone or between blanks, `:` or, after `--key`, a space.
const assignment =
  /(?<![\w-])(\\{0,3}["']|)([\w-]{1,80})\1(=|[ \t]{1,4}=[ \t]{1,4}|[ \t]{0,4}:[ \t]{0,4}|[ \t]{1,4}(?<=--[\w-]{1,80}[ \t]{1,4}))/g;

// A value in quotes or none.
const given =
  /\\{1,3}["']([^"'\\\n]{1,1024})|"([^"\n]{1,1024})"|'([^'\n]{1,1024})'|([^\s"'&;,|()<>]{1,1024})/y;

function isLikelySecret(value: string): boolean {
  return value.length >= 20 || (value.length >= 6 && /\d/.test(value));
}
