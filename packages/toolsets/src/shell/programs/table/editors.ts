import type { ProgramTable } from '../spec.js';

/** Programs that show or change files for a person, and that run others when they are told to. */
export const editorPrograms: ProgramTable = {
  vim: {
    flags:
      '-A -b -C -d -D -e -E -f -F -g -H -h -L -m -M -N -n -o? -O? -p? -R -v -V? -y -X -Y -Z --clean --noplugin --not-a-term --nofork --remote --servername? --startuptime? --headless --embed --ttyfail -es -Es -#',
    values: '-T -t -q -J -K',
    options: {
      '-c +* --cmd': 'code:vim',
      '-S -u -U -i -s': 'load:vim',
      '-w -W': 'write',
      '-r': '?read',
      '--listen': 'net.listen',
      '-l': 'load:lua',
    },
    operands: ['...read+write+code:edited'],
    does: ['code:vim ? if -S -u -U -i -s', 'input:vim if -e -E -es -Es'],
  },
  vi: { like: 'vim' },
  nvim: { like: 'vim' },
  gvim: { like: 'vim' },
  mvim: { like: 'vim' },
  ex: { like: 'vim', flags: '-s', does: ['input:vim'] },
  view: { like: 'vim', operands: ['...read'] },
  rvim: { like: 'vim' },
  vimtutor: { like: 'vim' },
  emacs: {
    isLoose: true,
    isDashed: true,
    options: {
      '-eval --eval -execute --execute': 'code:elisp',
      '-l -load --load -script --script -u': 'load:elisp',
      '-f -funcall --funcall -e': 'code:elisp',
      '-file --file -visit --visit -find-file --find-file': 'read+write',
      '-insert --insert': 'read',
      '-L --directory': 'load',
    },
    flags: '-nw -Q -q -batch --batch --daemon',
    operands: ['...read+write+code:edited'],
  },
  emacsclient: {
    isLoose: true,
    options: { '-e --eval': 'code:elisp', '-a --alternate-editor': 'code:command' },
    operands: ['...read+write'],
  },
  nano: {
    flags:
      '-A -B -c -D -E -F -G -H -I -i -j -K -L -l -M -m -N -n -P -p -q -R -S -t -U -u -V -v -W -w -x -y -Z -z -0 -_ -% -! -/ +*',
    values: '-J -Q -r -T -X -Y',
    options: {
      '-s --speller': 'code:command',
      '-f --rcfile': 'load',
      '-C --backupdir': 'write/**',
      '-o --operatingdir': 'read',
    },
    operands: ['...read+write'],
  },
  pico: { like: 'nano' },
  ed: {
    flags:
      '-E -G -l -r -s -v -p? --extended-regexp --traditional --loose-exit-status --restricted --quiet --silent --verbose',
    values: '--prompt',
    operands: ['code:ed-operand'],
    does: ['input:ed'],
  },
  red: { like: 'ed' },
  micro: { isLoose: true, operands: ['...read+write'] },
  helix: { like: 'micro' },
  hx: { like: 'micro' },
  joe: { like: 'micro' },
  mcedit: { like: 'micro' },
  gedit: { like: 'micro' },
  kate: { like: 'micro' },
  subl: { like: 'micro' },
  editor: { like: 'micro' },
  'sensible-editor': { like: 'micro' },
  code: {
    isLoose: true,
    options: {
      '--install-extension': 'code:vscode',
      '--extensions-dir --user-data-dir': 'load',
      '-d --diff': 'read, read',
      '-g --goto': 'read+write',
    },
    operands: ['...read/**+write/**'],
    does: ['code:vscode ?'],
  },
  less: {
    flags:
      '-? -a -A -B -c -C -d -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -V -w -W -X -~ -# --chop-long-lines --raw-control-chars --RAW-CONTROL-CHARS --quit-if-one-screen --no-init --ignore-case --IGNORE-CASE --line-numbers --LINE-NUMBERS --squeeze-blank-lines --quit-at-eof --QUIT-AT-EOF --mouse --use-color --no-lessopen --quit-on-intr --follow-name --hilite-search',
    values:
      '-b -h -j -P -p -x -y -z --pattern --prompt --tabs --window --jump-target --shift --max-back-scroll --buffers',
    options: {
      '-o -O --log-file --LOG-FILE': 'write',
      '-k --lesskey-file --lesskey-src': 'load',
      '-t --tag': 'value',
      '-T --tag-file': 'read',
      '+*': 'code:less',
      '-D*': 'value',
    },
    operands: ['...read'],
  },
  more: {
    flags: '-c -d -e -f -l -p -s -u -#',
    values: '-n --lines',
    options: { '+*': 'code:less' },
    operands: ['...read'],
  },
  most: { like: 'more' },
  bat: {
    flags:
      '-A -f -h -L -n -p -P -s -S -u -V --acknowledgements --chop-long-lines --diff --force-colorization --list-languages --list-themes --no-pager --number --plain --show-all --squeeze-blank --unbuffered --no-config --no-custom-assets --config-file --config-dir --cache-dir --diagnostic',
    values:
      '-d -H -l -m -r --binary --color --decorations --diff-context --file-name --highlight-line --ignored-suffix --italic-text --language --line-range --map-syntax --nonprintable-notation --paging --squeeze-limit --strip-ansi --style --tabs --terminal-width --theme --theme-dark --theme-light --wrap --completion',
    options: { '--pager': 'code:command' },
    operands: ['...read'],
  },
  batcat: { like: 'bat' },
  man: {
    flags:
      '-7 -a -c -d -D -f -h -i -I -k -K -l -t -T? -u -V -w -W -X? -Z --all --apropos --whatis --where --path --location --local-file --regex --wildcard --names-only --ignore-case --match-case',
    values:
      '-e -E -L -m -p -r -R -s -S --encoding --extension --locale --preprocessor --prompt --recode --sections --systems --nh',
    options: {
      '-P --pager': 'code:command',
      '-C --config-file': 'load',
      '-M --manpath': 'read/**',
      '-H -B --html': '?code:command',
    },
    operands: ['...value unless -l --local-file', '...read if -l --local-file'],
  },
  info: {
    flags: '-a -h -k -w --all --usage --where --location',
    values: '-d -n --directory --node --apropos',
    options: { '-f --file': 'read', '-o --output': 'output', '--restore': 'load', '--init-file': 'load' },
    operands: ['...value'],
  },
  tldr: { isLoose: true, operands: ['...value'], does: ['connect ?'] },
  'xdg-open': { operands: ['read|url'], does: ['opaque:which program opens it is not known'] },
  open: { like: 'xdg-open', isLoose: true },
  'gnome-open': { like: 'xdg-open' },
  'sensible-browser': { like: 'xdg-open' },
  'run-mailcap': { like: 'xdg-open', isLoose: true },
  see: { like: 'xdg-open', isLoose: true },
};
