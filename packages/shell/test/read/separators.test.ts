// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { knownPaths } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { root, says, describe: described } = project({ a: '', f: '', 'a f': '', 'src/x.ts': '' });
const byLine = "IFS=$'\\n'";

/** The files that it certainly reads. */
async function reads(line: string): Promise<readonly string[]> {
  const capabilities = await described(line);
  expect(capabilities.filter(({ name }) => name === 'proc.exec.opaque')).toEqual([]);
  const paths = capabilities.flatMap(({ name, path }) => (name === 'fs.read' ? knownPaths(path) : []));
  return paths.map((path) => path.slice(root.length + 1));
}

describe('shell.run › words that are split by line', () => {
  it.each<readonly [string, readonly string[]]>([
    ['x="a f"; cat $x', ['a', 'f']],
    ['cat${IFS}a', ['a']],
    [`${byLine}; x="a f"; cat $x`, ['a f']],
    [`${byLine}; x=$'a\\nf'; cat $x`, ['a', 'f']],
    [`${byLine}; cat \${x:-a f}`, ['a f']],
    [`${byLine}; set -- a f; cat "$@"`, ['a', 'f']],
    [`f() { ${byLine}; }; f; x="a f"; cat $x`, ['a f']],
    [`(${byLine}); x="a f"; cat $x`, ['a', 'f']],
    [`${byLine}; x="a f"; bash -c "cat $x"`, ['a', 'f']],
    [`old=$IFS; ${byLine}; IFS=$old; x="a f"; cat $x`, ['a', 'f']],
    [`${byLine}; for x in $(cd src && ls); do cat src/$x; done`, ['src/x.ts']],
    [`${byLine}; while read -r x; do cat "src/$x"; done < <(ls src)`, ['src/x.ts']],
  ])('names files as bash does: %s', async (line, files) => {
    expect(await reads(line)).toEqual(files);
  });

  it.each([
    `[ -e f ] && ${byLine}; x="a f"; cat $x`,
    `while [ -e f ]; do ${byLine}; done; x="a f"; cat $x`,
    `trap 'cat $x' EXIT; x="a f"; ${byLine}`,
    `${byLine}; set -- a f; cat $*`,
    `${byLine}; set -- a f; cat "$*"`,
    `${byLine}; x=(a f); cat \${x[@]}`,
    `${byLine}; read -r x y < f; cat $x`,
    `${byLine}; read -r -d '' x < f; cat "$x"`,
    `${byLine}; unset IFS; x="a f"; cat $x`,
    `export ${byLine}; x="a f"; cat $x`,
    'IFS=; x="a f"; cat $x',
    'IFS=/; x=src/x.ts; cat $x',
    'IFS=$(cat f); x="a f"; cat $x',
    'IFS+=f; x=afa; cat $x',
    "sh -c \"IFS='\n'; x='a f'; cat \\$x\"",
  ])('are not described: %s', async (line) => {
    expect(await says(line)).toContainEqual(expect.stringMatching(/^proc\.exec\.opaque/));
  });
});
