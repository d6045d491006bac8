import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Prints every file that a module loads, with what it imports in turn. */
const lister = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  for (const url of process.argv.slice(1)) await import(url)
  console.log(JSON.stringify(loaded))`

test('the thread of the embedded store loads no package: each store that opens would wait for it', () => {
  const procedures = new URL('../../src/storage/sqlite/batch.ts', import.meta.url).href
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', lister, procedures], {
    encoding: 'utf8',
  })
  const loaded = JSON.parse(printed) as string[]
  expect(loaded).toContain(procedures)
  expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([])
})
