import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

describe.each([
  { console: 'payer', directory: 'pages', prefix: '', section: 'playground', loadedBy: addedBy },
  { console: 'operator', directory: 'operator/pages', prefix: 'operator.', section: 'money', loadedBy: namedBy },
])('$console console', ({ directory, prefix, section: known, loadedBy }) => {
  const pagesDir = join(import.meta.dirname, '../../../console/src', directory)
  const source = readFileSync(join(pagesDir, 'pages.ts'), 'utf8')
  const sections = globSync('*/words.ts', { cwd: pagesDir }).flatMap((path) => sectionsOf(join(pagesDir, path)))

  /** The pages of the console with the file and the sections of words that each loads. */
  const pages = Array.from(source.matchAll(/^ {2}(\w+): page\(\{(.*?)\}\),$/gms), ([, name, entry]) => {
    const files = filesFrom(join(pagesDir, /import\('([^']+\.tsx)'\)/.exec(entry!)![1]!))
    return [name!, files, loadedBy({ files, entry: entry!, pagesDir }).flatMap(sectionsOf)] as const
  })

  test.each(pages)('the page %s loads the words of every section that it uses', (_, files, loaded) => {
    const used = new Set<string>()
    for (const text of files.values()) {
      for (const section of sections)
        if (new RegExp(`\\bt\\([^)]*['"\`]${prefix}${section}\\.`).test(text)) used.add(section)
    }
    expect([...used].filter((section) => !loaded.includes(section))).toEqual([])
  })

  test('the reader of pages finds the pages and their sections', () => {
    expect(pages.length).toBeGreaterThan(10)
    expect(sections).toContain(known)
    expect(pages.filter(([, , loaded]) => loaded.length > 0).length).toBeGreaterThan(10)
  })
})

interface PageSource {
  readonly files: ReadonlyMap<string, string>
  readonly entry: string
  readonly pagesDir: string
}

/** The files of words that modules of the page add. */
function addedBy({ files }: PageSource): string[] {
  return [...files].flatMap(([file, text]) =>
    Array.from(text.matchAll(/import \* as (\w+) from '([^']+words\.ts)'/g), ([, name, path]) =>
      new RegExp(`^addWords\\(.*\\b${name}\\b.*\\)$`, 'm').test(text) ? [join(dirname(file), path!)] : [],
    ).flat(),
  )
}

/** Those that the list of pages names. */
function namedBy({ entry, pagesDir }: PageSource): string[] {
  return Array.from(entry.matchAll(/import\('\.\/([\w-]+\/words\.ts)'\)/g), ([, path]) => join(pagesDir, path!))
}

function sectionsOf(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/^export const (\w+) = \{ en/gm), ([, section]) => section!)
}

/** The text of a file and of everything that it imports at once from the console. */
function filesFrom(file: string, seen = new Map<string, string>()): ReadonlyMap<string, string> {
  if (seen.has(file)) return seen
  const text = readFileSync(file, 'utf8')
  seen.set(file, text)
  for (const [, path] of text.matchAll(/from '(\.[^']+\.tsx?)'/g)) filesFrom(join(dirname(file), path!), seen)
  return seen
}
