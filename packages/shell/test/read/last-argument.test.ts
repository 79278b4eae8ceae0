import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { says } = project({ 'a.txt': 'a', 'b.txt': 'b', x: '', 'dir/': '' });

describe('`$_`', () => {
  it.each([
    ['mkdir new && touch $_/x', 'fs.write new/x (touch)'],
    ['cp a.txt c.txt; cat "$_"', 'fs.read c.txt (cat)'],
    ['true a.txt; export Y=x; cat $_', 'fs.read Y=x (cat)'],
    ['true {x,b}.txt; cat $_', 'fs.read b.txt (cat)'],
    ['cd dir && touch x; cat ../a.txt || cat $_', 'fs.read a.txt (cat)'],
    ['ls x; ls ./a.txt && ls dir && cd $_ && touch y', 'fs.write dir/y (touch)'],
  ])('is the last argument of the command before: %s', async (line, said) => {
    const found = await says(line);
    expect(found).toContain(said);
    expect(found.filter((each) => /opaque|and others/.test(each))).toEqual([]);
  });

  it.each([
    'true a.txt | cat; cat $_',
    'true a.txt & cat $_',
    'true x && true a.txt; cat $_',
    'true x || true b.txt && cat $_',
    'for i in 1 2; do cat $_; true a.txt; done',
    'f() { cat $_; }; true a.txt; f x',
    'true a.txt; x=1; cat $_',
    'true a.txt; _=b.txt; cat $_',
    'if true x; then true a.txt; elif cat $_; then true; fi',
    "trap 'true b.txt' USR1; true a.txt; cat $_",
    'true b.txt; : $((1 / 0)) a.txt\ncat $_',
    "true a.txt; sh -c 'cat $_'",
  ])('is unknown where another command may be the last one: %j', async (line) => {
    expect((await says(line)).join('\n')).toMatch(/opaque|and others/);
  });
});
