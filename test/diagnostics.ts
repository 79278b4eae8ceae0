import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiagnosticCode } from '../packages/policy/src/text/codes.js';
import { root } from './repository.js';

/** A section of `docs/diagnostics.md`. */
export interface DiagnosticSection {
  readonly code: DiagnosticCode;
  readonly title: string;
  /** A file that has the mistake; in words, as a comment, where a page cannot show it. */
  readonly avoid: string;
  /** What to write instead. */
  readonly prefer: string;
  readonly why: string;
  readonly about: 'policy' | 'worker' | 'suite';
}

const fence = '```\\S+(?<INFO>[^\\n]*)\\n(?<TEXT>[\\s\\S]*?)```\\n';
const fenced = (name: string) => fence.replace('INFO', `${name}Info`).replace('TEXT', name);
const section = new RegExp(
  `^(?<title>[^\\n]+)\\n\\nAvoid:\\n\\n${fenced('avoid')}\\nPrefer:\\n\\n${fenced('prefer')}\\nWhy: (?<why>[\\s\\S]+)$`,
);

const [head = '', ...parts] = readFileSync(join(root, 'docs/diagnostics.md'), 'utf8').split(/^## /m);

/** The codes that only `ambit check` reports, as the top of the page lists them. */
export const listedFindings = [...head.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);

/** What `docs/diagnostics.md` says, in its order. */
export const diagnosticSections: readonly DiagnosticSection[] = parts.map((part) => {
  const [code = '', ...lines] = part.split('\n\n');
  const found = section.exec(lines.join('\n\n'))?.groups;
  if (found === undefined) throw new Error(`docs/diagnostics.md: ${code} is not title, avoid, prefer, why`);
  const { title = '', avoid = '', prefer = '', why = '', preferInfo = '' } = found;
  const about = / (worker|suite)$/.exec(preferInfo)?.[1] ?? 'policy';
  return { code, title, avoid, prefer, why: why.trim(), about } as DiagnosticSection;
});

/** The sections about policies, or those about workers or suites. */
export function sectionsAbout(about: DiagnosticSection['about']): readonly DiagnosticSection[] {
  return diagnosticSections.filter((each) => each.about === about);
}

/** The section of one code. */
export function sectionOf(code: DiagnosticCode): DiagnosticSection {
  const found = diagnosticSections.find((each) => each.code === code);
  if (found === undefined) throw new Error(`docs/diagnostics.md has no section ${code}`);
  return found;
}
