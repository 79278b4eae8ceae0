import type { ProgramSpec } from '../spec.js';
import { diffFlags, diffOptions, diffValues, logFlags, logValues } from './git-options.js';

const shown = {
  flags: `${diffFlags} ${logFlags} --ext-diff --textconv`,
  values: `${diffValues} ${logValues}`,
  options: diffOptions,
  operands: ['...code:git-path'],
  does: ['read/** .', 'code:sh ? if --ext-diff'],
};

/** Git's commands that only look, or mostly. */
export const gitReadingCommands: Readonly<Record<string, ProgramSpec>> = {
  'log|show|whatchanged|rev-list|diff-tree|shortlog|range-diff': {
    ...shown,
    flags: `${shown.flags} --numbered --email --source -e --group? --no-dual-color --dual-color --root --no-commit-id --verbose`,
    options: { ...diffOptions, '--mailmap-file': 'read' },
    operands: ['...code:git-path'],
  },
  'diff|diff-index|diff-files': {
    ...shown,
    flags: `${shown.flags} --no-index`,
    operands: ['...code:git-path unless --no-index', '...read/** if --no-index'],
  },
  status: {
    flags:
      '-b -s -u? -v -z -vv --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --null',
    operands: ['...code:git-path'],
    does: ['read/** .'],
  },
  'blame|annotate|pickaxe': {
    flags:
      '-b -c -C? -e -f -h -k -l -M? -n -p -s -t -w --root --show-stats --show-name --show-number --porcelain --line-porcelain --incremental --progress --no-progress --color-lines --color-by-age --minimal --first-parent --score-debug --show-email --reverse? --abbrev? --diff-algorithm?',
    values: '-L --date --since --ignore-rev --encoding',
    options: { '-S --ignore-revs-file --contents': 'read' },
    operands: ['...code:git-path'],
    does: ['read/** .'],
  },
  grep: {
    flags:
      '-a -c -E -F -G -h -H -i -I -l -L -n -o -p -P -q -r -s -v -w -W -z --all-match --and --break --cached --color? --no-color --column --count --exclude-standard --no-exclude-standard --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --index --invert-match --line-number --name-only --no-index --no-recursive --no-textconv --textconv --not --null --only-matching --or --perl-regexp --basic-regexp --quiet --recurse-submodules --recursive --show-function --text --untracked --word-regexp -#',
    values:
      '-A -B -C -e -m --after-context --before-context --context --max-count --max-depth --parent-basename --threads',
    options: { '-f': 'read', '-O --open-files-in-pager': '?code:command' },
    ignored: '( )',
    operands: ['value unless -e -f', '...code:git-path'],
    does: ['read/** .', 'run pager if -O --open-files-in-pager'],
  },
  'ls-files': {
    flags:
      '-c -d -f -i -k -m -o -r -s -t -u -v -x? -z --cached --debug --deduplicate --deleted --directory --empty-directory --no-empty-directory --eol --error-unmatch --exclude-standard --full-name --ignored --killed --modified --others --recurse-submodules --resolve-undo --sparse --stage --unmerged --abbrev?',
    values: '--exclude --exclude-per-directory --format --with-tree',
    options: { '-X --exclude-from': 'read' },
    operands: ['...code:git-path'],
    does: ['read/** .'],
  },
  'ls-tree|show-ref|for-each-ref|rev-parse|merge-base|name-rev|describe|cherry|show-branch|check-ignore|check-attr|check-ref-format|check-mailmap|count-objects|var|version|get-tar-commit-id|patch-id|stripspace|column|diff-pairs|merge-tree|unpack-file|verify-commit|verify-tag|verify-pack|fmt-merge-msg|show-index|for-each-repo-list':
    {
      flags:
        '-a -b -c -d -g -h -l -n -q -r -s -t -u -v -z -# --abbrev? --abbrev-ref? --absolute-git-dir --all --always --allow-onelevel --branch --branches? --broken? --candidates? --color? --current --date-order --debug --dereference --dirty? --disambiguate? --exact-match --first-parent --flags --fork-point --full-name --full-tree --git-common-dir --git-dir --glob? --hash? --head --heads --human-readable --ignore-case --independent --is-ancestor --is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --list --local-env-vars --long --merge-base --merged? --more? --name-only --name-status --no-color --no-contains --no-flags --no-merged? --no-name --no-revs --no-undefined --non-matching --no-index --normalize --not --null --object-only --octopus --omit-empty --points-at --quiet --raw --refs? --reflog? --remotes? --resolve-git-dir --revs-only --sha1-name --shared-index-path --short? --show-cdup --show-object-format? --show-prefix --show-ref-format --show-superproject-working-tree --show-toplevel --source --sparse --sq --sq-quote --stable --stat-only --stdin --symbolic --symbolic-full-name --tags? --topics --topo-order --unique --unstable --verbose --verbatim --verify --write-tree --messages --no-messages -p -C -E -F -H -vH',
      values:
        '--exclude --format --match --sort --default --path-format --prefix --since --after --until --before --exclude-existing --parseopt --count --command --mode --width',
      options: { '--git-path': 'value', '--contains': '?value' },
      operands: ['...code:git-path'],
      does: ['read/** .'],
    },
  'cat-file': {
    flags:
      '-e -p -s -t -z -Z --allow-unknown-type --batch? --batch-check? --batch-command? --batch-all-objects --buffer --filter? --filters --follow-symlinks --mailmap --use-mailmap --textconv --unordered',
    values: '--path',
    operands: ['...value'],
    does: ['read/** .', 'code:sh ? if --filters --textconv'],
  },
  fsck: {
    flags:
      '-v --cache --connectivity-only --dangling --full --lost-found --name-objects --no-dangling --no-full --no-reflogs --progress --no-progress --root --strict --tags --unreachable --verbose',
    operands: ['...value'],
    does: ['read/** .', 'write/** .git if --lost-found'],
  },
  help: {
    isLoose: true,
    operands: ['...value'],
    does: ['opaque:help may be shown by any program if -w --web -i --info'],
    flags: '-w --web -i --info -a -g -m --all --guides --man',
  },
  branch: {
    flags:
      '-a -c -C -d -D -f -i -l -m -M -q -r -t? -v -vv --all --color? --column? --copy --create-reflog --delete --edit-description --force --ignore-case --list --merged? --move --no-abbrev --no-color --no-column --no-merged? --no-track --quiet --recurse-submodules --remotes --show-current --track? --unset-upstream --verbose --abbrev? --omit-empty',
    values: '-u --format --set-upstream-to --sort --contains --no-contains --points-at',
    operands: ['...value'],
    does: [
      'read/** .',
      'write/** .git unless none unless -l --list --contains --no-contains --points-at --merged --no-merged',
      'write/** .git if -u --set-upstream-to --unset-upstream --edit-description -d -D --delete -m -M --move -c -C --copy',
    ],
  },
  tag: {
    flags:
      '-a -d -e -f -i -l -n? -s -v --annotate --color? --column? --create-reflog --delete --edit --force --ignore-case --list --merged? --no-column --no-merged? --no-sign --omit-empty --sign --verify -#',
    values:
      '-m -u --cleanup --contains --format --local-user --message --no-contains --points-at --sort --trailer',
    options: { '-F --file': 'read' },
    operands: ['...value'],
    does: [
      'read/** .',
      'write/** .git unless none unless -l -n --list --contains --no-contains --merged --no-merged --points-at -v --verify',
    ],
  },
};
