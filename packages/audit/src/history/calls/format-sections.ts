import { printable } from '@ambit/core';

/** Sections of several lines, with an empty line between them. A tab in a text of data is escaped as well: it would move a column. */
export function formatSections(sections: readonly string[]): string {
  return sections.map((section) => section.split('\n').map(printable).join('\n')).join('\n\n');
}
