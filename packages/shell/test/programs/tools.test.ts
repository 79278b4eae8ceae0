import { describe, expect, test } from 'vitest';
import { effectsOf } from './context.js';

/** The effects of a line without quotes, in a short form. */
function doing(line: string): readonly string[] {
  const [name = '', ...words] = line.split(' ');
  return effectsOf(name, words);
}

describe('programs that run code', () => {
  test.each([
    ['node -e x()', ['code js x()', 'opaque']],
    ['node -p x()', ['code js x()', 'opaque']],
    ['node a.js x', ['load a.js', 'opaque']],
    ['node -r ./x a.js', ['load ./x', 'load a.js', 'opaque', 'opaque']],
    ['node --check a.js', ['opaque']],
    ['zgrep -f p', ['read p', 'opaque']],
    ['node --test', ['opaque']],
    ['node', ['code js ? from input', 'opaque']],
    ['node --version', []],
    ['python3 -c x()', ['code python x()', 'opaque']],
    ['python3.12 -c x()', ['code python x()', 'opaque']],
    ['python3 a.py x', ['load a.py', 'opaque']],
    ['python3', ['code python ? from input', 'opaque']],
    ['python3 -m json.tool', ['opaque']],
    ['python3 -W error::x.Y -c 1', ['opaque']],
    ['python3 -m http.server 8000', ['net.listen 8000', 'read ./**', 'opaque']],
    ['perl -e unlink', ['code perl unlink', 'opaque']],
    ['perl -pi -e s/a/b/e f g', ['code perl s/a/b/e', 'read f', 'write f', 'read g', 'write g', 'opaque']],
    ['perl -pie s/a/b/ f', ['load s/a/b/', 'opaque']],
    ['perl -ne unlink f', ['code perl unlink', 'read f', 'opaque']],
    ['ruby -e x', ['code ruby x', 'opaque']],
    ['sh -c ls', ['code sh ls']],
    ['bash -euo pipefail -c ls', ['code bash ls']],
    ['bash x.sh a', ['load x.sh', 'opaque']],
    ['bash', ['code bash ? from input']],
    ['bash -s a', ['code bash ? from input']],
    ['bash -i', ['code bash ? from input', 'opaque']],
    ['bash -opipefail errexit -c ls', ['opaque']],
    ['bash -oe pipefail -c ls', ['opaque']],
    ['bash -lc ls', ['code bash ls', 'opaque']],
    ['bash --login -c ls', ['code bash ls', 'opaque']],
    ['sh -ilc ls', ['code sh ls', 'opaque']],
    ['bash -fc ls', ['opaque']],
    ['bash -O extglob -c ls', ['opaque']],
    ['bash --rcfile x -c ls', ['opaque']],
  ])('describes `%s`', (line, effects) => {
    expect(doing(line)).toStrictEqual(effects);
  });
});

describe('package managers, builds and tests', () => {
  test.each([
    ['npm ci', ['connect ?', 'opaque']],
    ['npm test', ['opaque']],
    ['npm run build -- --watch', ['opaque']],
    ['npm publish', ['list /project', 'read /project', 'connect ?', 'vcs.push', 'opaque']],
    ['npm --version', []],
    ['npm --prefix x pkg set a=b', ['read package.json in x', 'write package.json in x', 'opaque']],
    ['npx cowsay hi', ['opaque']],
    ['yarn --version', []],
    ['cargo --version', []],
    ['zig version', []],
    ['zig build', ['opaque']],
    ['dotnet --info', []],
    ['kubectl', ['opaque']],
    ['kubectl --help', ['opaque']],
    ['kubectl version --client', ['opaque']],
    ['kubectl --kubeconfig f version --client', ['opaque']],
    ['kubectl get pods', ['opaque']],
    ['pip install git+https://a.example/r', ['connect https://a.example/r', 'connect ?', 'opaque']],
    ['pip install -r r.txt', ['read r.txt', 'connect ?', 'opaque']],
    ['go vet -vettool=./evil ./...', ['opaque']],
    ['make -C /etc', ['opaque']],
    ['gcc -O2 -o build/main main.c', ['write build/main by argument', 'read main.c', 'opaque']],
    ['gcc @f', /opaque/],
    ['cmake -B . -S /w', ['write ./** by argument', 'list /w', 'opaque']],
    ['sqlite3 db .dump', ['opaque']],
    ['sqlite3 file:m?mode=rwc select', ['opaque']],
    ['sqlite3 -init f db', ['opaque']],
    ['psql -h db -c select', ['connect db', 'opaque']],
    ['docker ps', ['opaque']],
    ['docker push x', ['connect ?', 'vcs.push', 'opaque']],
    ['gh pr create --title x', ['vcs.push', 'connect ?', 'opaque']],
    ['gh issue comment 1 -b x', ['message.send', 'connect ?', 'opaque']],
    ['gh pr view 1', ['connect ?', 'opaque']],
    ['gh unknown', ['opaque']],
  ] as const)('describes `%s`', (line, effects) => {
    if (effects instanceof RegExp) expect(doing(line).join(' ')).toMatch(effects);
    else expect(doing(line)).toStrictEqual(effects);
  });
});

describe('programs that show and check files', () => {
  test.each([
    ['pv a - b', ['read a', 'read b']],
    ['pv -L 1m -s 12k -petn', []],
    ['pv -P pid a', ['write pid by argument', 'delete pid by argument', 'read a']],
    ['pv -R 1 -L 1', ['opaque']],
    ['pv -d 1:3', ['opaque']],
    ['pv -c a', ['opaque']],
    ['pv -K a', ['opaque']],
    ['namei -lx a /etc', ['list a', 'list /etc']],
    ['namei --file a', ['opaque']],
    ['isutf8 -q a b', ['read a', 'read b']],
    ['getopt -o ab: --long x,y -n f -- -a /etc', []],
    ['getopt ab: -x --file /etc', []],
    ['getopt --source /etc -o a', ['opaque']],
    ['zipinfo -1 a.zip b -x c', ['read c', 'read a.zip', 'read a.zip.zip', 'read a.zip.ZIP']],
    ['zipinfo a -U', ['opaque']],
  ])('describes `%s`', (line, effects) => {
    expect(doing(line)).toStrictEqual(effects);
  });
});

describe('programs that operate the machine', () => {
  test.each([
    ['crontab -l', ['read /var/spool/cron/**']],
    ['crontab f', ['read f', 'read /var/spool/cron/**', 'sys.persist cron', 'write /var/spool/cron/**']],
    ['crontab -', ['read /var/spool/cron/**', 'sys.persist cron', 'write /var/spool/cron/**']],
    ['crontab -T f', ['opaque']],
    ['systemctl status x', ['list /run/systemd', 'read /var/log/journal/**', 'read /run/log/journal/**']],
    ['systemctl start x', ['sys.admin services']],
    ['systemctl -H host start x', ['opaque']],
    ['systemctl edit x', ['opaque']],
    ['groupadd g', ['sys.admin users', 'write /etc/**']],
    ['useradd -R /x u', ['opaque']],
    ['apt install x', ['sys.admin packages', 'connect ?', 'opaque']],
    ['apt -o APT::Update::Pre-Invoke::=sh update', ['opaque']],
    ['apt-get -c f update', ['opaque']],
    ['dpkg -i a.deb', ['opaque']],
    ['ip addr show', []],
    ['ip -r neigh show', ['connect ?']],
    ['lsof -n -i:80', []],
    ['lsof -nP -i :80', []],
    ['lsof -i :80', ['connect ?']],
    ['lsof -t -i 6TCP@a.example:80', ['list 6TCP@a.example:80', 'connect ?']],
    ['lsof -n -iTCP', []],
    ['lsof -ti:80', []],
    ['lsof -t -i@a.example:80', ['connect ?']],
    ['lsof -n -i@a.example:80', ['connect ?']],
    ['patch -u a p', ['write a.orig', 'write a.rej', 'read a', 'write a', 'read p', 'opaque']],
    [
      'patch -n a p',
      ['write a.orig', 'write a.rej', 'read a', 'write a', 'read p', 'opaque', 'proc.exec ed'],
    ],
    ['fuser -n tcp 80,a.example', ['list 80,a.example', 'connect ?']],
    ['ip link set eth0 down', ['sys.admin network']],
    ['ip netns exec x sh', ['opaque']],
    ['ip -batch f', ['opaque']],
    ['ambit run', ['sys.guard ambit', 'opaque']],
    ['openssl pkey -in a.key -text', ['read a.key']],
    ['openssl rand -out f 16', ['write f by argument']],
    ['openssl pkey -in file:/root/a.key', ['opaque']],
    ['openssl enc -engine ./x -in f', ['opaque']],
    ['openssl x509 -in a -passin file:b', ['opaque']],
    ['openssl s_client -connect a.example:443', ['connect a.example:443']],
    ['openssl', ['opaque']],
    ['bat --paging=never -n F', ['read F']],
    ['rsync -a --chmod=D755,F644 a b', ['read a/**', 'write b/**']],
    ['pdftotext a.pdf -', ['read a.pdf']],
    ['pdftotext a.pdf', ['read a.pdf', 'opaque']],
    ['screen -ls', ['write /run/screen/**']],
    ['screen -q -list main', ['write /run/screen/**']],
    ['screen --version', []],
    ['screen', ['opaque', 'write /run/screen/**']],
    ['screen -ls main -X quit', ['opaque']],
    ['screen -ls -wipe', ['opaque']],
    ['screen vim -ls', ['opaque']],
    ['screen -lsX', ['opaque']],
  ])('describes `%s`', (line, effects) => {
    expect(doing(line)).toStrictEqual(effects);
  });
});
