import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshStore } from '../../testkit/store/engines.ts'

/** Checks docs/data-model.md and docs/schema-diagram.md against the tables of a real store. */

const docs = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const diagramOf = (page: string) => /```mermaid\n([\s\S]*?)```/.exec(page)![1]!
const page = docs('data-model')
const schema = readFileSync(new URL('../../src/storage/schema/schema.sql', import.meta.url), 'utf8')

let opened: Awaited<ReturnType<typeof freshStore>>
beforeAll(async () => {
  opened = await freshStore('sqlite')
})
afterAll(() => opened.remove())

const ask = <R extends object>(sql: string) => opened.store.read((tx) => tx.all<R>(sql))
const ownTables = `t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'schema_migrations'`

test('the diagram shows every table with every column, its type and its keys', async () => {
  const columns = await ask<{ name: string; column: string; type: string; isKey: number; isReference: number }>(
    `SELECT t.name, c.name AS "column", lower(c.type) AS type, c.pk > 0 AS isKey,
      EXISTS (SELECT 1 FROM pragma_foreign_key_list(t.name) f WHERE f."from" = c.name) AS isReference
    FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE ${ownTables}`,
  )
  const expected = columns.map(({ name, column, type, isKey, isReference }) => {
    const marks = [isKey && 'PK', isReference && 'FK'].filter(Boolean).join(', ')
    return `${name}: ${type} ${column}${marks && ` ${marks}`}`
  })
  const drawn = [...diagramOf(docs('schema-diagram')).matchAll(/^ {2}(\w+) \{\n([\s\S]*?)^ {2}\}/gm)].flatMap(
    ([, name, body]) =>
      body!
        .trim()
        .split('\n')
        .map((line) => `${name}: ${line.trim()}`),
  )
  expect(drawn.sort()).toEqual(expected.sort())
})

test('the diagram shows every foreign key', async () => {
  const references = await ask<{ parent: string; child: string; column: string }>(
    `SELECT f."table" AS parent, t.name AS child, f."from" AS "column"
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) f WHERE ${ownTables}`,
  )
  const drawn = [...diagramOf(page).matchAll(/^ {2}(\w+) \|\|--o[|{] (\w+) : (\w+)$/gm)].map(
    ([, parent, child, column]) => `${parent} ${child} ${column}`,
  )
  expect(drawn.sort()).toEqual(references.map(({ parent, child, column }) => `${parent} ${child} ${column}`).sort())
})

test('every table of schema.sql has a comment and a line on the page', () => {
  const tables = [...schema.matchAll(/(^--.*\n)?^CREATE TABLE (\w+)/gm)]
  expect(tables.length).toBeGreaterThan(15)
  for (const [, comment, name] of tables) {
    expect(comment, `the comment of ${name}`).toBeDefined()
    expect(page).toContain(`| \`${name}\` |`)
  }
})
