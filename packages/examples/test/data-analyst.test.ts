import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseToolset, rows } from '../data-analyst/database.js';

describe('the database of the data analyst', () => {
  const folder = mkdtempSync(join(tmpdir(), 'analyst-'));
  const file = join(folder, 'shop #1.db');
  afterAll(() => rmSync(folder, { recursive: true }));

  const made = new Database(file);
  made.exec('CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1)');
  made.close();

  it.each([
    'WITH one AS (SELECT 2) INSERT INTO orders SELECT * FROM one',
    'WITH one AS (SELECT 1) DELETE FROM orders RETURNING id',
    'SELECT id FROM orders; DELETE FROM orders',
  ])('is not changed by a query: %s', (sql) => {
    const before = readFileSync(file);
    try {
      rows(file, sql, true);
    } catch (error) {
      expect(String(error)).toContain('readonly');
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(rows(file, 'SELECT id FROM orders', true)).toEqual([{ id: 1 }]);
  });

  it.each([
    ['query', "SELECT readfile('/etc/passwd')"],
    ['query', "SELECT WriteFile('/tmp/x', 'x')"],
    ['query', "SELECT data FROM fsdir WHERE path = '/etc'"],
    ['change', `INSERT INTO orders SELECT "readfile"('/etc/passwd')`],
  ])('opens no other file: %s %s', async (name, sql) => {
    const tool = databaseToolset(file).tools.find((each) => each.name === name);
    const signal = new AbortController().signal;
    expect(await tool?.describe({ sql }, { chain: ['analyst'], signal })).toHaveProperty('cannot');
  });
});
