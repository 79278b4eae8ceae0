import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** A public key that verifies notes: C2SP signed-note, Ed25519. */
export interface VerifierKey {
  readonly name: string;
  /** Eight hexadecimal digits, made from the name and the key. */
  readonly id: string;
  /** `NAME+ID+BASE64`, the form that is given to others. */
  readonly text: string;
  verify(text: string, signature: Uint8Array): boolean;
}

export interface SigningKey {
  readonly verifier: VerifierKey;
  /** `PRIVATE+KEY+NAME+ID+BASE64`: a secret, for its file alone. */
  readonly secret: string;
  sign(text: string): Buffer;
}

export function createSigningKey(name: string): SigningKey {
  if (!isKeyName(name))
    throw new TypeError('the name of a key must not be empty, nor contain a space or a plus');
  const { privateKey } = generateKeyPairSync('ed25519');
  return signingKey(name, privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32));
}

/** The content of a key file; null if it is not such a key. */
export function parseSigningKey(text: string): SigningKey | null {
  const found = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})\n?$/.exec(text);
  const [, name = '', id, data = ''] = found ?? [];
  const seed = bytesOf(data);
  if (seed === null || !isKeyName(name)) return null;
  const key = signingKey(name, seed);
  return key.verifier.id === id ? key : null;
}

/** Null if it is invalid. */
export function parseVerifierKey(text: string): VerifierKey | null {
  const [, name = '', id, data = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})\n?$/.exec(text) ?? [];
  const bytes = bytesOf(data);
  if (bytes === null || !isKeyName(name)) return null;
  const key = verifierKey(name, bytes);
  return key.id === id ? key : null;
}

function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}\p{Zs}\p{Cs}]+$/u.test(name);
}

const ed25519 = 1;

/** The 32 bytes of a key after the byte that says which kind it is. */
function bytesOf(base64: string): Buffer | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === 33 && bytes[0] === ed25519 && bytes.toString('base64') === base64
    ? bytes.subarray(1)
    : null;
}

function typed(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([ed25519]), bytes]);
}

function signingKey(name: string, seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  const verifier = verifierKey(
    name,
    createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32),
  );
  return {
    verifier,
    secret: `PRIVATE+KEY+${name}+${verifier.id}+${typed(seed).toString('base64')}`,
    sign: (text) => sign(null, Buffer.from(text), key),
  };
}

function verifierKey(name: string, bytes: Buffer): VerifierKey {
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed(bytes)]), 'buffer')
    .subarray(0, 4)
    .toString('hex');
  let key: KeyObject | null = null;
  return {
    name,
    id,
    text: `${name}+${id}+${typed(bytes).toString('base64')}`,
    verify: (text, signature) => {
      key ??= createPublicKey({ key: Buffer.concat([spki, bytes]), format: 'der', type: 'spki' });
      return signature.length === 64 && verify(null, Buffer.from(text), key, signature);
    },
  };
}

// The DER prefix of the 32 bytes of an Ed25519 key: RFC 8410.
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const spki = Buffer.from('302a300506032b6570032100', 'hex');
