import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prints the packages that a module loads, with what it imports in turn. */
const lister = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
      if (name) loaded.add(name)
      return next(url, context)
    },
  })
  await import(process.argv[1])
  console.log(JSON.stringify([...loaded]))`

async function packagesOf(file: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', lister, new URL(`../../src/${file}`, import.meta.url).href],
    { cwd: new URL('../../', import.meta.url) },
  )
  return JSON.parse(stdout)
}

/** Each is loaded once it is configured or used, and would take a twentieth of the start or more. */
const onlyIfUsed = /^(typebox|undici|ajv|ajv-formats|pg|prom-client|nodemailer|@opentelemetry\/.*|@simplewebauthn\/.*)$/

test.each(['app/app.ts', 'cli/command-line.ts'])('%s loads no package before it is used', async (file) => {
  const loaded = await packagesOf(file)
  expect(loaded).not.toEqual([])
  expect(loaded.filter((name) => onlyIfUsed.test(name))).toEqual([])
})
