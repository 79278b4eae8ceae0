import { type Host, print, write } from '../host.js';
import type { Command } from './table/spec.js';
import { type OptionsOf, table } from './table/table.js';

export async function completion(
  host: Host,
  shell: 'bash' | 'zsh' | 'fish',
  { json }: OptionsOf<'completion'>,
): Promise<void> {
  const script = completionScript(shell);
  if (json === true) await print(host, { shell, script });
  else await write(host.stdout, script);
}

function completionScript(shell: 'bash' | 'zsh' | 'fish'): string {
  if (shell === 'fish') return fishScript();
  const script = bashScript();
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

interface Place {
  /** The words of a command; empty for the program. */
  readonly path: string;
  readonly about: string;
  readonly options: readonly string[];
}

const places: readonly Place[] = [
  { path: '', about: '', options: ['--version', '--help'] },
  ...Object.entries<Command>(table).map(([path, { about, options = {} }]) => {
    const long = Object.keys(options).map((flags) => /--[a-z-]+/.exec(flags)?.[0] ?? '');
    return { path, about, options: [...long, '--help'] };
  }),
];

/** The commands directly below a place, by their last words. */
function commandsBelow({ path }: Place): readonly (readonly [name: string, about: string])[] {
  return places.flatMap((each) => {
    const words = each.path.split(' ');
    const isChild = each.path !== '' && words.slice(0, -1).join(' ') === path;
    return isChild ? [[words.at(-1) ?? '', each.about] as const] : [];
  });
}

function bashScript(): string {
  const paths = places.slice(1).map(({ path }) => `'${path}'`);
  const cases = places.map((place) => {
    const words = [...commandsBelow(place).map(([name]) => name), ...place.options].join(' ');
    return `    '${place.path}') words='${words}' ;;`;
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

function fishScript(): string {
  const lines = places.flatMap((place) => {
    const words = place.path.split(' ').filter((word) => word !== '');
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const at = `complete -c ambit -n '${seen === '' ? '__fish_use_subcommand' : seen}'`;
    return [
      ...commandsBelow(place).map(
        ([name, about]) => `${at} -f -a ${name} -d '${about.replace(/[\\']/g, '\\$&')}'`,
      ),
      ...place.options.map((option) => `${at} -l ${option.slice(2)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
