import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { describeLineIn } from '../src/index.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-inherited-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = { folder, home: '/nowhere', searchPath: ['/usr/bin', '/bin'] };
const namesOf = async (line: string) => (await describeLineIn(line, at)).map(({ name }) => name);

describe('a line that another program starts with its own variables', () => {
  it.each([
    ['cat "$f"', 'fs.read.outside'],
    ['rm -rf $d/cache', 'fs.delete.outside'],
    [`sh -c 'cat "$f"'`, 'fs.read.outside'],
    ['$tool --version', 'proc.exec.opaque'],
    [': $((n))', 'proc.exec.opaque'],
    ['[ -f a ] && n=1; : $((n + 1))', 'proc.exec.opaque'],
    ['sh -c "cat $f"', 'proc.exec.opaque'],
    ['if [ -f a ]; then f=a; fi; rm "$f"', 'fs.delete.outside'],
  ])('knows nothing of an unset variable: `%s`', async (line, name) => {
    expect(await namesOf(line)).toContain(name);
  });

  it('knows the variables that the line assigns', async () => {
    expect(await namesOf('f=a.txt; cat "$f"')).not.toContain('proc.exec.opaque');
  });

  it('makes temporary files where they say', async () => {
    vi.stubEnv('TMPDIR', '.git/hooks');
    const said = await describeLineIn('mktemp', at).finally(() => vi.unstubAllEnvs());
    const path = `${folder}/.git/hooks/tmp.XXXXXXXXXX`;
    expect(said).toContainEqual({ name: 'sys.persist', what: 'git hooks and settings', path });
  });

  it.each(['http_proxy=http://a.example; curl http://b.example', 'npm_config_registry=x; npm ls'])(
    'does not describe a change of what programs read: `%s`',
    async (line) => {
      expect(await namesOf(line)).toContain('proc.exec.opaque');
    },
  );
});
