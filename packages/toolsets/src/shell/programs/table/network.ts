import type { ProgramTable } from '../spec.js';

/** Programs that connect to hosts that they are told. */
export const networkPrograms: ProgramTable = {
  curl: {
    flags:
      '-# -0 -1 -2 -3 -4 -6 -a -B -f -g -G -h -i -I -j -J -k -l -L -M -n -N -O -p -q -R -s -S -v -V -Z -: --anyauth --append --basic --ca-native --cert-status --compressed --compressed-ssh --create-dirs --crlf --digest --disable --disable-eprt --disable-epsv --disallow-username-in-url --fail --fail-early --fail-with-body --false-start --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control --get --globoff --haproxy-protocol --head --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length --include --insecure --ipv4 --ipv6 --junk-session-cookies --list-only --location --location-trusted --manual --metalink --mptcp --negotiate --netrc --netrc-optional --next --no-alpn --no-buffer --no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --ntlm --ntlm-wb --parallel --parallel-immediate --path-as-is --post301 --post302 --post303 --progress-bar --proxy-anyauth --proxy-basic --proxy-digest --proxy-http2 --proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxytunnel --raw --remote-header-name --remote-name --remote-name-all --remote-time --remove-on-error --retry-all-errors --retry-connrefused --sasl-ir --show-error --silent --skip-existing --socks5-basic --socks5-gssapi --socks5-gssapi-nec --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort --sslv2 --sslv3 --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-ids --trace-time --use-ascii --verbose --xattr --no-location --no-compressed --no-insecure --no-verbose --no-silent --no-fail --no-show-error --no-styled-output --no-include --no-head',
    values:
      '--data-raw -A -C -e -m -P -Q -r -t -u -U -X -y -Y -z --aws-sigv4 --ciphers --connect-timeout --continue-at --create-file-mode --curves --delegation --expect100-timeout --ftp-account --ftp-alternative-to-user --ftp-method --ftp-port --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --hostpubmd5 --hostpubsha256 --interface --ip-tos --keepalive-cnt --keepalive-time --krb --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --mail-rcpt-allowfails --max-filesize --max-redirs --max-time --noproxy --oauth2-bearer --parallel-max --pinnedpubkey --proto --proto-default --proto-redir --proxy-ciphers --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --proxy-user --quote --range --rate --referer --request --request-target --retry --retry-delay --retry-max-time --sasl-authzid --service-name --speed-limit --speed-time --telnet-option --tftp-blksize --time-cond --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --user --user-agent --vlan-priority --cert-type --key-type --proxy-cert-type --proxy-key-type --pass',
    options: {
      '-o --output': 'output',
      '--output-dir': 'write/**',
      '-T --upload-file': 'read',
      '-d --data --data-ascii --data-binary --json --form-string': 'code:at-file',
      '-F --form': 'code:form',
      '-H --header --proxy-header -w --write-out --data-urlencode --variable --url-query': 'code:at-file',
      '-K --config': 'read+opaque:a file of options says what it does+connect',
      '--url': 'connect',
      '-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0': 'connect',
      '--connect-to': 'code:connect-to',
      '--resolve': 'code:resolve',
      '--doh-url --dns-servers': 'connect',
      '-b --cookie': 'code:cookie',
      '-c --cookie-jar': 'output',
      '-D --dump-header': 'output',
      '--trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc': 'output',
      '--etag-compare': 'read',
      '-E --cert --key --cacert --crlfile --pubkey --proxy-cert --proxy-key --proxy-cacert --proxy-crlfile --random-file --egd-file':
        'read',
      '--capath --proxy-capath': 'read/**',
      '--netrc-file': 'read',
      '--engine': 'load',
      '--unix-socket --abstract-unix-socket': 'read+write',
      '--dns-interface --dns-ipv4-addr --dns-ipv6-addr': 'value',
    },
    operands: ['...connect'],
    does: [
      'write/** . if -O -J --remote-name --remote-name-all --remote-header-name unless --output-dir',
      'read ~/.netrc if -n --netrc --netrc-optional',
    ],
  },
  curlie: { like: 'curl' },
  wget: {
    flags:
      '-4 -6 -b -c -d -E -F -h -H -k -K -L -m -N -nc -nd -nH -nv -np -p -q -r -S -v -V -x --adjust-extension --ask-password --auth-no-challenge --background --backup-converted --backups? --cache --no-cache --content-disposition --content-on-error --continue --convert-file-only --convert-links --debug --delete-after --no-directories --force-directories --force-html --ftp-stmlf --ftps-clear-data-connection --ftps-fallback-to-ftp --ftps-implicit --ftps-resume-ssl --no-glob --no-host-directories --protocol-directories --https-only --ignore-case --ignore-length --inet4-only --inet6-only --input-metalink --no-iri --keep-badhash --keep-session-cookies --metalink-over-http --mirror --no-check-certificate --no-clobber --no-config --no-cookies --no-dns-cache --no-hsts --no-http-keep-alive --no-if-modified-since --no-netrc --no-parent --no-passive-ftp --no-proxy --no-remove-listing --no-use-server-timestamps --no-verbose --no-warc-compression --no-warc-digests --no-warc-keep-log --page-requisites --preserve-permissions --quiet --random-wait --recursive --relative --retr-symlinks --retry-connrefused --retry-on-host-error --save-headers --server-response --show-progress --no-show-progress --span-hosts --spider --strict-comments --timestamping --trust-server-names --unlink --use-server-timestamps --verbose --warc-cdx --xattr --follow-ftp',
    values:
      '-A -B -D -I -l -Q -R -t -T -U -w -X --accept --accept-regex --base --bind-address --ciphers --compression --connect-timeout --cut-dirs --default-page --dns-timeout --domains --exclude-directories --exclude-domains --follow-tags --ftp-password --ftp-user --header --http-passwd --http-password --http-user --ignore-tags --include-directories --level --limit-rate --local-encoding --max-redirect --method --body-data --password --post-data --prefer-family --preferred-location --progress --proxy-password --proxy-user --quota --read-timeout --referer --regex-type --reject --reject-regex --remote-encoding --report-speed --restrict-file-names --retry-on-http-error --secure-protocol --start-pos --timeout --tries --user --user-agent --wait --waitretry --warc-header --warc-max-size --warc-dedup --pinnedpubkey --certificate-type --private-key-type',
    options: {
      '-O --output-document': 'output',
      '-o --output-file -a --append-output --rejected-log --save-cookies --warc-file --hsts-file': 'output',
      '-P --directory-prefix --warc-tempdir': 'write/**',
      '-i --input-file': 'read|url+connect',
      '--post-file --body-file --load-cookies --certificate --private-key --ca-certificate --crl-file --egd-file --random-file':
        'read',
      '--ca-directory': 'read/**',
      '--config': 'read+opaque:a file of options says what it does',
      '--use-askpass': 'run',
      '-e --execute': 'code:wget',
      '--dns-servers': 'connect',
    },
    operands: ['...connect'],
    does: [
      'write/** . unless -O --output-document -P --directory-prefix --spider',
      'connect ? if -i --input-file',
    ],
  },
  wget2: { like: 'wget', isLoose: true },
  aria2c: {
    isLoose: true,
    options: {
      '-o --out': 'write',
      '-d --dir': 'write/**',
      '-i --input-file --conf-path': 'read',
      '--on-download-complete --on-download-start --on-download-error --on-download-stop --on-download-pause --on-bt-download-complete':
        'run',
    },
    operands: ['...connect'],
    does: ['write/** .', 'connect ?'],
  },
  axel: {
    isLoose: true,
    options: { '-o --output': 'write/**' },
    operands: ['...connect'],
    does: ['write/** .'],
  },
  http: {
    isLoose: true,
    flags:
      '-v -h -b -d -f -j -F -c -p? --json --form --download --follow --verbose --headers --body --check-status --ignore-stdin --offline --multipart',
    values: '-a -A --auth --auth-type --timeout --verify --print --style --pretty --max-redirects',
    options: {
      '-o --output': 'write',
      '--session': 'write',
      '--proxy': 'connect',
      '--cert --cert-key': 'read',
    },
    operands: ['...code:http-item'],
    does: ['write/** . if -d --download'],
  },
  https: { like: 'http' },
  xh: { like: 'http' },
  ab: {
    isLoose: true,
    options: { '-p -u': 'read', '-e -g': 'write', '-X': 'connect', '-n -c -t -s -H -T -C -A -P -k': 'value' },
    operands: ['connect'],
  },
  hey: {
    isLoose: true,
    options: { '-n -c -z -q -m -H -t -T': 'value', '-D': 'read', '-x': 'connect' },
    isDashed: true,
    operands: ['connect'],
  },
  wrk: {
    isLoose: true,
    options: { '-t -c -d -H': 'value', '-s --script': 'load:lua' },
    operands: ['connect'],
  },
  siege: {
    isLoose: true,
    options: { '-c -t -r -d -H -A': 'value', '-f --file': 'read', '-R --rc': 'load' },
    operands: ['connect'],
    does: ['connect ? if -f --file'],
  },
  dig: {
    isLoose: true,
    values: '-b -c -p -q -t -x -y',
    options: { '-f': 'read', '-k': 'read' },
    operands: ['...code:dns'],
  },
  drill: { like: 'dig' },
  host: {
    flags: '-a -A -C -d -i -l -r -s -T -U -v -V -w -4 -6',
    values: '-c -N -p -R -t -W -m',
    operands: ['connect:dns/53', 'connect:dns/53'],
  },
  nslookup: { isLoose: true, operands: ['...connect:dns/53'], does: ['connect ? if none'] },
  resolvectl: { isLoose: true, operands: ['...connect'], does: ['connect ?'] },
  ping: {
    flags: '-3 -4 -6 -a -A -b -B -C -d -D -f -h -H -L -n -O -q -r -R -U -v -V',
    values: '-c -e -F -i -I -l -m -M -N -p -Q -s -S -t -T -w -W -x',
    operands: ['...connect:icmp'],
  },
  ping6: { like: 'ping' },
  fping: {
    isLoose: true,
    options: { '-f': 'read', '-c -i -t -r': 'value' },
    operands: ['...connect:icmp'],
    does: ['connect ? if -f -g'],
    flags: '-g -a -u -q',
  },
  traceroute: {
    isLoose: true,
    values: '-f -g -i -m -N -p -q -s -t -w -z',
    operands: ['connect:icmp', 'value'],
  },
  tracepath: { like: 'traceroute' },
  mtr: {
    isLoose: true,
    values: '-c -i -s -m -f -a -P -B -o',
    options: { '-F --filename': 'read' },
    operands: ['...connect:icmp'],
  },
  whois: {
    flags: '-a -b -B -c -d -F -G -H -I -k -K -l -L -m -M -Q -r -R -x -A',
    values: '-g -i -p -q -s -t -T -v',
    options: { '-h --host': 'connect:whois/43' },
    operands: ['...value'],
    does: ['connect ? unless -h --host'],
  },
  nmap: {
    isLoose: true,
    values: '-p -T* --top-ports --script-args --min-rate --max-rate',
    options: { '-iL --excludefile': 'read', '-oN -oX -oG -oA -oS': 'write', '--script': 'load:lua' },
    isDashed: true,
    operands: ['...connect'],
    does: ['connect ? if -iL'],
  },
  masscan: { like: 'nmap' },
};
