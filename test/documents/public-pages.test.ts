import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { frameWords } from '../../console/site/frame/words.ts'
import { pages } from '../../console/site/pages.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { SiteConfig } from '../../src/config/schema.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { serviceFacts } from '../../src/documents/facts.ts'
import { type Language, languages, languageTags } from '../../src/documents/guide.ts'
import type { SitePages } from '../../src/documents/site.ts'
import type { StatusDocument } from '../../src/documents/status.ts'
import { inlinedElements, siteFiles } from '../../testkit/http/site-files.ts'
import { publicVariables, withFile } from '../config/load.ts'

const config = loadConfig({})
const operations = publicOperations(config.providerNames)
const names = Object.keys(pages) as (keyof SitePages)[]
const status: StatusDocument = { state: 'ok', updatedAt: null, fewestCalls: 20, operations: [], incidents: [] }

function render(name: keyof SitePages, language: Language = 'en', site: SiteConfig = { filings: [] }): string {
  const facts = { ...serviceFacts(config), site }
  const options = { operations, facts, language, prefix: '', files: siteFiles, status }
  return pages[name](options)
}

const partOf = (page: string, tag: 'header' | 'footer') =>
  new RegExp(`<${tag} class="(?:top|foot)">(.*?)</${tag}>`, 's').exec(page)![1]!

describe.each(languages)('the public pages in %s', (language) => {
  test.each(names)('the page %s has brand, language and both ways in, and one header and footer', (name) => {
    const page = render(name, language)
    const words = frameWords[language]
    const header = partOf(page, 'header')
    expect(page.match(/<header class="top">|<footer class="foot">/g)).toHaveLength(2)
    expect(page).toContain(`<html lang="${languageTags[language]}">`)
    for (const text of [words.product, words.otherLanguage, words.signIn, words.console]) expect(header).toContain(text)
    for (const path of ['/pricing', '/docs', '/verify']) expect(header).toContain(`href="${path}/${language}"`)
    expect(page).toMatch(inlinedElements)
    expect(page.replace(inlinedElements, '')).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+="/)
  })

  test.each(names)('the page %s names no operator while no setting does', (name) => {
    const footer = partOf(render(name, language), 'footer')
    const { operator, contact, terms, privacy, icp } = frameWords[language]
    for (const text of [operator, contact, terms, privacy, icp]) expect(footer).not.toContain(text)
    expect(footer).not.toMatch(/undefined|null|href="https?:/)
  })

  test('the footer shows each setting, as text', () => {
    const site = {
      ...{ name: 'Example <Ltd>', contact: 'help@gateway.example', icp: '浙ICP备1号' },
      ...{ termsUrl: 'https://gateway.example/terms?a=1&b=2', privacyUrl: 'https://gateway.example/privacy' },
      filings: [{ model: 'small & fast', number: 'No. 7' }],
    }
    const footer = partOf(render('pricing', language, site), 'footer')
    expect(footer).toContain('Example &lt;Ltd&gt;')
    expect(footer).toContain('<a href="mailto:help@gateway.example">')
    expect(footer).toContain('<a href="https://gateway.example/terms?a=1&amp;b=2">')
    expect(footer).toContain('<a href="https://gateway.example/privacy">')
    expect(footer).toContain('>浙ICP备1号</a>')
    expect(footer).toContain('small &amp; fast')
    expect(footer).toContain('No. 7')
  })
})

test.each([
  ['https://gateway.example/help', '<a href="https://gateway.example/help"'],
  ['help@gateway.example', '<a href="mailto:help@gateway.example"'],
  ['400-800-1234', '400-800-1234</span>'],
  ['javascript:alert(1)@x.y', 'javascript:alert(1)@x.y</span>'],
])('the contact %s is a link only if it is an address', (contact, shown) => {
  const footer = partOf(render('home', 'en', { contact, filings: [] }), 'footer')
  expect(footer).toContain(shown)
  expect(footer).not.toContain('href="javascript')
})

test('the pages of a public origin name real models and shops, and nothing that is only for trying things out', () => {
  const shop = { baseUrl: 'https://shop.example/v1' }
  const model = { adapter: 'openai', baseUrl: 'https://models.example/v1', models: { quick: 'upstream' } }
  const file = {
    models: { providers: { model_provider_a: model } },
    shopping: { providers: { shop_provider_a: shop, shop_provider_b: { ...shop, disabled: true } } },
  }
  const facts = serviceFacts(withFile(file, publicVariables))
  for (const language of languages) {
    for (const name of ['home', 'pricing', 'notFound', 'verify'] as const) {
      const page = pages[name]({ operations, facts, language, prefix: '', files: siteFiles })
      expect(page).not.toMatch(/\bdemo|local-|simulated|fixture|演示|模拟|测试/i)
    }
    const home = pages.home({ operations, facts, language, prefix: '', files: siteFiles })
    expect(home).toContain('<code>quick</code>')
    expect(home).toContain('<code>shop_provider_a</code>')
    expect(home).not.toContain('shop_provider_b')
    const reference = pages.reference({ operations, facts, language, prefix: '', files: siteFiles })
    expect(reference).not.toMatch(/What is simulated|模拟的部分/)
  }
})

test('the home page offers a call that works where there is no model', () => {
  const facts = serviceFacts(withFile({}, publicVariables))
  const home = pages.home({ operations, facts, language: 'en', prefix: '', files: siteFiles })
  expect(home).toContain('/v1/shopping/search')
  expect(home).not.toContain('chat.completions')
})

describe('the styles of console and public pages', () => {
  const root = join(import.meta.dirname, '../../console')
  const styles = globSync(['src/**/*.css', 'site/**/*.css'], { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))

  test('the notice above every page is styled once', () => {
    expect(styles.filter(({ text }) => text.includes('.page-notice')).map(({ path }) => path)).toEqual([
      'src/design/page-notice.css',
    ])
  })

  test('fonts and colours of the palette are named once, for both', () => {
    const naming = (declares: RegExp) => styles.filter(({ text }) => declares.test(text)).map(({ path }) => path)
    expect(naming(/--(sans|serif|mono|paper|ink|accent):/)).toEqual(['src/design/tokens.css'])
    expect(naming(/font-family: (?!var\(|inherit)|font-family:\n|font:[^;]*(system-ui|ui-monospace)/)).toEqual([])
  })
})
