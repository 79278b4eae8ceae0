import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { removeWhole } from '../../../../test/remove-whole.js';
import { ambit } from '../host.js';

const program = fileURLToPath(new URL('../../dist/launch.cjs', import.meta.url));
const agent = fileURLToPath(new URL('small-agent.mjs', import.meta.url));

interface Line {
  readonly about: string;
  readonly state: string;
  readonly message: string;
  readonly help: string | null;
}

const places: Place[] = [];
afterAll(() => Promise.all(places.map(({ base }) => removeWhole(base))));

/** A home with a small agent in place of Claude Code, and a project. */
class Place {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'doctor-')));
  readonly home = join(this.base, 'home');
  readonly project = join(this.base, 'project');
  readonly state = join(this.base, 'state');

  constructor() {
    places.push(this);
    for (const name of ['home', 'project/.git', 'bin']) mkdirSync(join(this.base, name), { recursive: true });
    copyFileSync(agent, join(this.base, 'bin/claude'));
    chmodSync(join(this.base, 'bin/claude'), 0o755);
    this.write(
      'policy.yaml',
      'version: 1\ndefault: needs_approval\ncapabilities:\n  proc.exec: pre_approved\n',
    );
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.base, name)), { recursive: true });
    writeFileSync(join(this.base, name), text);
  }

  run(args: readonly string[], env: Record<string, string> = {}) {
    return new Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }>(
      (resolve) => {
        const path = [join(this.base, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
        execFile(
          process.execPath,
          [program, ...args],
          { cwd: this.project, env: { HOME: this.home, AMBIT_HOME: this.state, PATH: path, ...env } },
          (error, stdout, stderr) =>
            resolve({ stdout, stderr, exit: typeof error?.code === 'number' ? error.code : 0 }),
        );
      },
    );
  }

  install(env: Record<string, string> = {}) {
    return this.run(['hook', 'install', 'claude-code', '--policy', join(this.base, 'policy.yaml')], env);
  }

  async doctor(env: Record<string, string> = {}) {
    const { exit, stdout } = await this.run(['doctor', 'claude-code', '--json'], env);
    const lines = (JSON.parse(stdout) as Line[]).filter(({ about }) => about === 'claude-code');
    return { exit, bad: lines.filter(({ state }) => state === 'bad').map(({ message }) => message), lines };
  }
}

// Together: each mostly waits for its agent.
describe.concurrent('ambit doctor', () => {
  it('confirms that an installed hook is in force, and lists open points', async () => {
    const place = new Place();
    expect(await place.doctor()).toMatchObject({ exit: 1, bad: ['no hook of Ambit is in its settings'] });
    const newer = { CLAUDE_CODE_TEST_VERSION: '2.1.332' };
    expect(await place.install(newer)).toMatchObject({ exit: 0 });
    const { exit, bad, lines } = await place.doctor(newer);
    expect(bad).toEqual([]);
    expect(exit).toBe(0);
    const messages = lines.map(({ state, message }) => `${state} ${message}`);
    expect(messages).toContain('ok in force: a marker command was blocked, is in the log, and did not run');
    expect(messages).toContain('ok the log has every tool use of the sessions since the hook was installed');
    const open = messages.filter((each) => each.startsWith('open')).join();
    expect(open).toContain('disableAllHooks');
    expect(open).not.toContain('skill');
    const file = join(place.home, '.claude/settings.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('PreSkillShellCommand', 'Notification'));
    const earlier = (await place.doctor(newer)).lines.map(({ state, message }) => `${state} ${message}`);
    expect(earlier).toContain('open commands in the text of a skill reach no hook: install the hook again');
  });

  it.skipIf(!isDeep)(
    'writes no event that the version of Claude Code lacks, and says what that leaves open',
    async () => {
      const place = new Place();
      await place.install();
      expect(readFileSync(join(place.home, '.claude/settings.json'), 'utf8')).not.toContain('PreSkill');
      const said = async (version: string) =>
        (await place.doctor({ CLAUDE_CODE_TEST_VERSION: version })).lines
          .map(({ message }) => message)
          .filter((each) => each.includes('skill'));
      expect(await said('2.1.331')).toEqual([
        'commands in the text of a skill reach no hook before Claude Code 2.1.332',
      ]);
      expect(await said('2.1.332')).toEqual([
        'commands in the text of a skill reach no hook: install the hook again',
      ]);
    },
  );

  it.skipIf(!isDeep)('reports that the agent ignores the hook, and lists the unguarded session', async () => {
    const place = new Place();
    await place.install();
    const { exit, bad, lines } = await place.doctor({ CLAUDE_CODE_TEST_IGNORES: '1' });
    expect(exit).toBe(1);
    expect(lines.find(({ message }) => message.startsWith('unguarded'))?.help).toContain('could not judge');
    expect(bad[0]).toBe('not in force: a command that the policy blocks ran, and the log lacks it');
    expect(bad[1]).toMatch(/^unguarded session small-\d+: the log lacks 1 of 1 tool uses/);
    expect(readdirSync(place.state).filter((name) => name.startsWith('doctor-'))).toEqual([]);
  });

  it.skipIf(!isDeep)('says "not protected" if another hook may rewrite the call', async () => {
    const place = new Place();
    await place.install();
    const hook = { type: 'command', command: '/usr/bin/rewrite hook claude-code' };
    const hooks = { PreToolUse: [{ matcher: '*', hooks: [hook] }] };
    place.write('project/.claude/settings.json', JSON.stringify({ hooks, disableAllHooks: true }));
    const { exit, bad } = await place.doctor();
    expect(exit).toBe(1);
    expect(bad.join('\n')).toContain('not protected: the hook `/usr/bin/rewrite hook claude-code`');
    expect(bad.join('\n')).toContain('hooks are switched off');
  });

  it.skipIf(!isDeep)('reports a hook that always fails as not in force', async () => {
    const place = new Place();
    await place.install();
    rmSync(join(place.base, 'policy.yaml'));
    const { exit, bad } = await place.doctor();
    expect(exit).toBe(1);
    expect(bad[0]).toContain('not proved');
    expect(bad[0]).toContain('policy.yaml');
  });

  it.skipIf(!isDeep)('installs no hook for an untested version, unless asked', async () => {
    const place = new Place();
    const args = ['hook', 'install', 'claude-code'];
    const env = { CLAUDE_CODE_TEST_VERSION: '2.2.0' };
    for (const version of ['2.2.0', '2.1.328', '2.1.33', '2.10.329', '3.1.400']) {
      const refused = await place.run(args, { CLAUDE_CODE_TEST_VERSION: version });
      expect([refused.exit, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`claude-code ${version} was not tested`),
      ]);
    }
    expect((await place.run(args, { PATH: '/usr/bin' })).stderr).toMatch(
      /no program `claude` on the search path: .*\nhint: install claude-code first, or give --any-version/,
    );
    expect(readdirSync(place.home)).toEqual([]);
    const newer = await place.run([...args, '--dry-run'], { CLAUDE_CODE_TEST_VERSION: '2.1.1000' });
    expect(newer).toMatchObject({ exit: 0 });
    expect(await place.run([...args, '--any-version'], env)).toMatchObject({ exit: 0 });
    const text = readFileSync(join(place.home, '.claude/settings.json'), 'utf8');
    expect(text).toContain(`${join(place.base, 'bin')}:`);
  });

  it('works for a user without an entry in the list of users, as in a container', async () => {
    const place = new Place();
    place.write('none.cjs', "require('os').userInfo = () => { throw new Error('no entry'); };");
    const { exit, stdout } = await place.run(['doctor', '--json'], {
      NODE_OPTIONS: `--require=${join(place.base, 'none.cjs')}`,
    });
    expect([exit, stdout]).toEqual([1, expect.stringContaining('no agent has a hook of Ambit')]);
  });

  it('refuses an unknown agent', async () => {
    const { exit, err } = await ambit(['doctor', 'constructor']);
    expect([exit, err]).toEqual([2, expect.stringContaining('`constructor` is not a client')]);
  });
});
