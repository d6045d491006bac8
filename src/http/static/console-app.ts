import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Refusal } from '../../contract/errors.ts'
import type { Call, Route, RouteResponse } from '../route.ts'
import { createStaticContent, type StaticContent } from './static-content.ts'

export interface ConsoleAppDeps {
  /** The built console. */
  readonly directory: URL
  /** The local page with the messages that were not really sent; asked with the first visit. */
  readonly smsInboxUrl: () => string | null
}

/** The web console: one page for every path below /console, and the files it is made of. */
export function consoleAppRoutes({ directory, smsInboxUrl }: ConsoleAppDeps): Route[] {
  let loaded: Loaded | undefined
  const answer = (serve: (app: Loaded, call: Call) => Promise<RouteResponse>) => (call: Call) => {
    loaded ??= load(directory, smsInboxUrl())
    return loaded ? serve(loaded, call) : notBuilt
  }
  const page = answer((app, call) => app.page.answer(call))
  return [
    { operationId: 'console.page', method: 'GET', path: '/console', handle: page },
    { operationId: 'console.page', method: 'GET', path: '/console/*', handle: page },
    {
      operationId: 'console.asset',
      method: 'GET',
      path: '/console/assets/{name}',
      handle: answer(async (app, call) => {
        const asset = app.assets.get(call.params.name ?? '')
        if (!asset) throw new Refusal('NOT_FOUND')
        return asset.answer(call)
      }),
    },
  ]
}

interface Loaded {
  readonly page: StaticContent
  readonly assets: ReadonlyMap<string, StaticContent>
}

/** Into memory, once: a few hundred kilobytes. Undefined while there is nothing built. */
function load(directory: URL, smsInboxUrl: string | null): Loaded | undefined {
  const at = (path: string) => new URL(path, directory)
  if (!existsSync(at('index.html'))) return undefined
  const html = readFileSync(at('index.html'), 'utf8').replace(
    '<meta name="gateway-sms-inbox" content="" />',
    `<meta name="gateway-sms-inbox" content="${smsInboxUrl ?? ''}" />`,
  )
  const names = readdirSync(at('assets/')).filter((name) => !/\.(br|gz)$/.test(name))
  return {
    page: createStaticContent({
      body: html,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
    }),
    assets: new Map(names.map((name) => [name, assetOf(at(`assets/${name}`))])),
  }
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

/** Nothing inline, nothing from elsewhere, and no script that makes script or markup out of text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const notBuilt: RouteResponse = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The console is not built: run `npm run build` and load this page again.\n',
}
