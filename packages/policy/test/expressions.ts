import type { Json } from '@ambit/core';
import { evaluateValue } from '../src/evaluate.js';
import type { Expression } from '../src/expression.js';
import { Undecidable } from '../src/operators.js';
import { parseYaml } from '../src/parse-yaml.js';
import { collectProblems } from '../src/problems.js';
import { readExpression } from '../src/read-expression.js';
import { createSource } from '../src/source.js';
import { folders } from './world.js';

/** An expression that may begin its keys with anything, or null where it is refused. */
export function parseFree(rule: Json): Expression | null {
  const text = JSON.stringify(rule);
  const problems = collectProblems();
  const root = parseYaml(text, problems);
  if (root === null) return null;
  const reading = { source: createSource('rule', text), problems, folders };
  const expression = readExpression(root, { reading, roots: null });
  return problems.isEmpty ? (expression ?? null) : null;
}

/** The dialect's value, or why there is none. */
export function dialect(rule: Json, data: Json): { value: Json } | 'refused' | 'undecided' {
  const expression = parseFree(rule);
  if (expression === null) return 'refused';
  const value = evaluateValue(expression, data);
  return value instanceof Undecidable ? 'undecided' : { value };
}
