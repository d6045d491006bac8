import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const dist = new URL('../../../console/dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8')) as Record<
  string,
  { file: string; imports?: string[] }
>
/** As browsers get it over HTTPS. */
const packedBytes = (file: string) => statSync(new URL(`${file}.br`, dist)).size
/** The chunk of a source file and all that it imports. */
const filesOf = (source: string): string[] => [
  manifest[source]!.file,
  ...(manifest[source]!.imports ?? []).flatMap(filesOf),
]
const html = readFileSync(new URL('index.html', dist), 'utf8')
const atOnce = [...html.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, file]) => file!)

const pages = Object.keys(manifest).filter((source) => /^src\/pages\/.*\.tsx$/.test(source))

describe.each(pages)('a first visit that begins with %s', (page) => {
  const visits = ['en', 'zh'].map((language) => [
    ...new Set([...atOnce, ...filesOf(`src/i18n/${language}/${language}.ts`), ...filesOf(page)]),
  ])

  test('loads less than 150 KB', () => {
    expect(atOnce.some((name) => name.endsWith('.css'))).toBe(true)
    for (const files of visits) expect(files.reduce((sum, file) => sum + packedBytes(file), 0)).toBeLessThan(150_000)
  })

  // A browser has six connections: on a phone each further file is a round trip.
  test('loads at most three files more than the application', () => {
    for (const files of visits) expect(files.length - atOnce.length).toBeLessThanOrEqual(3)
  })
})

test('payers download nothing of the operator console', () => {
  const scripts = (directory: string) =>
    readdirSync(new URL(directory, dist))
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(new URL(`${directory}${name}`, dist), 'utf8'))
  const isOfOperators = (script: string) => script.includes('gateway-operator')
  expect(scripts('operator/assets/').filter(isOfOperators)).toHaveLength(1)
  expect(scripts('assets/').filter(isOfOperators)).toEqual([])
})

test.each(['index.html', 'operator/operator.html'])('%s has no script, style or handler inside it', (path) => {
  const html = readFileSync(new URL(path, dist), 'utf8')
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
})
