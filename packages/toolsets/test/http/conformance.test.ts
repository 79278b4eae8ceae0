import { describe, it } from 'vitest';
import { http } from '../../src/index.js';
import { conformance } from '../../src/testing/index.js';

describe("http, held to the rules of the author's kit", () => {
  const fetch = [
    { url: 'https://Example.com./a?b' },
    { url: 'http://[::ffff:127.0.0.1]:8080/', method: 'POST', body: 'x' },
    { url: 'http://user@a..b/', headers: { Host: 'x' } },
  ];
  for (const proxy of [null, 'http://proxy.example:3128']) {
    const toolset = http(proxy === null ? {} : { proxy });
    for (const { title, check } of conformance(toolset, { examples: { fetch } }))
      it(`${title}, proxy: ${proxy}`, check);
  }
});
