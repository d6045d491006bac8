import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const [retired, odd] = ['instead of', 'odd word'].map((header) =>
  glossary
    .slice(glossary.indexOf(`| ${header} |`))
    .split('\n\n')[0]!
    .split('\n')
    .slice(2)
    .flatMap((line) => (/^\| ([^|]+) \| [^|]+ \|$/.exec(line)?.[1] ?? '').split(', '))
    .filter((word) => word !== ''),
) as [string[], string[]]

/** As a word of a sentence or of a name, in the singular and plural: `flights`, `inHousekeeping`. */
const patterns = [...retired, ...odd].map((word) => ({
  word,
  /** Decisions and the CHANGELOG are not rewritten for a word that only reads badly. */
  isKeptInHistory: odd.includes(word),
  pattern: new RegExp(`\\b${either(word)}s?\\b|(?<=[a-z])${capital(word)}s?(?![a-z])|\\b${either(word)}s?(?=[A-Z])`),
}))

/** A standard term, an option of Chromium, a reason that stored audit entries hold, and a user of Unix. */
const exempt = /inFlight|automaticPresenceSimulation|, or changed meanwhile'|'-u', 'nobody'/g

const isHistory = (file: string) => file === 'CHANGELOG.md' || file.startsWith('docs/decisions/')

const own = new Set(['docs/glossary.md', 'test/docs/glossary.test.ts'])
const files = ['{src,test,testkit,bench,docs}/**/*', '{console,sdk}/{build,site,src}/**/*', 'sdk/*', 'console/*', '*']
  .flatMap((pattern) => globSync(`${pattern}.{ts,tsx,js,html,md,sql}`, { cwd: root }))
  .filter((file) => !file.includes('node_modules') && !own.has(file))

test('the glossary lists retired words', () => {
  expect(retired.length).toBeGreaterThan(8)
  expect(odd).toEqual(expect.arrayContaining(['nobody', 'meanwhile', 'beside', 'told', 'tells']))
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
          .filter(({ isKeptInHistory }) => !(isKeptInHistory && isHistory(file)))
          .filter(({ pattern }) => pattern.test(line.replaceAll(exempt, '')))
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

function either(word: string): string {
  return word === word.toLowerCase() ? `[${word[0]}${word[0]!.toUpperCase()}]${word.slice(1)}` : word
}
