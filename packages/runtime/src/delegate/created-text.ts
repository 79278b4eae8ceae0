import { equalJson, type Json, type JsonObject, jsonText, stated } from '@ambit/core';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { workerDefaults } from '../worker-file/worker-file.js';

export type CreatedContent = Pick<
  WorkerDefinition,
  'name' | 'description' | 'instructions' | 'model' | 'roots' | 'attachments' | 'toolsets' | 'maxDepth'
> & { readonly outputSchema: JsonObject | null };

export function createdText(content: CreatedContent): string {
  const { attachments, model, outputSchema, maxDepth } = content;
  const roots = content.roots.map((root) => {
    const { name, at: _, ...keys } = root;
    return [name, keys] as const;
  });
  const toolsets = content.toolsets.map(({ key, configuration, approvals }) => {
    const kept = Object.fromEntries(approvals.map(({ tool, decision }) => [tool, decision]));
    return [key, { ...configuration, ...(approvals.length === 0 ? {} : { approvals: kept }) }] as const;
  });
  const limits = stated({ ...attachments, allow: attachments.allow ?? undefined });
  const isUsual = equalJson({ ...attachments }, { ...workerDefaults.attachments });
  const lines = [
    `name: ${content.name}`,
    `description: ${flow(content.description)}`,
    ...(model === null ? [] : [`model: ${flow(model)}`]),
    ...(outputSchema === null ? [] : [`output: ${flow(outputSchema)}`]),
    ...(roots.length === 0 ? [] : ['sandbox:', '  paths:', ...section(roots, '    ')]),
    ...(isUsual ? [] : [`attachments: ${flow(limits)}`]),
    ...(toolsets.length === 0 ? [] : ['toolsets:', ...section(toolsets, '  ')]),
    ...(maxDepth === workerDefaults.maxDepth ? [] : [`max_depth: ${maxDepth}`]),
  ];
  return `${lines.join('\n')}\n---\n${content.instructions}\n`;
}

function section(entries: readonly (readonly [string, JsonObject])[], indent: string): readonly string[] {
  return entries.map(([key, value]) => `${indent}${keyText(key)}: ${flow(value)}`);
}

function keyText(key: string): string {
  return /^[a-z][a-z0-9_-]*$/.test(key) ? key : jsonText(key);
}

/** YAML on one line, with escapes for invisible characters. */
function flow(value: Json): string {
  if (typeof value !== 'object' || value === null) return jsonText(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flow).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${flow(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
