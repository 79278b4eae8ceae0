/** Names in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

const mostHeaders = 64;
const longestValue = 8192;

/** Headers that frame the message or speak to proxies could make one request look like two. */
const framing = new Set(
  `connection content-length expect host http2-settings keep-alive te trailer transfer-encoding
  upgrade via`.split(/\s+/),
);

/** Headers that some servers read as another method, host or path: the facts would be wrong. */
const overriding = new Set(
  `forwarded x-envoy-original-dst-host x-envoy-original-path x-forwarded-host x-forwarded-method
  x-forwarded-path x-forwarded-port x-forwarded-prefix x-forwarded-proto x-forwarded-server x-forwarded-uri
  x-host x-http-host-override x-http-method x-http-method-override x-method-override x-original-host
  x-original-method x-original-uri x-original-url x-rewrite-url`.split(/\s+/),
);

/** Default headers. Not compressed, so the counted bytes are the received ones. */
const usual: HeaderList = [
  ['user-agent', 'ambit'],
  ['accept', '*/*'],
  ['accept-encoding', 'identity'],
];

/** Headers that may go to a host that they were not meant for. */
const harmless = new Set(['accept', 'accept-language', 'user-agent']);

/** Why these headers cannot be sent, or null. */
export function headersProblem(headers: Readonly<Record<string, string>>): string | null {
  const names = Object.keys(headers);
  if (names.length > mostHeaders) return `at most ${mostHeaders} headers can be sent`;
  const lower = names.map((name) => name.toLowerCase());
  const twice = lower.find((name, index) => lower.indexOf(name) !== index);
  if (twice !== undefined) return `the header \`${twice}\` is given twice`;
  for (const [name, value] of Object.entries(headers)) {
    const problem = problemOf(name, value);
    if (problem !== null) return problem;
  }
  return null;
}

export function headersSent(headers: Readonly<Record<string, string>>): HeaderList {
  const asked = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return [...usual.filter(([name]) => !asked.some(([other]) => other === name)), ...asked];
}

export function harmlessHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name.toLowerCase())));
}

function problemOf(name: string, value: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i.test(name))
    return 'the name of a header holds a character that none may hold';
  // Servers that hand headers on as variables cannot tell `_` from `-`.
  const plain = name.toLowerCase().replaceAll('_', '-');
  if (framing.has(plain) || /^proxy(?:-|$)/.test(plain))
    return `the header \`${name}\` is set by the client itself`;
  if (overriding.has(plain))
    return `the header \`${name}\` would make another request of it: say it with \`method\` and \`url\``;
  if (value.length > longestValue) return `the header \`${name}\` is longer than ${longestValue} characters`;
  if (!/^[\t\x20-\x7e]*$/.test(value))
    return `the header \`${name}\` holds a line break or a character outside ASCII`;
  return null;
}
