/** All builtins that bash has: what is here and not described is no program either. */
const names: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo ' +
    'enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd ' +
    'printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type ' +
    'typeset ulimit umask unalias unset wait ' +
    // Words of the grammar, which the parser takes for names in places where bash does not.
    '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while'
  ).split(' '),
);

/** Whether a command word stands for a builtin, a word of the grammar or a job, and for no program. */
export function isBuiltinName(name: string): boolean {
  return names.has(name) || name.startsWith('%');
}
