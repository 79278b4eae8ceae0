import { isToolName, toolsetOf } from '@ambit/core';
import { type Entry, editDistance, nearest, type Problem, quote, type Span } from '@ambit/policy/internal';
import type { Lint } from '../subject/scope.js';
import { entriesOf, entryOf, itemsOf } from '../subject/sites.js';
import type { ToolsetDefinition } from '../subject/toolset-definition.js';
import { builtInTools } from './built-in-tools.js';

export const unknownTools: Lint = ({ file: { sites }, toolsets }) => {
  const workers = entriesOf(sites.section('workers'));
  const keys = [
    sites.section('tools'),
    sites.section('carries'),
    ...workers.map(({ value }) => entryOf(value, 'tools')),
  ].flatMap((section) => entriesOf(section).map(({ key, keySpan }) => ({ name: key, span: keySpan })));
  return [...keys, ...grantedTools(sites.section('grants'))].flatMap(({ name, span }) =>
    problemWith(name, { span, toolsets }),
  );
};

function problemWith(
  name: string,
  { span, toolsets }: { readonly span: Span; readonly toolsets: readonly ToolsetDefinition[] },
): readonly Problem[] {
  const near = nearTool(name, toolsets);
  if (near === null) return [];
  const message = `no known tool is called ${quote(name)}`;
  return [{ code: 'NO_SUCH_TOOL', span, message, help: `did you mean \`${near}\`?` }];
}

/** Null for known tools. */
function nearTool(name: string, given: readonly ToolsetDefinition[]): string | null {
  const defined = given.flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool.name}`));
  const known = [...Object.keys(builtInTools), ...defined];
  const toolsets = [...new Set(known.map(toolsetOf))];
  if (known.includes(name)) return null;
  const toolset = toolsetOf(name);
  if (toolsets.includes(toolset)) {
    const own = known.filter((tool) => toolsetOf(tool) === toolset);
    return isToolName(name) && !name.endsWith('.*') ? nearest(name, own) : null;
  }
  const meant = toolsets.find((each) => each.length > 4 && editDistance(toolset, each) === 1);
  const tool = meant === undefined ? null : `${meant}${name.slice(toolset.length)}`;
  return tool !== null && (tool.endsWith('.*') || known.includes(tool)) ? tool : null;
}

function grantedTools(grants: Entry | undefined): readonly { readonly name: string; readonly span: Span }[] {
  return itemsOf(entryOf(grants?.value ?? null, 'workers')).flatMap((item) =>
    item.kind === 'text' ? [{ name: item.value, span: item.span }] : [],
  );
}
