import type { Json } from '@ambit/core';
import { evaluate } from '../../src/condition/evaluate.js';
import type { Expression } from '../../src/condition/expression.js';
import { Undecidable } from '../../src/condition/operators.js';
import { readExpression } from '../../src/condition/read-expression.js';
import { parseYaml } from '../../src/text/parse-yaml.js';
import { collectProblems } from '../../src/text/problems.js';
import { createSource } from '../../src/text/source.js';
import { folders } from '../world.js';

/** An expression whose keys may have any root; null if it is refused. */
export function parseFree(rule: Json): Expression | null {
  const text = JSON.stringify(rule);
  const problems = collectProblems();
  const root = parseYaml(text, problems);
  if (root === null) return null;
  const reading = { source: createSource('rule', text), problems, folders };
  const expression = readExpression(root, { reading, roots: null });
  return problems.isEmpty ? (expression ?? null) : null;
}

/** The value of the dialect, or the reason why there is none. */
export function dialect(rule: Json, data: Json): { value: Json } | 'refused' | 'undecided' {
  const expression = parseFree(rule);
  if (expression === null) return 'refused';
  const value = evaluate(expression, data).value;
  return value instanceof Undecidable ? 'undecided' : { value };
}
