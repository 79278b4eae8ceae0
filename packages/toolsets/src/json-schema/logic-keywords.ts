import type { Json } from '@ambit/core';
import {
  type Check,
  firstProblem,
  type Keyword,
  type KeywordScene,
  requireList,
  SchemaFault,
  wrong,
} from './check.js';

export const logicKeywords: Readonly<Record<string, Keyword>> = {
  $ref: (value, { refer }) => {
    if (typeof value !== 'string') throw new SchemaFault('`$ref` is not text');
    const check = refer(value);
    return (given, state) => state.effort.within(() => check(given, state));
  },
  allOf: (value, scene) => {
    const checks = listOf(value, 'allOf', scene);
    return (given, state) => firstProblem(checks, (check) => check(given, state));
  },
  anyOf: (value, scene) => {
    const checks = listOf(value, 'anyOf', scene);
    return (given, state) => {
      let first: string | null = null;
      for (const check of checks) {
        const problem = check(given, state);
        if (problem === null) return null;
        first ??= problem;
      }
      return checks.length === 1
        ? first
        : wrong(state, `fits none of the ${checks.length} schemas of \`anyOf\``);
    };
  },
  oneOf: (value, scene) => {
    const checks = listOf(value, 'oneOf', scene);
    return (given, state) => {
      const fitting = checks.filter((check) => check(given, state) === null).length;
      return fitting === 1
        ? null
        : wrong(state, `fits ${fitting} of the ${checks.length} schemas of \`oneOf\`, not one`);
    };
  },
  not: (value, { compile }) => {
    const check = compile(value);
    return (given, state) => (check(given, state) === null ? wrong(state, 'fits the schema of `not`') : null);
  },
  if: (value, { schema, compile }) => {
    const check = compile(value);
    const yes = schema.then === undefined ? anything : compile(schema.then);
    const no = schema.else === undefined ? anything : compile(schema.else);
    return (given, state) => (check(given, state) === null ? yes(given, state) : no(given, state));
  },
};

const anything: Check = () => null;

function listOf(value: Json, keyword: string, { compile }: KeywordScene): readonly Check[] {
  const list = requireList(value, keyword);
  if (list.length === 0) throw new SchemaFault(`\`${keyword}\` is an empty list`);
  return list.map(compile);
}
