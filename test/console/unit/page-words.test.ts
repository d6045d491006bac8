import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

describe.each([
  { console: 'payer', directory: 'pages', prefix: '', section: 'playground' },
  { console: 'operator', directory: 'operator/pages', prefix: 'operator.', section: 'money' },
])('$console console', ({ directory, prefix, section: known }) => {
  const pagesDir = join(import.meta.dirname, '../../../console/src', directory)
  const source = readFileSync(join(pagesDir, 'pages.ts'), 'utf8')
  /** The sections of the words that a text imports. */
  const wordsIn = (text: string) =>
    Array.from(text.matchAll(/import\('\.\/([\w-]+\/words\.ts)'\)/g), ([, path]) => sectionsOf(path!)).flat()
  const sectionsOf = (path: string) =>
    Array.from(
      readFileSync(join(pagesDir, path), 'utf8').matchAll(/^export const (\w+) = \{ en/gm),
      ([, section]) => section!,
    )
  const sections = [...new Set(wordsIn(source))]

  /** The pages of the console with the file and the sections of words that each loads. */
  const pages = Array.from(
    source.matchAll(/^ {2}(\w+): page\(\{(.*?)\}\),$/gms),
    ([, name, entry]) => [name!, /import\('([^']+\.tsx)'\)/.exec(entry!)![1]!, wordsIn(entry!)] as const,
  )

  test.each(pages)('the page %s loads the words of every section that it uses', (_, file, loaded) => {
    const used = new Set<string>()
    for (const text of filesFrom(join(pagesDir, file))) {
      for (const section of sections)
        if (new RegExp(`\\bt\\([^)]*['"\`]${prefix}${section}\\.`).test(text)) used.add(section)
    }
    expect([...used].filter((section) => !loaded.includes(section))).toEqual([])
  })

  test('the reader of pages finds the pages and their sections', () => {
    expect(pages.length).toBeGreaterThan(10)
    expect(sections).toContain(known)
  })
})

/** The text of a file and of everything that it imports at once from the console. */
function filesFrom(file: string, seen = new Map<string, string>()): string[] {
  if (seen.has(file)) return []
  const text = readFileSync(file, 'utf8')
  seen.set(file, text)
  for (const [, path] of text.matchAll(/from '(\.[^']+\.tsx?)'/g)) filesFrom(join(dirname(file), path!), seen)
  return [...seen.values()]
}
