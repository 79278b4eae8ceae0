import { printable } from '@ambit/core';

/** Sections with an empty line between them; escaped. A tab in data is escaped too: it would move a column. */
export function formatSections(sections: readonly string[]): string {
  return sections.map((section) => section.split('\n').map(printable).join('\n')).join('\n\n');
}
