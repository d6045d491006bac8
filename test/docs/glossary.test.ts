import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const retired = glossary
  .slice(glossary.indexOf('## Retired words'))
  .split('\n')
  .flatMap((line) => (/^\| ([^|]+) \| [^|]+ \|$/.exec(line)?.[1] ?? '').split(', '))
  .filter((word) => word !== '' && word !== 'instead of')

/** As a word of a sentence or of a name, in the singular and plural: `flights`, `inHousekeeping`. */
const patterns = retired.map((word) => ({
  word,
  pattern: new RegExp(
    `\\b${word}s?\\b|(?<=[a-z])${capital(word)}s?(?![a-z])|\\b${word}s?(?=[A-Z])`,
    word === word.toLowerCase() ? 'i' : '',
  ),
}))

const own = new Set(['docs/glossary.md', 'test/docs/glossary.test.ts'])
const files = ['{src,test,testkit,bench,docs}/**/*', 'console/{build,src}/**/*', 'console/*', '*']
  .flatMap((pattern) => globSync(`${pattern}.{ts,tsx,js,html,md,sql}`, { cwd: root }))
  .filter((file) => !file.includes('node_modules') && !own.has(file))

test('the glossary lists retired words', () => {
  expect(retired.length).toBeGreaterThan(8)
  expect(files.length).toBeGreaterThan(300)
})

test('the glossary defines each word once', () => {
  const defined = [...glossary.matchAll(/^\| ([^|]+) \| /gm)].map(([, word]) => word).filter((word) => word !== 'word')
  expect(defined.filter((word, index) => defined.indexOf(word) !== index)).toEqual([])
})

test('no retired word is used in code, documents or console', () => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        patterns
          .filter(({ pattern }) => pattern.test(line.replaceAll('inFlight', '')))
          .map(({ word }) => `${file}:${index + 1} ${word}: ${line.trim()}`),
      ),
  )
  expect(found).toEqual([])
})

test('each thing has one name in Chinese', () => {
  const section = glossary.slice(glossary.indexOf('## Chinese'), glossary.indexOf('## Retired words'))
  const other = [...section.matchAll(/^\| (\p{Script=Han}[^|]*) \| /gmu)]
    .flatMap(([, words]) => words!.split('、'))
    .filter((word) => word !== '不用')
  expect(other.length).toBeGreaterThan(15)
  expect(other).toContain('账户')
  // Tests hold texts of others too, such as the bills of a payment provider.
  const ours = files.filter((file) => !/^test(kit)?\//.test(file))
  const found = ours.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        other.filter((word) => line.includes(word)).map((word) => `${file}:${index + 1} ${word}: ${line.trim()}`),
      ),
  )
  expect(found).toEqual([])
})

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1)
}
