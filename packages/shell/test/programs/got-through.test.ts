import { describe, expect, test } from 'vitest';
import { unknown } from '../../src/word.js';
import { deedOf, effectsOf } from './scene.js';

/** Lines that do more than they seem to. Each is opaque, or says what it does. */
const rows: readonly (readonly [line: string, ...effects: readonly string[]])[] = [
  ['strings @F', 'opaque'],
  ['strings -n @F x', 'opaque'],
  ['nm @F', 'opaque'],
  ['objdump -- @F', 'opaque'],
  ['readelf @F', 'opaque'],
  ['size @F', 'opaque'],
  ['ar t @F', 'opaque'],
  ['objdump -S a.o', 'read a.o', 'read ?'],
  ['nm --plugin F a', 'opaque'],
  ['man ./F', 'opaque'],
  ['man -l F', 'opaque'],
  ['man -P id ls', 'run id'],
  ['man -H ls', 'opaque'],
  ['fd -x rm', 'opaque'],
  ['fd -X chmod 777', 'opaque'],
  ['tree --gitfile F', 'read F'],
  ['tree --infofile F', 'opaque'],
  ['tree --fromfile F', 'opaque'],
  ['tree -Po x evil', 'opaque'],
  ['du -X F', 'read F'],
  ['du --files0-from=F', 'read F', 'list ?/**'],
  ['md5sum -c F', 'read F', 'read ?'],
  ['sha256sum --check F', 'read F', 'read ?'],
  ['cksum -c F', 'read F', 'read ?'],
  ['shasum -c F', 'read F', 'read ?'],
  ['getent shadow', 'read /etc/shadow'],
  ['getent -s files passwd', 'opaque'],
  ['chattr -i F', 'meta F'],
  ['chattr -R +i F', 'meta F/**'],
  ['sysctl -n ../../F', 'opaque'],
  ['sysctl -p F', 'opaque'],
  ['sysctl kernel.x=1', 'sys.admin kernel'],
  ['hexdump -f F', 'read F'],
  ['hexdump -fF x', 'read F', 'read x'],
  ['wc --files0-from F', 'read F', 'read ?'],
  ['wc --files0-from=- ', 'read ?'],
  ['xz --files=F', 'read F', 'opaque'],
  ['xz --files', 'opaque'],
  ['zip -x@F a.zip d', 'opaque'],
  ['zip -x @F a.zip d', 'opaque'],
  ['zip -x p q @ a.zip d', 'opaque'],
  ['zip a.zip d -TT id', 'run id'],
  ['zip -rlf out a.zip d', 'opaque'],
  ['zip a d', 'write a.zip', 'read d/**'],
  ['zip a.x d', 'write a.x', 'read d/**'],
  ['7z a a.7z @F', 'opaque'],
  ['7z x a.7z -o/out', 'read a.7z', 'write /out/** by argument'],
  ['7z x a.7z -spf', 'opaque'],
  ['sort --files0-from=F', 'read F', 'read ?'],
  ['sort --compress-program=id F', 'run id', 'read F'],
  ['cp --target-directory=d F', 'read F', 'write d/F'],
  ['cp --target=d F', 'opaque'],
  ['head -5c F', 'opaque'],
  ['head --line=5 F', 'opaque'],
  ['split -l 5 F /out/x', 'read F', 'write {}'],
  ['split --filter=id F', 'code sh id'],
  ['file -f F', 'read F', 'read ?'],
  ['file -m F x', 'opaque'],
  ['file -C -m F', 'opaque'],
  ['xargs -a F rm', 'read F', 'opaque'],
  ['xargs rm', 'run rm + blanks'],
  ['xargs --process-slot-var=PATH ls', 'opaque'],
  ['env -S "id"', 'opaque'],
  ['env LD_PRELOAD=x ls', 'variable LD_PRELOAD=x', 'run ls'],
  ['env', 'env.read'],
  ['strace -o |id ls', 'opaque'],
  ['strace -o F ls', 'write F by argument', 'run ls'],
  ['watch -n 1 id', 'code sh id'],
  ['flock F -c id', 'write F', 'code sh id'],
  ['flock F id', 'write F', 'run id'],
  ['timeout 5 id', 'run id'],
  ['nohup id', 'run id'],
  ['sudo -e F', 'opaque'],
  ['sudo -u me id', 'priv.escalate sudo', 'run id'],
  ['su me F', 'opaque'],
  ['ack --pager=id x', 'opaque'],
  ['rg --pre id x', 'opaque'],
  ['ag --pager id x', 'opaque'],
  ['grep -f F', 'read F'],
  ['less -k F', 'opaque'],
  ['less +!id F', 'opaque'],
  ['less -o F', 'write F by argument'],
  ['bat --pager id F', 'run id', 'read F'],
  ['date -s 12:00', 'sys.admin clock'],
  ['date 12310000', 'sys.admin clock'],
  ['date -f F', 'read F'],
  ['hostname evil', 'sys.admin hostname'],
  ['mount F /mnt', 'opaque'],
  ['tar -cf a.tar -T F', 'opaque'],
  ['tar -xf a.tar --to-command=id', 'code sh id'],
  ['tar -cf a.tar --checkpoint-action=exec=id d', 'code sh id'],
  ['tar -cf a.tar -I id d', 'run id'],
  ['gzip F', 'read F', 'write F.gz', 'delete F'],
  ['gunzip F', 'opaque'],
  ['gunzip F.gz', 'read F.gz', 'write F', 'delete F.gz'],
  ['zcat F', 'read F', 'read F.gz'],
  ['xz -S .x F', 'opaque'],
  ['rsync -a --files-from=F . d', 'read F', 'opaque'],
  ['rsync -e id a h:b', 'run id'],
  ['rsync --delete a/ d', 'read a//**', 'write d/**', 'delete d/**'],
  ['xmllint --noent F', 'opaque'],
  ['xmllint --shell F', 'opaque'],
  ['jq -L d . F', 'opaque'],
  ['jq -f F a', 'load F', 'read a'],
  ['jq --args . F', 'read F'],
  ['awk -f F a', 'load F', 'read a'],
  ['awk -i inplace x F', 'opaque'],
  ['gawk -i inplace x F', 'opaque'],
  ['sed -f F a', 'load F', 'read a'],
  ['sed -i.bak s/a/b/ F', 'read F', 'write F', 'write F.bak'],
  ['xxd F out', 'read F', 'write out'],
  ['uniq F out', 'read F', 'write out'],
  ['tee F', 'write F'],
  ['dd if=F of=out', 'read F', 'write out'],
  ['dd evil=F', 'opaque'],
  ['ln -s ../F', 'write ./**'],
  ['mktemp', 'write {}'],
  ['mktemp -p d x.XXXXXX', 'write {}', 'write d/** by argument'],
  ['install -s F /out', 'run strip', 'read F', 'write /out/**'],
  ['patch -p1', 'write ./**', 'delete ./**'],
  ['patch -d d -i F', 'read F in d'],
  ['patch -e F', 'opaque'],
  ['diff3 --diff-program=id a b c', 'run id'],
  ['diff -l a b', 'opaque'],
  ['diff a b', 'read a/**', 'read b/**'],
  ['chmod u+s F', 'priv.escalate chmod', 'meta F'],
  ['chmod -R 755 d', 'meta d/**'],
  ['chown -RL me d', 'opaque'],
  ['rm -i F', 'opaque'],
  ['rmdir -p a/b', 'opaque'],
  ['kill -9 1', 'proc.signal 1'],
  ['pkill -f name', 'proc.signal name'],
  ['killall name', 'proc.signal name'],
  ['ps e', 'env.read'],
];

/** What is opaque and has no entry. */
const absent = ['xdg-user-dir', 'aspell', 'dialog', 'espeak', 'parallel', 'busybox', 'script-fu', 'ldd'];

describe('what got through', () => {
  test.each(rows)('%s', (line, ...effects) => {
    const [name = '', ...words] = line.trim().split(' ');
    const found = effectsOf(name, words);
    if (!found.includes('opaque')) expect(found).toStrictEqual(expect.arrayContaining(effects));
  });

  test.each(['grep', 'cat', 'strings', 'tar', 'sort', 'xargs', 'env', 'zip'])(
    '%s with a word that may be any option is never harmless',
    (name) => {
      const { effects } = deedOf(name, [unknown('$x'), 'a']);
      expect(effects).not.toStrictEqual([]);
    },
  );

  test.each(absent)('%s is not in the table, or is opaque', (name) => {
    const found = ((): readonly string[] => {
      try {
        return effectsOf(name, ['a']);
      } catch {
        return ['opaque'];
      }
    })();
    expect(found.some((each) => each === 'opaque' || each.startsWith('code '))).toBe(true);
  });
});
