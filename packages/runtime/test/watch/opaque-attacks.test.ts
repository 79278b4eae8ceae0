import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLog } from '@ambit/audit';
import { findIsolation } from '@ambit/shell';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { calls, type Files, sessionAt, worker, workplace } from '../session.js';

const kind = await findIsolation();
if (kind === null)
  process.stderr.write('nothing confines commands here: attacks under isolation are NOT tested\n');

const policy = {
  version: 1,
  default: 'needs_approval',
  capabilities: { proc: { decision: 'pre_approved', below: true }, 'fs.read': 'pre_approved' },
};

/** Everything that guards the run lies in the root that may be written, except for the state folder beside it. */
async function attacked(script: string, isolation: 'off' | 'required') {
  const files: Files = {
    'policy.yaml': policy,
    'main.worker': worker({
      sandbox: { paths: { all: { root: '.', mode: 'rw' } } },
      toolsets: { shell: { isolation } },
    }),
    'script.yaml': {
      main: [
        calls(['run', { command: 'bash ./attack' }]),
        calls(['run', { command: 'cat keep' }]),
        { say: 'done' },
      ],
    },
    attack: `run=${process.pid}\nexec 8> ran\n${script}\necho ran >&8\nexit 0\n`,
    keep: 'kept',
  };
  const place = workplace(files);
  const session = await sessionAt(place, { mode: 'approve_all' });
  const guarded = ['policy.yaml', 'main.worker'].map((name) => place.text(name));
  const keys = keysIn(place.state);
  const result = await session.run({});
  await session.close();
  // The attack came to its end, in whatever folder its working folder is now.
  expect(place.text('ran')).toBe('ran\n');
  const isUntouched =
    JSON.stringify(guarded) ===
      JSON.stringify(['policy.yaml', 'main.worker'].map((name) => place.text(name))) &&
    keys === keysIn(place.state);
  const log = existsSync(session.log) ? await verifyLog(session.log) : null;
  return { ...result, place, isUntouched, log, said: place.text('said') };
}

function keysIn(state: string): string {
  const [folder = ''] = existsSync(state)
    ? readdirSync(state).filter((name) => name.startsWith('work-'))
    : [];
  const file = join(state, folder, 'log.key');
  return existsSync(file) ? readFileSync(file, 'hex') : '';
}

describe.skipIf(kind === null)('an opaque program under isolation', () => {
  const attacks: readonly (readonly [string, string])[] = [
    [
      'by their names',
      'for f in policy.yaml main.worker ../state/*/* ../state/log/*/*; do echo x >> $f; rm -f $f; done',
    ],
    ['by links', 'ln -s policy.yaml a; echo x >> a; ln policy.yaml b; echo x >> b; ln -f keep main.worker'],
    [
      'by renaming',
      'cp policy.yaml c; echo x >> c; mv -f c policy.yaml; mv main.worker d; mv ../state ../gone; mv ../work ../gone',
    ],
    [
      'by roots of processes',
      'for p in self 1 $PPID $run; do echo x >> /proc/$p/root$PWD/policy.yaml; done; for p in self 1 $PPID $run; do echo x >> /proc/$p/cwd/main.worker; done',
    ],
    [
      'by open files of processes',
      'for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in *.jsonl | *.yaml | *.key) echo x >> $f ;; esac; done',
    ],
    [
      'by mounts',
      'umount policy.yaml main.worker; mount --bind keep policy.yaml; mount -o remount,rw /; unshare -Urm bash -c "umount policy.yaml; mount -o remount,bind,rw policy.yaml; echo x >> policy.yaml"; unshare -Urm mount -t tmpfs tmpfs ../state',
    ],
  ];
  // All of them must fail: in one run, except in a deep run.
  const together = ['in all these ways', attacks.map(([, script]) => script).join('\n')] as const;
  it.each(isDeep ? attacks : [together])(
    'cannot change a file that guards the run: %s',
    async (_, script) => {
      const { status, isUntouched, log } = await attacked(script, 'required');
      expect({ status, isUntouched, ok: log?.ok }).toEqual({
        status: 'finished',
        isUntouched: true,
        ok: true,
      });
    },
  );

  it('cannot reach the process of the run by signals, ptrace or memory', async () => {
    const { status, said, log } = await attacked(
      `{ [ "$(tr '\\0' ' ' < /proc/$run/cmdline)" = "$(tr '\\0' ' ' < /proc/self/cmdline)" ] || kill -0 $run && echo signal
       perl -e 'exit(syscall(101, 16, $ARGV[0], 0, 0) == 0 ? 0 : 1)' $run && echo ptrace
       : < /proc/$run/mem && echo memory; } > said 2>/dev/null`,
      'required',
    );
    expect([status, said, log?.ok]).toEqual(['finished', '', true]);
  });

  it('is detected if it creates a missing guarded file', async () => {
    for (const script of ['cp main.worker new.worker', 'echo "{}" > ambit.yaml']) {
      const { status, why } = await attacked(script, 'required');
      expect([status, why]).toEqual([
        'stopped',
        expect.stringMatching(/^a guarded file changed: .* appeared; look at it, /),
      ]);
    }
  });
});

describe('an unconfined opaque program', () => {
  it.each<readonly [string, string]>([
    ['a worker file through a hard link', 'ln main.worker h; echo >> h'],
    ['one through an open descriptor', 'exec 9>> main.worker; echo >&9'],
    ['one through a link in /proc', 'echo >> /proc/self/cwd/main.worker'],
    ['one through the root of its parent', 'echo >> /proc/$PPID/root$PWD/main.worker'],
    ['the key of the log', 'echo x > ../state/work-*/log.key'],
    ['the log, removed', 'rm ../state/log/*/*.jsonl'],
    ['the log, replaced', 'for f in ../state/log/*/*.jsonl; do cp $f f; mv f $f; done'],
    ['the log, truncated', 'for f in ../state/log/*/*.jsonl; do : > $f; done'],
    ['the state folder, moved', 'mv ../state ../gone'],
    ['the policy, moved', 'mv policy.yaml p'],
  ])('is detected after it changed %s', async (_, script) => {
    const { status, why } = await attacked(script, 'off');
    expect([status, why]).toEqual([
      'stopped',
      expect.stringMatching(/a guarded file changed|the log|was removed, replaced or emptied/),
    ]);
  });
});

describe.each(['off', ...(kind === null ? [] : (['required'] as const))] as const)(
  'isolation %s',
  (isolation) => {
    it('cannot type into a terminal', async () => {
      // TIOCSTI, into the terminal of the program and into every other one.
      const type = `perl -e 'for (@ARGV) { open(my $t, "+<", $_) or next; print "$_\\n" if ioctl($t, 0x5412, "x") }' /dev/tty > said`;
      const { status, said } = await attacked(type, isolation);
      expect([status, said]).toEqual(['finished', '']);
    });
  },
);
