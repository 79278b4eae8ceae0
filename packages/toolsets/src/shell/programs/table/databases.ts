import type { ProgramTable } from '../spec.js';

/** Programs that speak with databases and queues. */
export const databasePrograms: ProgramTable = {
  psql: {
    isLoose: true,
    values: '-p -U -d -v --port --username --variable --set -F -R -P -T --dbname',
    options: {
      '-c --command': 'code:psql',
      '-f --file': 'load:psql',
      '-h --host': 'connect:postgres/5432',
      '-o --output -L --log-file': 'write',
    },
    operands: ['value', 'value'],
    does: [
      'connect:postgres/5432 ? unless -h --host -V --version',
      'input:psql unless -c --command -f --file -l --list -V --version',
    ],
    flags: '-l --list -A -t -q -x -X -1 -w -W -V --version',
  },
  pg_dump: {
    isLoose: true,
    values: '-p -U -d -t -n --port --username --dbname --table',
    options: { '-h --host': 'connect:postgres/5432', '-f --file': 'write/**' },
    does: ['connect:postgres/5432 ? unless -h --host'],
  },
  pg_dumpall: { like: 'pg_dump' },
  pg_restore: { like: 'pg_dump', operands: ['read'] },
  createdb: { like: 'pg_dump', operands: ['value'] },
  dropdb: { like: 'pg_dump', operands: ['value'] },
  mysql: {
    isLoose: true,
    values: '-u -P -D --user --port --database --password',
    options: {
      '-h --host': 'connect:mysql/3306',
      '-e --execute': 'code:mysql',
      '--defaults-file --defaults-extra-file': 'load',
      '--tee': 'write',
      '--pager': 'code:sh',
      '--init-command': 'code:mysql',
      '--plugin-dir': 'load',
    },
    flags: '-p*',
    operands: ['value'],
    does: ['connect:mysql/3306 ? unless -h --host', 'input:mysql unless -e --execute'],
  },
  mariadb: { like: 'mysql' },
  mysqldump: {
    isLoose: true,
    values: '-u -P --user --port',
    options: { '-h --host': 'connect:mysql/3306', '-r --result-file': 'write', '-T --tab': 'write/**' },
    operands: ['...value'],
    does: ['connect:mysql/3306 ? unless -h --host'],
  },
  sqlite3: {
    isDashed: true,
    flags:
      '-append -ascii -bail -batch -box -column -csv -deserialize -echo -header -noheader -help -html -interactive -json -line -list -markdown -memtrace -nofollow -quote -readonly -safe -stats -table -tabs -utf8 -version',
    values:
      '-heap -lookaside -maxsize -mmap -newline -nonce -nullvalue -pagecache -pcachetrace -separator -vfs -escape',
    options: { '-cmd': 'code:sqlite', '-init': 'load:sqlite', '-A': 'opaque:an archive may be written' },
    operands: ['read+write', '...code:sqlite'],
    does: ['input:sqlite unless many'],
  },
  duckdb: {
    isLoose: true,
    isDashed: true,
    options: { '-c -cmd -s': 'code:duckdb', '-init -f': 'load:duckdb' },
    operands: ['read+write', '...code:duckdb'],
    does: ['input:duckdb unless -c -s -f'],
  },
  'redis-cli': {
    isLoose: true,
    values: '-p -a -n -u --user --pass',
    options: { '-h': 'connect:redis/6379', '--eval': 'load:lua', '--rdb': 'write' },
    operands: ['...value'],
    does: ['connect:redis/6379 ? unless -h'],
  },
  mongo: {
    isLoose: true,
    options: { '--eval': 'code:js', '--host': 'connect', '-f --file': 'load:js' },
    operands: ['connect', '...load:js'],
    does: ['connect:mongodb ?', 'input:js unless --eval'],
  },
  mongosh: { like: 'mongo' },
  mongodump: {
    isLoose: true,
    options: { '-o --out --archive': 'write/**', '-h --host --uri': 'connect' },
    does: ['connect ?', 'write/** .'],
  },
  mongorestore: {
    isLoose: true,
    options: { '-h --host --uri': 'connect' },
    operands: ['...read/**'],
    does: ['connect ?'],
  },
  cqlsh: {
    isLoose: true,
    options: { '-e': 'code:cql', '-f': 'load:cql' },
    operands: ['connect'],
    does: ['connect ?'],
  },
  influx: { isLoose: true, options: { '--host': 'connect' }, does: ['connect ?'] },
  snowsql: {
    isLoose: true,
    options: { '-q': 'code:sql', '-f': 'load:sql', '-o': 'value' },
    does: ['connect ?'],
  },
  sqlcmd: {
    isLoose: true,
    options: { '-Q -q': 'code:sql', '-i': 'load:sql', '-o': 'write', '-S': 'connect' },
    does: ['connect ? unless -S'],
  },
  nats: { isLoose: true, options: { '-s --server': 'connect' }, does: ['connect ?'] },
  kcat: { isLoose: true, options: { '-b': 'connect', '-F': 'read' }, does: ['connect ? unless -b'] },
  mosquitto_pub: { isLoose: true, options: { '-h': 'connect', '-f': 'read' }, does: ['connect ? unless -h'] },
  mosquitto_sub: { like: 'mosquitto_pub' },
  grpcurl: {
    isLoose: true,
    options: { '-d': 'code:at-file', '-proto -import-path': 'read' },
    isDashed: true,
    operands: ['connect', '...value'],
  },
};
