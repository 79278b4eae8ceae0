export class HttpError extends Error {
  override readonly name = 'HttpError';
}

const words: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'there is no such host'],
  ['ENODATA', 'there is no such host'],
  ['EAI_AGAIN', 'the name of the host cannot be resolved now'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed'],
  ['EPIPE', 'the connection was closed'],
  ['UND_ERR_SOCKET', 'the connection was closed'],
  ['ENETUNREACH', 'the host cannot be reached'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ETIMEDOUT', 'the host did not answer in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host did not answer in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'the host did not answer in time'],
  ['UND_ERR_BODY_TIMEOUT', 'the host did not answer in time'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the response are too large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the response is not as long as it says'],
]);

/** Without addresses. */
export function failureOf(error: unknown, host: string): HttpError {
  if (error instanceof HttpError) return error;
  const code = codeOf(error);
  return new HttpError(`${host}: ${words.get(code) ?? kindOf(code)}`);
}

function kindOf(code: string): string {
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)) return `its certificate is not accepted (${code})`;
  if (/SSL|TLS/.test(code)) return 'no secure connection can be made';
  return code === '' ? 'the request failed' : `the request failed (${code})`;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('name' in error && error.name === 'HTTPParserError') return 'HPE_';
  return 'cause' in error ? codeOf(error.cause) : '';
}
