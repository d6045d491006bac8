import { describe, expect, test } from 'vitest'
import { referencePage } from '../../console/site/reference/page.ts'
import { operations as chineseOperations, rateLimits, sentences } from '../../console/site/reference/words/chinese.ts'
import { wordsOf } from '../../console/site/reference/words/words.ts'
import { loadConfig } from '../../src/config/config.ts'
import { eventRows } from '../../src/contract/event-types.ts'
import { codesIn } from '../../src/contract/operations/access.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { serviceFacts } from '../../src/documents/facts.ts'
import { type Language, languages } from '../../src/documents/guide.ts'
import { inlinedElements, siteFiles } from '../../testkit/http/site-files.ts'

const config = loadConfig({})
const operations = publicOperations(config.providerNames)
const facts = serviceFacts(config)

const render = (language: Language, words = wordsOf[language]) =>
  referencePage({ operations, facts, words, language, prefix: '', files: siteFiles })

describe.each(languages)('the reference in %s', (language) => {
  const page = render(language)
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

  test('the reference has a place for every operation and every error code, each id once', () => {
    for (const { id } of operations) expect(ids).toContain(id)
    for (const code of codesIn(operations)) expect(ids).toContain(code)
    expect(page).not.toContain('EMAIL_DELIVERY_UNAVAILABLE')
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('the reference links only to places that exist', () => {
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  test('the reference shows every field of every request', () => {
    for (const { id, request } of operations) {
      const article = page.slice(page.indexOf(`<article id="${id}"`)).split('</article>')[0]!
      const fields = Object.keys((request as { properties?: object } | undefined)?.properties ?? {})
      for (const field of fields) expect(article).toContain(`<code class="name">${field}</code>`)
    }
  })

  test('the reference names every type of events', () => {
    for (const [type, { name }] of Object.entries(eventRows)) {
      expect(page).toContain(`<code>${type}</code>`)
      expect(page).toContain(name[language])
    }
  })

  test('the reference carries no other inline script or style, and no handler', () => {
    expect(page.replace(inlinedElements, '')).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+="/)
  })
})

describe('the Chinese page', () => {
  test('the Chinese page translates every description that it shows, and keeps no translation of a text that is gone', () => {
    const shown = new Set<string>()
    const sentence = (text: string) => {
      shown.add(text)
      return text
    }
    render('zh', { ...wordsOf.zh, sentence })
    expect([...shown].filter((text) => !(text in sentences))).toEqual([])
    expect(Object.keys(sentences).filter((text) => !shown.has(text))).toEqual([])
  })

  test('the Chinese page names every operation and every rate limit', () => {
    expect(Object.keys(chineseOperations).sort()).toEqual(operations.map(({ id }) => id).sort())
    for (const { name } of facts.rateLimits) expect(Object.keys(rateLimits)).toContain(name)
  })

  test('the Chinese page speaks in its guide of the same codes, fields and headers as the contract does', () => {
    const marked = (text: string) => [...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!))].sort()
    const options = { operations, origin: facts.origin }
    const [english, chinese] = [wordsOf.en.guide(options), wordsOf.zh.guide(options)]
    expect(chinese.map(({ text }) => marked(text))).toEqual(english.map(({ text }) => marked(text)))
  })

  test('the Chinese page leaves no English label: both languages differ wherever they say something', () => {
    const same = Object.entries(wordsOf.en.page).filter(
      ([name, text]) => wordsOf.zh.page[name as keyof typeof wordsOf.zh.page] === text,
    )
    expect(same.map(([name]) => name)).toEqual(['null'])
  })
})
