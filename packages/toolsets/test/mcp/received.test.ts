import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { receiving } from '../../src/mcp/connection/received.js';

const receive = () => receiving((value) => parseJSONRPCMessage(value), true);
const tools = '[{"name":"a","description":"x,\\"id\\":7}"}]';
const idFirst = (id: string, list = tools) => `{"jsonrpc":"2.0","id":${id},"result":{"tools":${list}}}`;
const idLast = (id: string, list = tools) => `{"result":{"tools":${list}},"jsonrpc":"2.0","id":${id}}`;

describe('a list of tools that a server sends again', () => {
  it.each([
    ['first', idFirst],
    ['last', idLast],
  ])('is the same list for the same bytes with the id %s, under its own id', (_, text) => {
    const take = receive();
    const [one, other] = [take(text('1')), take(text('23'))];
    expect(other).toEqual({ message: JSON.parse(text('23')), text: text('23') });
    expect(Object(other?.message).result).toBe(Object(one?.message).result);
  });

  it.each([
    ['another list', idLast('2', '[{"name":"b","description":"x,\\"id\\":7}"}]')],
    ['a number inside a text that looks like an id', idLast('2', tools.replace('7', '8'))],
    ['the id in another place', idFirst('2')],
    ['an id that is a text', idLast('"2"')],
    ['spaces', idLast(' 2')],
    ['a further member', idLast('2').replace('}]', '}],"nextCursor":"c"')],
  ])('is read as it is written: %s', (_, text) => {
    const take = receive();
    const one = take(idLast('1'));
    const other = take(text);
    expect(other).toEqual({ message: JSON.parse(text), text });
    expect(Object(other?.message).result).not.toBe(Object(one?.message).result);
  });

  it.each([idLast('02'), `${idLast('2')}}`, idLast('2').slice(0, -1)])('is not a message: %s', (text) => {
    const take = receive();
    take(idLast('1'));
    expect(take(text)).toBeNull();
  });

  it('counts by the id that a reader of JSON takes', () => {
    const take = receive();
    const twice = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":{"tools":[]},"id":5}`;
    expect(take(twice('1'))?.message).toMatchObject({ id: 5 });
    expect(take(twice('2'))?.message).toMatchObject({ id: 5 });
  });
});
