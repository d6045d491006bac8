import { readFileSync } from 'node:fs'
import type { Operation } from '../../contract/operation.ts'
import type { Call, Route, RouteResponse } from '../../http/route.ts'
import { chooseLanguage } from '../../http/static/compress.ts'
import { contentHash, createStaticContent } from '../../http/static/static-content.ts'
import type { ServiceFacts } from '../facts.ts'
import type { Language } from '../guide.ts'
import { createPublicPage } from '../public-page.ts'
import { languages, otherThan } from '../reference/words/words.ts'
import { homePage, pricingPage } from './home-page.ts'
import { homeWords } from './words.ts'

const pages = { home: homePage, pricing: pricingPage } as const
type PageName = keyof typeof pages

/** The public pages and their files. Each is rendered with its first visit. */
export function createHome({ operations, facts }: { operations: readonly Operation[]; facts: ServiceFacts }) {
  const files = [file('home', 'css'), file('home', 'js'), file('mark', 'svg')]
  const [style, script, mark] = files.map(({ name }) => name) as [string, string, string]
  const inLanguage = (page: PageName) =>
    createPublicPage((language, prefix) =>
      pages[page]({
        ...{ operations, facts, prefix, assets: { style, script, mark } },
        words: homeWords[language],
        other: homeWords[otherThan(language)],
      }),
    )
  const contents = { home: inLanguage('home'), pricing: inLanguage('pricing') }

  const route = (page: PageName, path: string, language?: Language): Route => ({
    operationId: `public.${page}`,
    method: 'GET',
    path,
    handle: (call) =>
      contents[page](language ?? chooseLanguage(call.header('accept-language'), languages), call).respond(call),
  })
  const icon = files[2]!.content
  return {
    assets: files,
    routes: [
      route('home', '/'),
      route('pricing', '/pricing'),
      ...languages.flatMap((language) => [
        route('home', `/${language}`, language),
        route('pricing', `/pricing/${language}`, language),
      ]),
      { operationId: 'public.icon', method: 'GET', path: '/favicon.ico', handle: (call) => icon.respond(call) },
      { operationId: 'public.docs', method: 'GET', path: '/docs/', handle: toDocs },
    ] satisfies Route[],
  }
}

const toDocs = ({ isPreview }: Call): RouteResponse => {
  const location = isPreview ? '/gateway/docs' : '/docs'
  return {
    status: 308,
    headers: { location, 'content-type': 'text/plain; charset=utf-8' },
    body: `The reference is at ${location}.\n`,
  }
}

const sources = {
  css: [
    '../reference/assets/style/base.css',
    '../reference/assets/style/panel.css',
    '../reference/assets/style/table.css',
    './assets/home.css',
  ],
  js: ['./assets/home.js'],
  svg: ['../reference/assets/mark.svg'],
} as const
const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }

function file(use: string, type: keyof typeof sources) {
  const body = sources[type].map((source) => readFileSync(new URL(source, import.meta.url), 'utf8')).join('\n')
  return {
    name: `${use}-${contentHash(body)}.${type}`,
    content: createStaticContent({ body, contentType: contentTypes[type], isImmutable: true }),
  }
}
