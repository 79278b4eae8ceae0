import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { inputSchema, type Json, type JsonObject, type Parsed } from '../../src/index.js';
import { deciding, type Setting, stage, write } from '../guard/stage.js';

const free: Setting = { policies: [deciding('pre_approved')], mode: 'strict' };

const loose = inputSchema(z.looseObject({ path: z.string() }) as z.ZodType<JsonObject>);

/** A schema that hands on what it is given, as one written by hand may. */
const trusting = {
  json: {},
  parse: (value: Json): Parsed<JsonObject> => ({ ok: true, value: value as JsonObject }),
};

const call = (args: unknown, setting: Setting = free, tool = 'put') => {
  const set = stage(setting);
  return set.box.call({ tool, args }).then((outcome) => ({ ...set, outcome }));
};

describe('the name of a tool', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'then', '', 'box.put', 'PUT'])(
    'is an own property, so `%s` is unknown',
    async (name) => {
      const { outcome, executed } = await call({ path: '/w/a' }, free, name);
      expect(outcome).toMatchObject({ status: 'refused', refusal: { code: 'unknown_tool' } });
      expect(executed).toEqual([]);
    },
  );

  it('may be `constructor` if a toolset defines it', async () => {
    const { outcome } = await call(
      { path: '/w/a' },
      { ...free, tool: { name: 'constructor' } },
      'constructor',
    );
    expect(outcome.status).toBe('completed');
  });
});

describe('arguments', () => {
  const getter = () => Object.defineProperty({}, 'path', { enumerable: true, get: () => '/w/a' });
  const holed = () => Object.assign([] as unknown[], { length: 1, extra: 2 });
  const changing = () => {
    const list = ['/w/a'];
    let reads = 0;
    return Object.defineProperty(list, '0', {
      enumerable: true,
      get: () => (reads++ === 0 ? '/w/a' : '/etc'),
    });
  };

  it.each<readonly [string, unknown]>([
    ['a getter', getter()],
    ['a getter in a list', { path: '/w/a', more: changing() }],
    ['a function', { path: '/w/a', toJSON: () => ({ path: '/etc' }) }],
    [
      'a hidden toJSON',
      Object.defineProperty({ path: '/w/a' }, 'toJSON', { value: () => 1, enumerable: false }),
    ],
    ['a symbol', { path: '/w/a', [Symbol('x')]: 1 }],
    ['a prototype of its own', Object.create({ path: '/w/a' }) as unknown],
    [
      'a class',
      new (class {
        path = '/w/a';
      })(),
    ],
    ['a class of lists', { path: '/w/a', more: new (class extends Array {})() }],
    ['a list with holes', { path: '/w/a', more: holed() }],
    ['a Date', { path: '/w/a', at: new Date(0) }],
    ['undefined', { path: '/w/a', more: undefined }],
    ['NaN', { path: '/w/a', more: Number.NaN }],
    ['a bigint', { path: '/w/a', more: 1n }],
    ['nothing', undefined],
    ['a text', '{"path":"/w/a"}'],
    ['a list', ['/w/a']],
    [
      'a cycle',
      (() => {
        const a: Record<string, unknown> = { path: '/w/a' };
        a.a = a;
        return a;
      })(),
    ],
    [
      'a value that throws when it is read',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ],
  ])('with %s are refused', async (_, args) => {
    for (const input of [loose, trusting]) {
      const { outcome, executed } = await call(args, { ...free, tool: { input } });
      expect(outcome).toMatchObject({ status: 'refused', refusal: { code: 'bad_input' } });
      expect(executed).toEqual([]);
    }
  });

  it('with a key `__proto__` do not reach a prototype', async () => {
    const { outcome, executed } = await call(JSON.parse('{"path":"/w/a","__proto__":{"path":"/etc"}}'), {
      ...free,
      tool: { input: trusting },
    });
    expect(outcome.status).toBe('completed');
    expect(executed.map((args) => [Object.getPrototypeOf(args), Object.keys(args)])).toEqual([
      [Object.prototype, ['path', '__proto__']],
    ]);
  });

  it('are executed as described, even if the caller changes them meanwhile', async () => {
    const args = { path: '/w/a', list: [{ deep: 1 }] };
    const { box, executed } = stage({
      ...free,
      tool: {
        input: trusting,
        describe: async () => {
          args.path = '/etc/passwd';
          (args.list as { deep: number }[])[0] = { deep: 2 };
          await Promise.resolve();
          return { capabilities: [write('/w/a')] };
        },
      },
    });
    await box.call({ tool: 'put', args });
    expect(executed).toEqual([{ path: '/w/a', list: [{ deep: 1 }] }]);
  });

  it('are executed as described, even if a getter answers differently later', async () => {
    let reads = 0;
    const shifty = new Proxy(
      { path: '/w/a' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          reads += 1;
          return {
            ...Reflect.getOwnPropertyDescriptor(target, key),
            configurable: true,
            value: `/w/${reads}`,
          } as PropertyDescriptor;
        },
        get: () => {
          reads += 1;
          return `/w/${reads}`;
        },
      },
    );
    const described: unknown[] = [];
    const { box, executed } = stage({
      ...free,
      tool: {
        input: trusting,
        describe: (args) => {
          described.push({ ...args });
          return { capabilities: [write('/w/a')] };
        },
      },
    });
    await box.call({ tool: 'put', args: shifty });
    expect(executed.map((args) => ({ ...args }))).toEqual(described);
  });

  it('are refused if their schema does not return JSON', async () => {
    const odd = {
      json: {},
      parse: () => ({ ok: true, value: { run: () => 1 } }) as unknown as Parsed<JsonObject>,
    };
    const { outcome } = await call({ path: '/w/a' }, { ...free, tool: { input: odd } });
    expect(outcome).toMatchObject({ refusal: { code: 'bad_input' } });
  });

  it('are not changed for the caller by a mutating schema', async () => {
    const mine = { path: '/w/a' };
    const writing = {
      json: {},
      parse: (value: Json): Parsed<JsonObject> => {
        Object.assign(value as object, { path: '/etc' });
        return { ok: true, value: value as JsonObject };
      },
    };
    const { outcome } = await call(mine, { ...free, tool: { input: writing } });
    expect([mine, outcome]).toMatchObject([{ path: '/w/a' }, { refusal: { code: 'bad_input' } }]);
  });

  it('are refused if their schema throws', async () => {
    const odd = {
      json: {},
      parse: (): never => {
        throw new Error('a bug');
      },
    };
    const { outcome } = await call({ path: '/w/a' }, { ...free, tool: { input: odd } });
    expect(outcome).toMatchObject({ refusal: { code: 'bad_input' } });
  });

  it('cannot be changed by the tool, during or after description', async () => {
    const { outcome } = await call(
      { path: '/w/a', more: { deep: [1] } },
      {
        ...free,
        tool: {
          input: trusting,
          describe: (args) => {
            const { more } = args as unknown as { more: { deep: number[] } };
            expect(() => more.deep.push(2)).toThrow(TypeError);
            expect(() => Object.assign(args, { path: '/etc' })).toThrow(TypeError);
            return { capabilities: [write('/w/a')] };
          },
          execute: (args) => args,
        },
      },
    );
    expect(outcome).toMatchObject({ status: 'completed', result: { path: '/w/a', more: { deep: [1] } } });
  });

  it('are completed with defaults and stripped of unknown keys before description', async () => {
    const input = inputSchema(
      z.object({ path: z.string(), text: z.string().default('x') }) as z.ZodType<JsonObject>,
    );
    const { log, executed } = await call({ path: '/w/a', sneaky: true }, { ...free, tool: { input } });
    expect(executed).toEqual([{ path: '/w/a', text: 'x' }]);
    expect(log.of('decision')).toMatchObject([{ args: { path: '/w/a', text: 'x' } }]);
  });
});
