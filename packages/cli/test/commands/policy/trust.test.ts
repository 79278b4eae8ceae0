import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBelowRun } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const policy = (decision: string) =>
  `version: 1\nextends: [org.yaml]\ndefault: blocked\ncapabilities: { fs.read: ${decision}, fs.list: pre_approved }\n`;
const files = { 'policy.yaml': policy('needs_approval'), 'org.yaml': 'version: 1\ndefault: pre_approved\n' };

function place() {
  const [folder, state] = [folderOf(files), join(folderOf(), 'state')];
  const trust = (answer: string | null, ...argv: readonly string[]) =>
    ambit(['trust', ...argv], {
      folder,
      environment: { AMBIT_HOME: state },
      ...(answer === null ? {} : { isTerminal: true, stdin: answer }),
    });
  return { folder, state, trust, write: (text: string) => writeFileSync(join(folder, 'policy.yaml'), text) };
}

describe('trust', () => {
  it('shows a new file’s permissions, asks, and stores its text with extended files', async () => {
    const { folder, state, trust } = place();
    const { exit, err } = await trust('y\n');
    expect(exit).toBe(0);
    expect(err).toContain('policy.yaml is not trusted yet; this is what it decides\n');
    expect(err).toMatch(/RUNS, without a question\n {2}fs\.list/);
    expect(err).not.toContain('looser');
    expect(err).toContain('trust policy.yaml? [y/N]');
    const [name = ''] = readdirSync(join(state, 'trust'));
    const kept = JSON.parse(readFileSync(join(state, 'trust', name), 'utf8'));
    expect(kept.files.map(({ source }: { source: string }) => source)).toEqual([
      files['policy.yaml'],
      files['org.yaml'],
    ]);
    expect(statSync(join(state, 'trust', name)).mode & 0o777).toBe(0o600);
    const again = await trust('');
    expect([again.exit, again.err]).toEqual([
      0,
      expect.stringMatching(/^policy.yaml is unchanged since .* trusted it at /),
    ]);
    expect((await trust(null, '--list')).out).toMatch(
      new RegExp(`  ${join(folder, 'policy.yaml')}  2 texts\n$`),
    );
  });

  it('lists a file without extended files with its one text', async () => {
    const { trust, write } = place();
    write('version: 1\ndefault: blocked\n');
    await trust('y\n');
    expect((await trust(null, '--list')).out).toMatch(/policy\.yaml {2}1 text\n$/);
  });

  it('shows changes since then, looser classes first', async () => {
    const { trust, write } = place();
    await trust('yes\n');
    write(policy('pre_approved').replace('fs.list: pre_approved', 'fs.list: blocked'));
    const { exit, err } = await trust('y\n', 'policy.yaml');
    expect(exit).toBe(0);
    const at = ['looser: fs.read', 'stricter: fs.list'].map((words) => err.indexOf(words));
    expect(at.every((index) => index > 0) && (at[0] ?? 0) < (at[1] ?? 0)).toBe(true);
  });

  it('shows findings before it asks, and doctor counts them', async () => {
    const { folder, state, trust, write } = place();
    write(
      'version: 1\ndefault: needs_approval\ncapabilities: { sercet.read: blocked, shell.run: blocked }\n',
    );
    const { err } = await trust('y\n');
    const [first = '', ...rest] = err.slice(err.indexOf('2 findings of `ambit check`')).split('\n');
    expect(first).toBe('2 findings of `ambit check`, so a rule may not do what it says');
    expect(rest.join('\n')).toMatch(/UNKNOWN_CAPABILITY .*`secret\.read`.*`shell` is a toolset.*\[y\/N\]/s);
    const { out } = await ambit(['doctor'], { folder, environment: { AMBIT_HOME: state } });
    const file = join(folder, 'policy.yaml');
    expect(out).toContain(
      `open  machine: ${file} is trusted, with 2 findings: a rule may not do what it says (ambit check ${file})\n`,
    );
  });

  it('notices a change of an extended file', async () => {
    const { folder, trust } = place();
    await trust('y\n');
    writeFileSync(join(folder, 'org.yaml'), 'version: 1\ndefault: needs_approval\n');
    expect((await trust('n\n')).err).toMatch(/^changes in policy.yaml since .* trusted it at /);
  });

  it.each(['n\n', '\n', ''])('does not trust without a yes: %j', async (answer) => {
    const { trust } = place();
    expect(await trust(answer)).toMatchObject({ exit: 1, err: expect.stringContaining('not trusted: ') });
    expect((await trust(null, '--list')).out).toBe('no policy file is trusted\n');
  });

  it('refuses without a terminal, and refuses an invalid file', async () => {
    const { trust, write } = place();
    expect(await trust(null)).toMatchObject({ exit: 2, err: expect.stringContaining('cannot ask') });
    write('version: 1\ndefault: alow\n');
    expect((await trust('y\n')).exit).toBe(2);
    expect((await trust('y\n', 'other.yaml')).exit).toBe(2);
    expect((await trust(null, '--list', '--json')).out).toBe('[]\n');
  });

  it('can revoke trust', async () => {
    const { trust } = place();
    await trust('y\n');
    expect((await trust(null, '--revoke', 'policy.yaml')).exit).toBe(0);
    expect((await trust(null, '--revoke', 'policy.yaml')).exit).toBe(1);
  });

  it('takes policy.yaml of the work tree in a folder of it', async () => {
    const { folder, state } = place();
    for (const name of ['.git', 'src']) mkdirSync(join(folder, name));
    const given = { folder: join(folder, 'src'), environment: { AMBIT_HOME: state } };
    const found = await ambit(['doctor'], given);
    expect(found.out).toContain(`${folder}/policy.yaml was never trusted`);
    const { exit } = await ambit(['trust'], { ...given, isTerminal: true, stdin: 'y\n' });
    expect(exit).toBe(0);
    expect((await ambit(['trust', '--list'], given)).out).toContain(`${folder}/policy.yaml`);
  });

  it('refuses a state folder that others could write', async () => {
    const { state, trust } = place();
    await trust('y\n');
    chmodSync(state, 0o777);
    for (const argv of [['--list'], ['--revoke', 'policy.yaml']])
      expect(await trust(null, ...argv)).toMatchObject({
        exit: 2,
        err: expect.stringContaining('chmod 700'),
      });
    expect(await trust('y\n')).toMatchObject({ exit: 2, err: expect.not.stringContaining('[y/N]') });
  });
});

describe('processes below the driver of a run', () => {
  it('include a child with another environment, and exclude a sibling', async () => {
    const state = folderOf({});
    const begun = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    const parent = spawn('sh', ['-c', 'env -i setsid sleep 1000 & sleep 1000'], { detached: true });
    const sibling = spawn('sleep', ['1000']);
    try {
      const [top = 0, other = 0] = [parent.pid, sibling.pid];
      const child = await childOf(top);
      const environment = { AMBIT_HOME: state };
      expect(await isBelowRun(environment, child)).toBe(false);
      note(`${top}-run`, begun(top) ?? '');
      expect([await isBelowRun(environment, child), await isBelowRun(environment, other)]).toEqual([
        true,
        false,
      ]);
      // The number was given to another process since.
      note(`${top}-run`, '1');
      expect(await isBelowRun(environment, child)).toBe(false);
    } finally {
      process.kill(-(parent.pid ?? 0), 'SIGKILL');
      sibling.kill('SIGKILL');
      for (const pid of left) process.kill(pid, 'SIGKILL');
    }

    function note(name: string, text: string): void {
      mkdirSync(join(state, 'running'), { recursive: true });
      writeFileSync(join(state, 'running', name), text);
    }
  });
});

/** Processes in sessions of their own. */
const left: number[] = [];

async function childOf(pid: number): Promise<number> {
  for (;;) {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const [child] = text
      .trim()
      .split(' ')
      .filter((one) => one !== '')
      .map(Number);
    if (child !== undefined && readFileSync(`/proc/${child}/comm`, 'utf8') === 'sleep\n') {
      left.push(child);
      return child;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}
