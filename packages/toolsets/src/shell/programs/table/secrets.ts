import type { ProgramTable } from '../spec.js';

/** Programs for keys, certificates and what is kept secret. */
export const secretPrograms: ProgramTable = {
  openssl: {
    isLoose: true,
    isInherited: true,
    isDashed: true,
    options: {
      '-in -key -inkey -cert -certfile -CAfile -CA -CAkey -cafile -signature -data -content -config -extfile -rand -kfile -passfile -verify_file -sigfile -signer -recip -peerkey -certs':
        'read',
      '-out -keyout -writerand -sess_out -keylogfile -msgfile -CRL -rawout -outform_file -CAserial -noout_file -signed_out':
        'write',
      '-outform -inform -subj -days -newkey -pass -passin -passout -k -K -iv -md -set_serial -nameopt -addext -algorithm -pkeyopt -servername -starttls -verify -sigopt -keyform -iter':
        'value',
      '-engine -provider -provider-path': 'load',
      '-connect': 'connect',
      '-proxy': 'connect',
      '-port -accept': 'net.listen',
    },
    commands: {
      s_client: { isLoose: true, operands: ['...connect'], does: ['connect ? unless -connect'] },
      's_server|s_time|ocsp': { isLoose: true, does: ['net.listen', 'connect ?'] },
      'passwd|rand|version|ciphers|list|prime|errstr|speed': { isLoose: true, operands: ['...value'] },
      'genrsa|genpkey|gendsa|dsaparam|dhparam|ecparam': { isLoose: true, operands: ['...value'] },
      'dgst|sha256|sha1|md5|sha512|sha384|sha224': { isLoose: true, operands: ['...read'] },
      'x509|req|rsa|ec|dsa|pkey|pkcs8|pkcs12|pkcs7|crl|verify|asn1parse|pkeyutl|rsautl|enc|base64|smime|cms|ca|ts|rehash|storeutl':
        { isLoose: true, operands: ['...read'] },
      '*': { isLoose: true, does: ['opaque:a command that is not known'] },
    },
    does: ['opaque:commands come through the standard input if none'],
  },
  gpg: {
    isLoose: true,
    values:
      '-r -u -R --recipient --local-user --hidden-recipient --cipher-algo --digest-algo --compress-algo --passphrase --batch-size --keyid-format --with-colons-size --pinentry-mode --trust-model --status-fd --command-fd --passphrase-fd --logger-fd --default-key --expert-level --set-filename --faked-system-time',
    options: {
      '-o --output --logger-file --status-file': 'output',
      '--homedir': 'read/**+write/**',
      '--keyserver': 'connect',
      '--passphrase-file --options --load-extension --command-file': 'read',
      '--photo-viewer --agent-program --dirmngr-program --pinentry-program --export-filter --import-filter':
        'run',
    },
    operands: ['...read'],
    does: [
      'connect ? if --recv-keys --receive-keys --send-keys --search-keys --refresh-keys --fetch-keys --keyserver --auto-key-retrieve --locate-keys',
      'write ~/.gnupg if --import --gen-key --generate-key --full-generate-key --quick-generate-key --delete-key --delete-keys --delete-secret-keys --edit-key --sign-key --lsign-key --recv-keys --recv --import-ownertrust --quick-add-key',
      'read ~/.gnupg if --export-secret-keys --export-secret-subkeys --export -d --decrypt -s --sign --clearsign --clear-sign -b --detach-sign --detach-sig -K --list-secret-keys',
      'write/** . if -e --encrypt -s --sign -c --symmetric -b --detach-sign --dearmor --enarmor --clearsign --clear-sign --store unless -o --output',
    ],
    flags:
      '-a -b -c -d -e -k -K -s -q -v --armor --detach-sign --detach-sig --clearsign --clear-sign --symmetric --decrypt --encrypt --sign --store --dearmor --enarmor --import --export --export-secret-keys --export-secret-subkeys --gen-key --generate-key --full-generate-key --quick-generate-key --quick-add-key --delete-key --delete-keys --delete-secret-keys --edit-key --sign-key --lsign-key --recv --recv-keys --receive-keys --send-keys --search-keys --refresh-keys --fetch-keys --auto-key-retrieve --locate-keys --list-keys --list-secret-keys --import-ownertrust --verify --batch --yes --no-tty --fingerprint',
  },
  gpg2: { like: 'gpg' },
  age: {
    isLoose: true,
    options: {
      '-o --output': 'output',
      '-i --identity -R --recipients-file': 'read',
      '-r --recipient': 'value',
    },
    operands: ['...read'],
  },
  pass: {
    isLoose: true,
    operands: ['...value'],
    does: ['read/** ~/.password-store', 'secret.read:passwords'],
  },
  security: { isLoose: true, does: ['secret.read:keychain'] },
  'secret-tool': { isLoose: true, does: ['secret.read:keyring'] },
  op: {
    isLoose: true,
    commands: {
      run: { isLoose: true, isPosix: true, options: { '--env-file': 'read' }, operands: ['command'] },
      '*': { isLoose: true },
    },
    does: ['secret.read:passwords', 'connect ?'],
  },
  bw: { like: 'op' },
  vault: {
    isLoose: true,
    options: { '-address --address': 'connect' },
    does: ['secret.read:vault', 'connect ?'],
  },
};
