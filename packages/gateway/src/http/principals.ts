import { hash, timingSafeEqual } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import { text } from 'node:stream/consumers';
import { errorCode, messageOf } from '@ambit/core';
import { createRemoteJWKSet, customFetch, type FetchImplementation, jwtVerify } from 'jose';
import * as z from 'zod';
import { Refused } from './edge.js';

/**
 * The clients that may use the gateway over HTTP. Without a token and an issuer, every client that can reach
 * it may.
 */
export interface Access {
  /** The bearer token that clients send. */
  readonly token?: string;
  /** The issuer of access tokens for this gateway: the URL of an OAuth authorization server. */
  readonly issuer?: string;
  /** A scope that an access token must have. */
  readonly scope?: string;
}

/**
 * Identifies the sender of a request by its header `Authorization`; throws `Refused` if the sender is
 * unknown.
 */
export type Principals = (authorization: string | undefined) => Promise<string>;

/** `resource`: the URL of the gateway, which access tokens have as their audience. */
export async function principalsOf(access: Access, resource: string): Promise<Principals> {
  const { token, issuer, scope } = access;
  if (token === undefined && issuer === undefined) return async () => 'anybody';
  if (token !== undefined && token.length < shortestToken)
    throw new TypeError(`a bearer token has at least ${shortestToken} characters`);
  const keys =
    issuer === undefined
      ? null
      : createRemoteJWKSet(new URL(await keysOf(issuer)), { [customFetch]: fetchChecked });
  const metadata = new URL('/.well-known/oauth-protected-resource', resource).href;
  const challenge = (problem: string | null, status: number) => {
    const parts = {
      ...(problem !== null && { error: problem }),
      ...(scope !== undefined && { scope }),
      ...(issuer !== undefined && { resource_metadata: metadata }),
    };
    const said = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
    const headers = { 'www-authenticate': ['Bearer', said.join(', ')].join(' ').trim() };
    return new Refused(status, `the request has no valid token${problem === null ? '' : `: ${problem}`}`, {
      headers,
    });
  };
  return async (authorization = '') => {
    const [, given] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
    // By RFC 6750, only a request with a token has an error.
    if (given === undefined) throw challenge(/^Bearer\s/i.test(authorization) ? 'invalid_token' : null, 401);
    if (token !== undefined && isSame(given, token)) return 'token';
    if (keys === null || issuer === undefined) throw challenge('invalid_token', 401);
    const { payload, protectedHeader } = await jwtVerify(given, keys, {
      issuer,
      audience: resource,
      algorithms: [...algorithms],
      requiredClaims: ['sub', 'exp'],
    }).catch(() => {
      // If a key cannot be fetched, the token is refused as with a wrong key.
      throw challenge('invalid_token', 401);
    });
    const isAccess = /^(?:application\/)?(?:at\+)?jwt$/i.test(protectedHeader.typ ?? 'jwt');
    // A token that is bound to a key counts only with a proof of that key, which is not checked here.
    if (!isAccess || payload.cnf !== undefined) throw challenge('invalid_token', 401);
    const scopes = typeof payload.scope === 'string' ? payload.scope.split(' ') : [];
    if (scope !== undefined && !scopes.includes(scope)) throw challenge('insufficient_scope', 403);
    return JSON.stringify([issuer, payload.sub, payload.client_id ?? null]);
  };
}

/** The metadata that tell a client where to get a token. */
export function resourceMetadata({ issuer, scope }: Access, resource: string) {
  return {
    resource,
    authorization_servers: issuer === undefined ? [] : [issuer],
    bearer_methods_supported: ['header'],
    ...(scope !== undefined && { scopes_supported: [scope] }),
  };
}

const shortestToken = 16;
/** Algorithms with public keys only, so no key is a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const;

const metadataSchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** The URL of an issuer's keys, from the issuer's own metadata. */
async function keysOf(issuer: string): Promise<string> {
  const place = new URL(issuer);
  if (!isSafe(place)) throw new TypeError(`the issuer ${issuer} has no \`https:\` URL`);
  const path = place.pathname === '/' ? '' : place.pathname;
  const url = new URL(`/.well-known/oauth-authorization-server${path}`, place);
  const unusable = (why: string) => new TypeError(`the issuer has no metadata at ${url.href}: ${why}`);
  const answer = await fetchChecked(url.href, { signal: AbortSignal.timeout(10_000) }).catch(
    (error: unknown) => {
      throw unusable(messageOf(error) || (errorCode(error) ?? 'unknown error'));
    },
  );
  const said = metadataSchema.safeParse(answer.ok ? await answer.json().catch(() => null) : null);
  if (!said.success) throw unusable(`status ${answer.status}, without \`issuer\` and \`jwks_uri\` in JSON`);
  const { issuer: named, jwks_uri: keys } = said.data;
  if (named !== issuer) throw unusable(`it names the issuer \`${named}\`, and not \`${issuer}\``);
  if (!isSafe(new URL(keys))) throw unusable('its keys have no `https:` URL');
  return keys;
}

/** Checks the certificate whatever the environment says, which `fetch` does not. Follows no redirect. */
async function fetchChecked(
  url: string,
  { headers = new Headers(), signal }: Partial<Parameters<FetchImplementation>[1]>,
): Promise<Response> {
  const options = { headers: Object.fromEntries(headers), signal, rejectUnauthorized: true };
  const request = url.startsWith('https:') ? getSecurely : get;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on('error', reject);
  });
  return new Response(await text(answer), { status: answer.statusCode ?? 0 });
}

function isSafe({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname))
  );
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(one), digest(other));
}
