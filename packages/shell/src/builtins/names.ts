/** All builtins of bash. One that is not described is not a program either. */
const names: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo ' +
    'enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd ' +
    'printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type ' +
    'typeset ulimit umask unalias unset wait ' +
    // Reserved words, which the parser reads as names in some places where bash does not.
    '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while ' +
    // Bash calls this function in place of each program that is missing.
    'command_not_found_handle'
  ).split(' '),
);

/** Whether a command word is a builtin, a reserved word or a job, and not a program. */
export function isBuiltinName(name: string): boolean {
  return names.has(name) || name.startsWith('%');
}
