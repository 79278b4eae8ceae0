import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ambit } from '../host.js';

/** What bash offers for the words of a line, the last of which is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await ambit(['completion', 'bash']);
  const line = ['ambit', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _ambit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  return ran.stdout.trim().split('\n');
}

describe('ambit completion', () => {
  it('offers commands, subcommands and options in bash', async () => {
    expect(await offered('ru')).toEqual(['run', 'runs']);
    expect(await offered('log', 've')).toEqual(['verify']);
    expect(await offered('log', 'verify', '--re')).toEqual(['--redecide']);
    expect(await offered('check', '--json', '--too')).toEqual(['--toolset']);
  });

  it('prints the script as a JSON document', async () => {
    const [{ out }, plain] = await Promise.all([
      ambit(['completion', 'fish', '--json']),
      ambit(['completion', 'fish']),
    ]);
    expect(JSON.parse(out)).toEqual({ shell: 'fish', script: plain.out });
  });

  it('prints scripts for zsh and fish, and refuses other shells', async () => {
    expect((await ambit(['completion', 'zsh'])).out).toContain('bashcompinit');
    const fish = await ambit(['completion', 'fish']);
    expect(fish.out).toContain("complete -c ambit -n '__fish_seen_subcommand_from log' -f -a verify");
    expect((await ambit(['completion', 'tcsh'])).exit).toBe(2);
    expect((await ambit(['completion'])).exit).toBe(2);
  });
});
