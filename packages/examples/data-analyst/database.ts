import { pathToFileURL } from 'node:url';
import { cannot, defineTool, defineToolset, type JsonObject } from '@ambit/core';
import Database from 'libsql';
import * as z from 'zod';

const statement = z.strictObject({ sql: z.string() });

/** The first words of statements that only read. `ATTACH` and `PRAGMA` can do more. */
const reading = /^\s*(?:select|with|values)\b/i;

/** Functions that libSQL adds to every connection: they read and write any file. */
const otherFiles = /readfile|writefile|fsdir/i;

/** A SQLite file: `query` reads it on a connection that cannot write, and `change` changes it. */
export function databaseToolset(file: string) {
  return defineToolset({
    name: 'database',
    tools: [
      defineTool({
        name: 'query',
        description: 'Reads with one SELECT.',
        input: statement,
        describe: ({ sql }) => {
          const capabilities = [{ name: 'fs.read', path: file }];
          return reading.test(sql) && !otherFiles.test(sql)
            ? { capabilities }
            : cannot('`query` takes one SELECT', capabilities);
        },
        execute: ({ sql }) => rows(file, sql, true),
      }),
      defineTool({
        name: 'change',
        description: 'Changes rows with one INSERT, UPDATE or DELETE.',
        input: statement,
        describe: ({ sql }) => {
          const capabilities = [
            { name: 'fs.read', path: file },
            { name: 'fs.write', path: file },
          ];
          const isOne = /^\s*(?:insert|update|delete)\b/i.test(sql) && !otherFiles.test(sql);
          return isOne
            ? { capabilities }
            : cannot('`change` takes one INSERT, UPDATE or DELETE', capabilities);
        },
        execute: ({ sql }) => rows(file, sql, false),
      }),
    ],
  });
}

/** Runs the first statement. */
export function rows(file: string, sql: string, readonly: boolean): JsonObject[] {
  // libSQL ignores its own option `readonly`.
  const database = new Database(readonly ? `${pathToFileURL(file).href}?mode=ro` : file);
  try {
    const prepared = database.prepare(sql);
    if (prepared.reader) return prepared.all() as JsonObject[];
    return [{ changed: prepared.run().changes }];
  } finally {
    database.close();
  }
}
