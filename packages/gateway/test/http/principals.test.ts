import { createServer as plainServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { canMakeCertificates, selfSigned } from '../../../../test/self-signed.js';
import { principalsOf } from '../../src/http/principals.js';

const resource = 'http://127.0.0.1:1/mcp';

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(!canMakeCertificates)('an issuer with an untrusted certificate (needs openssl)', () => {
  it.each(['1', '0'])('is asked nothing, NODE_TLS_REJECT_UNAUTHORIZED=%s', async (value) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
    const asked: unknown[] = [];
    const issuer = `https://127.0.0.1:${await untrusted(({ url }, response) => {
      asked.push(url);
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    })}`;
    await expect(principalsOf({ issuer }, resource)).rejects.toThrow(/no metadata at .*: self-signed/);
    expect(asked).toEqual([]);
  });

  it.each(['1', '0'])('gives no keys, NODE_TLS_REJECT_UNAUTHORIZED=%s', async (value) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
    const port = await untrusted((_, response) => response.end(JSON.stringify(keys)));
    const metadata = plainServer((_, response) =>
      response.end(JSON.stringify({ issuer, jwks_uri: `https://127.0.0.1:${port}/keys` })),
    );
    const issuer = `http://127.0.0.1:${await portOf(metadata)}`;
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setSubject('ann')
      .setAudience(resource)
      .setExpirationTime('5m')
      .sign(privateKey);
    const principals = await principalsOf({ issuer }, resource);
    await expect(principals(`Bearer ${token}`)).rejects.toMatchObject({ status: 401 });
  });
});

/** The port of a server whose certificate no authority has signed. */
function untrusted(listener: RequestListener): Promise<number> {
  return portOf(createServer(selfSigned(), listener));
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
