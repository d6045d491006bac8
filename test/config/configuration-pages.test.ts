import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configurationPages, exampleFile } from '../../docs/generate-configuration.ts'
import { loadConfig } from '../../src/config/config.ts'
import { FileSchema } from '../../src/config/schema.ts'
import { variableTable } from '../../src/config/variables.ts'

const pages = configurationPages()
const page = pages['docs/configuration.md']!

test('every variable is on both pages', () => {
  for (const { name } of variableTable) for (const text of Object.values(pages)) expect(text).toContain(name)
})

test('every key of the file is on the page, with its meaning', () => {
  const keys = (node: object): string[] =>
    Object.entries(node).flatMap(([keyword, value]) => {
      if (typeof value !== 'object' || value === null) return []
      return keyword === 'properties' ? [...Object.keys(value), ...keys(value)] : keys(value)
    })
  for (const key of keys(FileSchema)) expect(page).toMatch(new RegExp(`[.\`]${key}[.\`]|### ${key}\n`))
  expect(page).not.toContain('undefined')
})

test('the example on the page is a valid configuration', () => {
  const directory = mkdtempSync(join(tmpdir(), 'example-'))
  const path = join(directory, 'config.json')
  const [, shown] = /```json\n([\s\S]*?)\n```/.exec(page)!
  writeFileSync(path, shown!)
  const config = loadConfig({ GATEWAY_CONFIG: path })
  rmSync(directory, { recursive: true })
  expect(config.models.default).toBe(exampleFile.models.default)
  expect(config.shopping.mode).toBe(exampleFile.shopping.mode)
})

test('the example environment sets nothing until a line is uncommented', () => {
  for (const line of pages['.env.example']!.split('\n')) expect(line).toMatch(/^(#.*)?$/)
})
