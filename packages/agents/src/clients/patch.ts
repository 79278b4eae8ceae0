import type { Use } from './tool-table.js';

/**
 * The files that a patch of the form `*** Begin Patch … *** End Patch` touches. An unknown line that begins with `***`, a text that
 * is not a patch, and one with another end of a line may touch any file. `keepsBlanks`: the client keeps blanks before a name.
 */
export function usesOfPatch(
  patch: string | null,
  { keepsBlanks = false }: { readonly keepsBlanks?: boolean } = {},
): readonly Use[] {
  const text = (patch ?? '').trim();
  const lines = text.split(/\r?\n/);
  const isWhole = lines.at(0)?.trim() === '*** Begin Patch' && lines.at(-1)?.trim() === '*** End Patch';
  if (!isWhole || /\r(?!\n)/.test(text)) return anyFile;
  const isMoving = lines.some((line) => /^\s*\*\*\* Move to: /.test(line));
  return lines.slice(1, -1).flatMap((line): readonly Use[] => {
    const head = /^[\s\x85]*\*\*\*(.*)$/s.exec(line)?.[1];
    if (head === undefined) return [];
    if (head.trim() === 'End of File') return [];
    const [, verb = '', path = ''] = /^ (Add File|Update File|Delete File|Move to): (.+)$/s.exec(head) ?? [];
    // Rust, which trims the line, has other blanks than JavaScript.
    const isOdd = /[\x85\uFEFF]/.test(line) || (!keepsBlanks && path.trimStart() !== path);
    const name = isOdd ? '' : path.trimEnd();
    if (name === '') return anyFile;
    switch (verb) {
      case 'Delete File':
        return [{ kind: 'file', access: 'delete', path: name }];
      case 'Update File':
        // If the patch moves the file, the file with the old name is removed.
        return [
          { kind: 'file', access: 'read', path: name },
          { kind: 'file', access: 'write', path: name },
          ...(isMoving ? [{ kind: 'file', access: 'delete', path: name, by: 'mv' } as const] : []),
        ];
      case 'Move to':
        return [{ kind: 'file', access: 'write', path: name, by: 'mv' }];
      default:
        return [{ kind: 'file', access: 'write', path: name }];
    }
  });
}

const anyFile: readonly Use[] = [
  { kind: 'file', access: 'read', path: null },
  { kind: 'file', access: 'write', path: null },
  { kind: 'file', access: 'delete', path: null },
];

/** A patch in a command line, and the folder that a `cd` before it names. */
export interface PatchInCommand {
  readonly patch: string;
  readonly folder: string;
}

/**
 * The patch in a command line that is only `apply_patch` with a here-document, after `cd FOLDER &&` or alone; null for any other
 * command line, and for one that Codex would read differently from a shell.
 */
export function patchInCommand(command: string | null): PatchInCommand | null {
  const form =
    /^[ \t\n]*(?:cd[ \t]+(?<quote>['"]?)(?<folder>[\w./][\w ./@%+,:=-]*?)\k<quote>[ \t]*&&[ \t\n]*)?apply_patch[ \t]+<<[ \t]*(?<mark>['"]?)(?<end>[A-Za-z_]\w*)\k<mark>[ \t]*\n(?<patch>.*)\n\k<end>[ \t\n]*$/s.exec(
      command ?? '',
    );
  const { quote, folder = '.', mark, end = '', patch = '' } = form?.groups ?? {};
  // A shell would take several words, and expand a here-document without quotes.
  const isOther = (quote === '' && folder.includes(' ')) || (mark === '' && /[$`\\]/.test(patch));
  if (form === null || isOther) return null;
  // The here-document ends at the first line that equals its delimiter.
  return patch.split('\n').includes(end) ? null : { patch, folder };
}
