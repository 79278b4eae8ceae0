/** When a setting may make git run a program: for commands of this kind, or for `any` command. */
export type Aspect =
  | 'any'
  | 'network'
  | 'commit'
  | 'diff'
  | 'external'
  | 'signature'
  | 'filter'
  | 'merge'
  | 'archive'
  | 'interactive'
  | 'template';

/** What settings make git do, by their keys. The first matching row decides; without one: any command. */
const rows: readonly (readonly [RegExp, readonly Aspect[]])[] = [
  [keys('gc.recentobjectshook grep.fallbacktonoindex'), ['any']],
  [keys('tag.forcesignannotated'), ['commit']],
  [/^branch\..*\.mergeoptions$/s, ['merge']],
  [keys('merge.verifysignatures'), ['merge']],
  // An alias never replaces a built-in command. Editors and pagers: see `otherwise`.
  [keys('alias.* sequence.editor core.editor'), []],
  [keys('user.signingkey user.* author.* committer.* advice.* color.* column.* help.* branch.* i18n.*'), []],
  [
    keys(`core.bare core.filemode core.repositoryformatversion core.logallrefupdates core.ignorecase
      core.precomposeunicode core.autocrlf core.safecrlf core.eol core.whitespace core.quotepath core.abbrev
      core.compression core.loosecompression core.bigfilethreshold core.symlinks core.checkstat core.trustctime
      core.untrackedcache core.preloadindex core.commitgraph core.multipackindex core.sharedrepository core.fscache
      core.longpaths core.packedgitlimit core.packedgitwindowsize core.deltabasecachelimit core.fsync core.fsyncmethod
      core.warnambiguousrefs core.commentchar core.commentstring core.protectntfs core.protecthfs core.autosize
      core.excludesfile core.hooksPath core.worktree core.attributesfile core.sparsecheckout core.sparsecheckoutcone`),
    [],
  ],
  [
    keys('core.sshcommand core.gitproxy core.askpass core.alternaterefscommand credential.* http.* https.*'),
    ['network'],
  ],
  [keys('url.* protocol.* transfer.* fetch.* ssh.* uploadpack.* receive.* push.* pull.*'), ['network']],
  [keys('extensions.worktreeconfig'), []],
  [
    /^remote\..*\.(?:url|fetch|prune|prunetags|tagopt|push|mirror|skipdefaultupdate|skipfetchall|followremotehead)$/,
    [],
  ],
  [/^remote\..*\.(?:pushurl|proxy|proxyauthmethod|uploadpack|receivepack|vcs|serveroption)$/, ['network']],
  [/^remote\.pushdefault$/, []],
  [keys('trailer.*'), ['commit']],
  // Signing decides which program runs; see `aspectsOf`.
  [keys('gpg.* commit.* tag.*'), []],
  [keys('interactive.*'), ['interactive']],
  [keys('diff.external diff.orderfile diff.submodule'), ['external']],
  [/^diff\..*\.(?:command|textconv|cachetextconv|trustexitcode)$/, ['diff']],
  [/^diff\..*\.(?:xfuncname|funcname|binary|wordregex|algorithm)$/, []],
  [
    keys(`diff.algorithm diff.renames diff.renamelimit diff.colormoved diff.colormovedws diff.mnemonicprefix diff.noprefix
      diff.context diff.interhunkcontext diff.wserrorhighlight diff.wordregex diff.statgraphwidth
      diff.statnamewidth diff.indentheuristic diff.suppressblankempty diff.tool diff.guitool diff.autorefreshindex
      diff.dirstat diff.ignoresubmodules diff.relative diff.srcprefix diff.dstprefix`),
    [],
  ],
  [keys('filter.*'), ['filter']],
  [/^merge\..*\.(?:driver|name|recursive)$/, ['merge']],
  [keys('merge.* rebase.* rerere.* stash.* sequence.* am.* apply.* notes.* mailmap.*'), []],
  [
    keys(`log.date log.decorate log.follow log.showroot log.mailmap log.abbrevcommit log.diffmerges log.graphcolors
      log.initialdecorationset log.excludedecoration status.short status.branch status.showuntrackedfiles
      status.relativepaths status.renames status.renamelimit status.showstash status.aheadbehind status.displaycommentprefix
      grep.* blame.* format.* gc.* pack.* index.* repack.* maintenance.* feature.* safe.* versionsort.* reflog.*`),
    [],
  ],
  [keys('tar.*'), ['archive']],
  [keys('init.templatedir'), ['template']],
  [keys('init.* clone.* checkout.* worktree.guessremote'), []],
  [
    keys('difftool.* mergetool.* guitool.* gui.* gitk.* man.* browser.* web.* instaweb.* sendemail.* lfs.*'),
    [],
  ],
  [keys('github.* gitlab.* hub.* ghq.* gitreview.* magit.*'), []],
  [keys('submodule.active submodule.fetchjobs submodule.propagatebranches'), []],
  [/^submodule\..*\.(?:url|active|branch|ignore)$/, []],
];

const off = /^(?:|false|no|off|0)$/i;
const pagers = /^(?:cat|less|more|less -[A-Za-z]+|true)$/;

/** The kinds of commands for which a setting runs a program or has another unknown effect. */
export function aspectsOf({
  key,
  value,
}: {
  readonly key: string;
  readonly value: string;
}): readonly Aspect[] {
  const isOff = off.test(value);
  if (key === 'core.pager' || key.startsWith('pager.')) return pagers.test(value) || isOff ? [] : ['any'];
  if (key === 'core.fsmonitor' || key === 'core.splitindex') return isOff ? [] : ['any'];
  if (key === 'commit.gpgsign' || key === 'tag.gpgsign') return isOff ? [] : ['commit'];
  if (key === 'log.showsignature') return isOff ? [] : ['signature'];
  return rows.find(([pattern]) => pattern.test(key))?.[1] ?? ['any'];
}

/** Keys, separated by blanks; a `.*` at the end matches all keys below. */
function keys(text: string): RegExp {
  const each = text.split(/\s+/).map((key) => key.toLowerCase().replaceAll('.', '\\.').replace(/\*$/, '.*'));
  return new RegExp(`^(?:${each.join('|')})$`, 's');
}
