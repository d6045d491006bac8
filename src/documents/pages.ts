import { Refusal } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import type { Call, Route, RouteResponse } from '../http/route.ts'
import { notBuilt, pagePolicy } from '../http/static/built-app.ts'
import { chooseLanguage } from '../http/static/compress.ts'
import { withNotice } from '../http/static/page-notice.ts'
import { createStaticContent, type StaticContent } from '../http/static/static-content.ts'
import type { ServiceFacts } from './facts.ts'
import { type Language, languages, languageTags } from './guide.ts'
import { loadSite, type PageName, type Site, type SiteFiles } from './site.ts'

/** Their scripts read keys, receipts and the public log of this gateway. */
const connecting: readonly PageName[] = ['home', 'verify']

type Serve = (call: Call) => Promise<RouteResponse>

interface SitePageDeps {
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
}

/** The public pages, which console/site makes from the contract, and their files. */
export function createPages(deps: SitePageDeps) {
  const contentOf = createRenderer(deps)

  /** In this language, or in the one that the browser asks for. */
  const page =
    (name: PageName, language?: Language): Serve =>
    async (call) => {
      const site = await loadSite()
      if (!site) return notBuilt
      return contentOf(site, name, language ?? languageFor(call), call.isPreview ? '/gateway' : '').respond(call)
    }

  /** For browsers that open an address where there is nothing; programs get JSON from the router. */
  const notFound: Serve = async (call) => {
    const site = await loadSite()
    if (!site) throw new Refusal('NOT_FOUND')
    const header = (name: string) => (name === 'if-none-match' ? 'absent' : call.header(name))
    const shown = await contentOf(site, 'notFound', languageFor(call), '').respond({ header })
    return { ...shown, status: 404, code: 'NOT_FOUND' }
  }

  return {
    reference: page('reference'),
    routes: [
      route('public.home', '/', page('home')),
      route('public.pricing', '/pricing', page('pricing')),
      route('receipts.verify', '/verify', page('verify')),
      ...languages.flatMap((language) => [
        route('public.home', `/${language}`, page('home', language)),
        route('public.pricing', `/pricing/${language}`, page('pricing', language)),
        route('receipts.verify', `/verify/${language}`, page('verify', language)),
        route('docs.page', `/docs/${language}`, page('reference', language)),
      ]),
      { ...route('public.notFound', '/*', notFound), isFallback: true },
      ...fileRoutes,
    ],
  }
}

export const languageFor = (call: Call): Language => chooseLanguage(call.header('accept-language'), languages)

/** Renders a page on the first visit in each language and under each prefix: it takes about 20 ms. */
function createRenderer({ operations, facts }: SitePageDeps) {
  const rendered = new Map<string, StaticContent>()
  return ({ pages, files }: Site, page: PageName, language: Language, prefix: string): StaticContent => {
    const name = `${page} ${language} ${prefix}`
    const known = rendered.get(name)
    if (known) return known
    const html = pages[page]({ operations, facts, language, prefix, files })
    const content = pageContent(html, { facts, language, files, connects: connecting.includes(page) })
    rendered.set(name, content)
    return content
  }
}

interface ShownPage {
  readonly facts: ServiceFacts
  readonly language: Language
  readonly files: SiteFiles
  /** Whether its script calls this gateway. */
  readonly connects: boolean
}

export function pageContent(html: string, { facts, language, files, connects }: ShownPage): StaticContent {
  const { style, script, referenceStyle, referenceScript } = files.inlined
  const inlined = { scripts: [script, referenceScript], styles: [style, referenceStyle] }
  return createStaticContent({
    body: withNotice(html, facts.notice),
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': pagePolicy({ connects, ...inlined }),
      'content-language': languageTags[language],
      vary: 'accept-encoding, accept-language',
    },
  })
}

const route = (operationId: string, path: string, handle: Route['handle']): Route => ({
  ...{ operationId, method: 'GET', path, handle },
})

const file =
  (nameOf: (site: Site, call: Call) => string): Serve =>
  async (call) => {
    const site = await loadSite()
    if (!site) return notBuilt
    const asset = site.assets.get(nameOf(site, call))
    if (!asset) throw new Refusal('NOT_FOUND')
    return asset.respond(call)
  }

const toReference = ({ isPreview }: Call): RouteResponse => {
  const location = isPreview ? '/gateway/docs' : '/docs'
  return {
    status: 308,
    headers: { location, 'content-type': 'text/plain; charset=utf-8' },
    body: `The reference is at ${location}.\n`,
  }
}

const fileRoutes: readonly Route[] = [
  route(
    'public.icon',
    '/favicon.ico',
    file(({ files }) => files.mark),
  ),
  route('public.docs', '/docs/', toReference),
  route(
    'docs.asset',
    '/docs/assets/{name}',
    file((_, call) => call.params.name ?? ''),
  ),
]

/** Installs with `npm install ORIGIN/sdk.tgz`. */
export const sdkRoute: Route = {
  operationId: 'public.sdk',
  method: 'GET',
  path: '/sdk.tgz',
  async handle(call) {
    const site = await loadSite()
    return site ? site.sdk.respond(call) : notBuilt
  },
}
