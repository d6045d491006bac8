import { readFileSync } from 'node:fs'
import { Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import type { Call, RouteResponse } from '../http/route.ts'
import { chooseLanguage } from '../http/static/compress.ts'
import { contentHash, createStaticContent, type StaticContent } from '../http/static/static-content.ts'
import type { ServiceFacts } from './facts.ts'
import { createPublicPage } from './public-page.ts'
import { referencePage } from './reference/page.ts'
import { type Language, languages, otherThan, wordsOf } from './reference/words/words.ts'

export interface DocsPage {
  readonly languages: readonly Language[]
  /** In the language that the browser asks for. */
  readonly page: (call: Call) => Promise<RouteResponse>
  readonly pageIn: (language: Language, call: Call) => Promise<RouteResponse>
  /** The files of the page, by the name that carries their hash. */
  readonly asset: (call: Call, name: string) => Promise<RouteResponse>
}

export interface DocsPageOptions {
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
  /** Files of other pages, which are served beside its own. */
  readonly otherFiles?: readonly { readonly name: string; readonly content: StaticContent }[]
}

/** The reference for people: made from the contract with the first visit, and static from then on. */
export function createDocsPage({ operations, facts, otherFiles = [] }: DocsPageOptions): DocsPage {
  const files = [file('style', 'css'), file('script', 'js'), file('mark', 'svg')]
  const [style, script, mark] = files.map(({ name }) => name) as [string, string, string]
  const assets = new Map([...files, ...otherFiles].map(({ name, content }) => [name, content]))
  // About 20 ms each.
  const pageIn = createPublicPage((language, prefix) =>
    referencePage({
      ...{ operations, facts, prefix, assets: { style, script, mark } },
      words: wordsOf[language],
      other: wordsOf[otherThan(language)],
    }),
  )

  return {
    languages,
    page: (call) => pageIn(chooseLanguage(call.header('accept-language'), languages), call).respond(call),
    pageIn: (language, call) => pageIn(language, call).respond(call),
    async asset(call, name) {
      const asset = assets.get(name)
      if (!asset) throw new Refusal('NOT_FOUND')
      return asset.respond(call)
    },
  }
}

const styles = ['base', 'frame', 'contents', 'operation', 'fields', 'panel', 'table', 'text', 'screens']
const sources = {
  // One file to the browser, in this order: a later rule wins over an earlier one of the same weight.
  style: styles.map((name) => `style/${name}.css`),
  script: ['reference.js'],
  mark: ['mark.svg'],
}
const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

function file(use: keyof typeof sources, type: keyof typeof contentTypes) {
  const folder = new URL('./reference/assets/', import.meta.url)
  const body = sources[use].map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  return {
    name: `${use}-${contentHash(body)}.${type}`,
    content: createStaticContent({ body, contentType: contentTypes[type], isImmutable: true }),
  }
}
