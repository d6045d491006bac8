import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A name that begins so lacks its subject, which then only the `describe` around it says. */
const verb = /^(is|are|was|were|has|have|does|do|can|cannot|may|gets|gives|keeps|lets|finds|refuses|returns|shows)\b/

test('the name of a test reads as a sentence without the describe around it', () => {
  const nameless = globSync('test/**/*.test.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*(?:test|it)\(\s*(['"`])(.*?)\1,/gm)]
      .filter(([, , name]) => verb.test(name!))
      .map(([, , name]) => `${file}: ${name}`),
  )
  expect(nameless).toEqual([])
})
