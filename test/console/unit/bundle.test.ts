import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const dist = new URL('../../../console/dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8')) as Record<string, { file: string }>
const packedBytes = (file: string) => statSync(new URL(`${file}.gz`, dist)).size
/** The size of the chunk of a source file; 0 if it has none. */
const bytesOf = (source: string) => (manifest[source] ? packedBytes(manifest[source].file) : 0)

const pages = Object.keys(manifest).filter((source) => /^src\/pages\/.*\.tsx$/.test(source))

test.each(pages)('a first visit that begins with %s loads less than 160 KB', (page) => {
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  const named = [...html.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, file]) => file!)
  expect(named.some((name) => name.endsWith('.css'))).toBe(true)
  const atOnce = named.reduce((sum, file) => sum + packedBytes(file), 0)
  const words = Math.max(...['en', 'zh'].map((language) => bytesOf(`src/i18n/${language}/${language}.ts`)))
  const ownWords = bytesOf(page.replace(/[\w-]+\.tsx$/, 'words.ts'))
  expect(atOnce + words + ownWords + bytesOf(page)).toBeLessThan(160_000)
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
