import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pagesDir = join(import.meta.dirname, '../../../console/src/pages')
const source = readFileSync(join(pagesDir, 'pages.ts'), 'utf8')
const wordsIn = (text: string) => Array.from(text.matchAll(/import\('\.\/(\w+)\/words\.ts'\)/g), ([, name]) => name!)
const sections = [...new Set(wordsIn(source))]

/** The pages of the console with the file and the sections of words that each loads. */
const pages = Array.from(
  source.matchAll(/^ {2}(\w+): page\(\{(.*?)^ {2}\}\)/gms),
  ([, name, entry]) => [name!, /import\('([^']+\.tsx)'\)/.exec(entry!)![1]!, wordsIn(entry!)] as const,
)

test.each(pages)('the page %s loads the words of every section that it uses', (_, file, loaded) => {
  const used = new Set<string>()
  for (const text of filesFrom(join(pagesDir, file))) {
    for (const section of sections) if (new RegExp(`\\bt\\([^)]*['"\`]${section}\\.`).test(text)) used.add(section)
  }
  expect([...used].filter((section) => !loaded.includes(section))).toEqual([])
})

/** The text of a file and of everything that it imports at once from the console. */
function filesFrom(file: string, seen = new Map<string, string>()): string[] {
  if (seen.has(file)) return []
  const text = readFileSync(file, 'utf8')
  seen.set(file, text)
  for (const [, path] of text.matchAll(/from '(\.[^']+\.tsx?)'/g)) filesFrom(join(dirname(file), path!), seen)
  return [...seen.values()]
}

test('finds the pages and their sections', () => {
  expect(pages.length).toBeGreaterThan(10)
  expect(sections).toContain('playground')
})
