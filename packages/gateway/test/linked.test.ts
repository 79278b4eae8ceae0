import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createWorld, policyOf, type World } from './world.js';

const script = new URL('servers/given.mjs', import.meta.url).pathname;
const rules = '  mcp.call: pre_approved\n';

/** Two servers. `links`: what the results of the tool `get` of each link to; `templates`: of the first. */
async function opened(
  links: readonly (readonly string[])[],
  { templates = [] as readonly string[], lists = [] as readonly string[] } = {},
) {
  const at = createWorld(policyOf(rules));
  const servers = links.map((uris, index) =>
    serverOf(at, ['one', 'two'][index] ?? '', { uris, lists, templates }),
  );
  const { client } = await at.open('good', undefined, servers);
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return contents.map((each) => ('text' in each ? each.text : ''));
  };
  const get = (name: string) => client.callTool({ name: `${name}__get`, arguments: {} });
  return { client, read, get };
}

function serverOf(
  at: World,
  name: string,
  has: { uris: readonly string[]; lists: readonly string[]; templates: readonly string[] },
) {
  const place = join(at.folder, `${name}.json`);
  const isFirst = name === 'one';
  const content = has.uris.map((uri) => ({ type: 'resource_link', uri, name: 'n' }));
  const given = {
    'tools/list': { tools: [{ name: 'get', inputSchema: { type: 'object' } }] },
    'tools/call': { content },
    'prompts/list': { prompts: [{ name: 'p' }] },
    'prompts/get': { messages: content.map((each) => ({ role: 'user', content: each })) },
    'resources/list': { resources: isFirst ? has.lists.map((uri) => ({ uri, name: 'n' })) : [] },
    'resources/templates/list': {
      resourceTemplates: isFirst ? has.templates.map((uriTemplate) => ({ uriTemplate, name: 'n' })) : [],
    },
    'resources/read': { contents: [{ uri: 'x://x', text: `of ${name}` }] },
  };
  writeFileSync(place, JSON.stringify(given));
  return {
    ...at.serverAt(name, 'good'),
    command: [process.execPath, script, place, join(at.folder, 'asked')] as const,
  };
}

it('a resource that only a result links to is read from the server of the result', async () => {
  const { client, read, get } = await opened([[], ['made://a', 'Made://B/c']]);
  await expect(read('made://a')).rejects.toThrow('no server has `made://a`');
  await get('one');
  await expect(read('made://a')).rejects.toThrow('no server has `made://a`');
  await get('two');
  expect(await read('made://a')).toEqual(['of two']);
  expect(await read('made://B/c')).toEqual(['of two']);
  for (const uri of ['made://a/../b', 'made://ab', 'made://'])
    await expect(read(uri)).rejects.toMatchObject({ code: -32602 });
  const other = await opened([['made://a'], []]);
  await other.client.getPrompt({ name: 'one__p' });
  expect(await other.read('made://a')).toEqual(['of one']);
  expect(client).not.toBe(other.client);
});

it('a resource that results of two servers link to is refused', async () => {
  const { read, get } = await opened([['made://a'], ['MADE://a']]);
  await get('one');
  await get('two');
  await get('one');
  await expect(read('made://a')).rejects.toThrow('more than one server has `made://a`');
});

it('a link takes no resource from the server that lists it, or has its template', async () => {
  const { read, get } = await opened([[], ['made://a', 'of://b']], {
    lists: ['made://a'],
    templates: ['of://{x}'],
  });
  await get('two');
  expect(await read('made://a')).toEqual(['of one']);
  expect(await read('of://b')).toEqual(['of one']);
});

it('a list that the gateway makes has no second page', async () => {
  const { client } = await opened([[], []]);
  for (const list of ['tools/list', 'prompts/list', 'resources/list'])
    for (const cursor of ['', '1'])
      await expect(
        client.request({ method: list, params: { cursor } } as never, z.any()),
      ).rejects.toMatchObject({
        code: -32602,
      });
});
