import { remembered } from '@ambit/core';

const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(', '));

/** Words that make a key secret at any place in it. */
const anywhere = words(
  'password, passwords, passwd, passphrase, passcode, pwd, secret, secrets, credential, credentials',
  'authorization, cookie, cookies, apikey, privatekey, accesskey, secretkey',
);

const pairs = words(
  'pass word, pass words, pass phrase, pass code, pass wd',
  'api key, private key, access key, secret key',
);

/** Words, or pairs of them, that make a key secret when it ends with them: `token_count` counts tokens. */
const atTheEnd = words(
  'token, tokens, pass, otp, pin, jwt, bearer, cvv, cvc, mnemonic, seed phrase',
  'api key, api keys, private key, access key, signing key, encryption key',
  'session id, session key, connection string, recovery code, recovery codes',
);

/** Suffixes of keys in one word: `dbpassword`, `accesstoken`. */
const endings = words(
  'password, passwd, passphrase, secret, token, apikey, privatekey, accesskey, secretkey',
);

/** Whether the value of this key is secret: `apiKey`, `X-API-Key`, `DB_PASSWORD`, `clientSecret`. */
export function isSecretKey(key: string): boolean {
  if (key.length > 200) return false;
  // Keys repeat; the cache is bounded against invented ones.
  if (answers.size >= 2000) answers.clear();
  return remembered(answers, key, () => hasSecretWord(key));
}

const answers = new Map<string, boolean>();

function hasSecretWord(key: string): boolean {
  const words = wordsOf(key);
  const last = words.at(-1);
  if (last === undefined) return false;
  return (
    words.some(
      (word, index) => anywhere.includes(word) || pairs.includes(`${word} ${words[index + 1] ?? ''}`),
    ) ||
    atTheEnd.includes(last) ||
    atTheEnd.includes(words.slice(-2).join(' ')) ||
    endings.some((ending) => last.endsWith(ending))
  );
}

/** Whether a number under this key is secret too: a PIN is, a number of tokens is not. */
export function isSecretNumberKey(key: string): boolean {
  return isSecretKey(key) && !(wordsOf(key).at(-1) ?? '').endsWith('tokens');
}

function wordsOf(key: string): readonly string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d{1,20}$/, ''))
    .filter((word) => word !== '');
}
