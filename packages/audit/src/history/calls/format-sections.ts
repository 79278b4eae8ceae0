import { printable } from '@ambit/core';

/** Sections of lines with an empty line between them; escaped, tabs too. Sections without lines are left out. */
export function formatSections(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(printable).join('\n'))
    .join('\n\n');
}
