import type { ProgramTable } from '../spec.js';

/** Programs that look for text in files, and for files. */
export const searchingPrograms: ProgramTable = {
  grep: {
    flags:
      '-a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -R -s -T -u -U -v -V -w -x -y -z -Z -# --basic-regexp --binary --byte-offset --color? --colour? --count --dereference-recursive --extended-regexp --files-with-matches --files-without-match --fixed-strings --help --ignore-case --initial-tab --invert-match --line-buffered --line-number --line-regexp --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --silent --text --version --with-filename --word-regexp',
    values:
      '-A -B -C -d -D -e -m --after-context --before-context --binary-files --context --devices --directories --exclude --exclude-dir --include --label --max-count --regexp --group-separator',
    options: { '-f --file': 'read', '--exclude-from': 'read' },
    operands: [
      'value unless -e --regexp -f --file',
      '...read unless -r -R --recursive --dereference-recursive -d --directories',
      '...read/**=. if -r -R --recursive --dereference-recursive -d --directories',
    ],
  },
  egrep: { like: 'grep' },
  fgrep: { like: 'grep' },
  zgrep: { like: 'grep' },
};
