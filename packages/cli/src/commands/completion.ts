import type { Command } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, []);
  if (shell === 'fish') return fishScript(places);
  const script = bashScript(places);
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

interface Place {
  readonly path: readonly string[];
  readonly commands: readonly Command[];
  readonly options: readonly string[];
}

function placesOf(command: Command, path: readonly string[]): readonly Place[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const here = { path, commands: command.commands, options: [...options, '--help'] };
  return [here, ...command.commands.flatMap((child) => placesOf(child, [...path, child.name()]))];
}

function bashScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`);
  const cases = places.map(({ path, commands, options }) => {
    const words = [...commands.map((command) => command.name()), ...options].join(' ');
    return `    '${path.join(' ')}') words='${words}' ;;`;
  });
  return `_ambit() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' next words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${paths.join('|')}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _ambit ambit
`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const at = `complete -c ambit -n '${seen === '' ? '__fish_use_subcommand' : seen}'`;
    return [
      ...commands.map(
        (command) => `${at} -f -a ${command.name()} -d '${command.description().replace(/[\\']/g, '\\$&')}'`,
      ),
      ...options.map((option) => `${at} -l ${option.slice(2)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
