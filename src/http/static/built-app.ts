import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Refusal } from '../../contract/errors.ts'
import type { Call, Route, RouteResponse } from '../route.ts'
import { chooseLanguage } from './compress.ts'
import { withNotice } from './page-notice.ts'
import { createStaticContent, type StaticContent } from './static-content.ts'

interface PagePolicy {
  readonly connects: boolean
  /** Texts of elements of the page. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
}

/** Nothing inline but these very texts, nothing from elsewhere, and no script that makes script or markup out of text. */
export const pagePolicy = ({ connects, scripts = [], styles = [] }: PagePolicy) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map(sourceHash)].join(' '),
    ["style-src 'self'", ...styles.map(sourceHash)].join(' '),
    "img-src 'self'",
    ...(connects ? ["connect-src 'self'", "media-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const sourceHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** An application that Vite has built: one page, and the files it is made of. */
export interface BuiltApp {
  readonly page: StaticContent
  readonly assets: ReadonlyMap<string, StaticContent>
}

/** Where `npm run build` puts what browsers load. */
export const builtDirectory = (path = ''): URL => new URL(`../../../console/dist/${path}`, import.meta.url)

/** Into memory, once: a few hundred kilobytes. Undefined while there is nothing built. */
export function loadBuiltApp(directory: URL, html: string, edit = (page: string) => page): BuiltApp | undefined {
  const at = (path: string) => new URL(path, directory)
  if (!existsSync(at(html))) return undefined
  return {
    page: createStaticContent({
      body: edit(readFileSync(at(html), 'utf8')),
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': pagePolicy({ connects: true }) },
    }),
    assets: loadAssets(at('assets/')),
  }
}

/** The files of a directory by their names, which carry their hashes. */
export function loadAssets(directory: URL): ReadonlyMap<string, StaticContent> {
  const names = readdirSync(directory).filter((name) => !/\.(br|gz)$/.test(name))
  return new Map(names.map((name) => [name, assetOf(new URL(name, directory))]))
}

function assetOf(file: URL): StaticContent {
  const [br, gzip] = [new URL(`${file}.br`), new URL(`${file}.gz`)]
  return createStaticContent({
    body: readFileSync(file),
    contentType: contentTypes[/\.\w+$/.exec(file.pathname)?.[0] ?? ''] ?? 'application/octet-stream',
    isImmutable: true,
    packed: {
      ...(existsSync(br) && { br: readFileSync(br) }),
      ...(existsSync(gzip) && { gzip: readFileSync(gzip) }),
    },
  })
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export const notBuilt: RouteResponse = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The console is not built: run `npm run build` and load this page again.\n',
}

/** What Vite says about a source file: the file it became and those that this one imports. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>

const languages = ['en', 'zh'] as const
const directories: Readonly<Record<string, string>> = { 'sign-in': 'auth', register: 'auth', recover: 'auth' }

/**
 * The `Link` header of the console's page: the scripts that the requested page needs, and the application's words in the language
 * of the browser. They then load in parallel with the application, not after it has started, which saves a round trip.
 */
function createPreloads(directory: URL): (path: string, call: Pick<Call, 'header'>) => string | undefined {
  const manifestFile = new URL('manifest.json', directory)
  if (!existsSync(manifestFile)) return () => undefined
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const html = readFileSync(new URL('index.html', directory), 'utf8')
  return (path, call) => {
    const language = chooseLanguage(call.header('accept-language'), languages)
    const page = pageOf(path)
    const directory = `src/pages/${directories[page] ?? page}`
    const files = [`src/i18n/${language}/${language}.ts`, `${directory}/${page}.tsx`]
      .flatMap((source) => filesOf(manifest, source))
      // The browser loads what the HTML names anyway.
      .filter((file) => !html.includes(`"/console/${file}"`))
    const links = [...new Set(files)].map(
      (file) => `</console/${file}>; rel=modulepreload; crossorigin; fetchpriority=low`,
    )
    return links.length > 0 ? links.join(', ') : undefined
  }
}

/** Each page is in the directory of its name; a path that names none gets no preload. */
function pageOf(path: string): string {
  const [first = '', second] = path.split('/').filter(Boolean)
  if (first === 'usage' && second) return 'charge-details'
  return first === 'statements' ? 'statement' : first || 'overview'
}

function filesOf(manifest: Manifest, source: string): string[] {
  const entry = Object.hasOwn(manifest, source) ? manifest[source] : undefined
  if (!entry) return []
  return [entry.file, ...(entry.imports ?? []).flatMap((imported) => filesOf(manifest, imported))]
}

interface ConsoleAppDeps {
  readonly directory: URL
  /** The local page with the messages that were not really sent; asked with the first visit. */
  readonly smsInboxUrl: () => string | null
  /** Credits for each second of a video. */
  readonly mediaCreditsPerSecond: number
  /** HTML that stands above every page. */
  readonly notice: string | null
}

/** The web console: one page for every path below /console, and the files it is made of. */
export function consoleAppRoutes({ directory, smsInboxUrl, mediaCreditsPerSecond, notice }: ConsoleAppDeps): Route[] {
  let loaded: Loaded | undefined
  const withApp = (serve: (app: Loaded, call: Call) => Promise<RouteResponse>) => (call: Call) => {
    const facts = { 'sms-inbox': smsInboxUrl() ?? '', 'media-price': String(mediaCreditsPerSecond) }
    loaded ??= load(directory, facts, notice)
    return loaded ? serve(loaded, call) : notBuilt
  }
  const page = withApp(async (app, call) => {
    const response = await app.page.respond(call)
    const link = app.preloads(call.params['*'] ?? '', call)
    return link === undefined ? response : { ...response, headers: { ...response.headers, link } }
  })
  const pageOrNothing = (call: Call) => {
    if (fileName.test(call.params['*'] ?? '')) throw new Refusal('NOT_FOUND')
    return page(call)
  }
  return [
    { operationId: 'console.page', method: 'GET', path: '/console', handle: page },
    { operationId: 'console.page', method: 'GET', path: '/console/*', handle: pageOrNothing },
    {
      operationId: 'console.asset',
      method: 'GET',
      path: '/console/assets/{name}',
      handle: withApp(async (app, call) => {
        const asset = app.assets.get(call.params.name ?? '')
        if (!asset) throw new Refusal('NOT_FOUND')
        return asset.respond(call)
      }),
    },
  ]
}

/** A path that can only mean a file; names of operations have dots too. */
const fileName =
  /\.(?:[cm]?[jt]sx?|css|map|json|txt|html?|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|wasm|webmanifest|php|br|gz|zip)$/i

interface Loaded extends BuiltApp {
  readonly preloads: ReturnType<typeof createPreloads>
}

function load(directory: URL, facts: Readonly<Record<string, string>>, notice: string | null): Loaded | undefined {
  const app = loadBuiltApp(directory, 'index.html', (html) =>
    Object.entries(facts).reduce(
      (page, [name, value]) =>
        page.replace(
          `<meta name="gateway-${name}" content="" />`,
          `<meta name="gateway-${name}" content="${value}" />`,
        ),
      withNotice(html, notice),
    ),
  )
  return app && { ...app, preloads: createPreloads(directory) }
}
