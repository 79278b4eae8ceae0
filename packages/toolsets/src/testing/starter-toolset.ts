// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../scripts/yaml.d.ts" />
import files from './starter-toolset.yaml';

/** A package with a toolset of one tool that keeps the rules: the text of each file by its name. */
export function starterToolset(name: string, version: string): Readonly<Record<string, string>> {
  const capability = `${name.replaceAll('-', '_')}.greeting`;
  const filled = (text: string) =>
    text
      .replaceAll('{name}', () => name)
      .replaceAll('{capability}', () => capability)
      .replaceAll('{version}', () => version);
  const entries = Object.entries(files as Readonly<Record<string, string>>);
  return Object.fromEntries(entries.map(([file, text]) => [file, filled(text)]));
}
