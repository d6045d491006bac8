import { Refusal } from '../../contract/errors.ts'
import type { Call, Route, RouteResponse } from '../route.ts'
import { type BuiltApp, loadBuiltApp, notBuilt } from './built-app.ts'
import { createPreloads } from './console-preloads.ts'

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
  const page = answer(async (app, call) => {
    const response = await app.page.answer(call)
    const link = app.preloads(call.params['*'] ?? '', call)
    return link === undefined ? response : { ...response, headers: { ...response.headers, link } }
  })
  const pageOrNothing = (call: Call) => {
    if (fileName.test(call.params['*'] ?? '')) throw new Refusal('NOT_FOUND')
    return page(call)
  }
  return [
    { operationId: 'console.root', method: 'GET', path: '/', handle: toConsole },
    { operationId: 'console.page', method: 'GET', path: '/console', handle: page },
    { operationId: 'console.page', method: 'GET', path: '/console/*', handle: pageOrNothing },
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

/** A path that can only mean a file; names of operations have dots too. */
const fileName =
  /\.(?:[cm]?[jt]sx?|css|map|json|txt|html?|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|wasm|webmanifest|php|br|gz|zip)$/i

const toConsole = ({ isPreview }: Call): RouteResponse => {
  const location = isPreview ? '/gateway/console' : '/console'
  return {
    status: 302,
    headers: { location, 'content-type': 'text/plain; charset=utf-8' },
    body: `The console is at ${location}.\n`,
  }
}

interface Loaded extends BuiltApp {
  readonly preloads: ReturnType<typeof createPreloads>
}

function load(directory: URL, smsInboxUrl: string | null): Loaded | undefined {
  const app = loadBuiltApp(directory, 'index.html', (html) =>
    html.replace(
      '<meta name="gateway-sms-inbox" content="" />',
      `<meta name="gateway-sms-inbox" content="${smsInboxUrl ?? ''}" />`,
    ),
  )
  return app && { ...app, preloads: createPreloads(new URL('manifest.json', directory)) }
}
