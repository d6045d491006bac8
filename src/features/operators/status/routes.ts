import type { ServiceFacts } from '../../../documents/facts.ts'
import { type Language, languages } from '../../../documents/guide.ts'
import { languageFor, pageContent } from '../../../documents/pages.ts'
import { loadSite } from '../../../documents/site.ts'
import type { StatusDocument } from '../../../documents/status.ts'
import type { Call, Route, RouteResponse } from '../../../http/route.ts'
import { notBuilt } from '../../../http/static/built-app.ts'
import { createStaticContent, type StaticContent } from '../../../http/static/static-content.ts'
import type { StatusBoard } from './board.ts'
import { statusFeed } from './feed.ts'

/** The page, and the same for programs and for feed readers. Each is rendered once for what it shows. */
export function statusRoutes(board: Pick<StatusBoard, 'current'>, facts: ServiceFacts): Route[] {
  let shown: StatusDocument | null = null
  const rendered = new Map<string, StaticContent>()

  async function respond(
    call: Call,
    name: string,
    render: (status: StatusDocument) => StaticContent,
  ): Promise<RouteResponse> {
    const status = await board.current()
    if (status !== shown) rendered.clear()
    shown = status
    const content = rendered.get(name) ?? render(status)
    rendered.set(name, content)
    return content.respond(call)
  }

  async function page(call: Call, language: Language): Promise<RouteResponse> {
    const site = await loadSite()
    if (!site) return notBuilt
    const { pages, files } = site
    const prefix = call.isPreview ? '/gateway' : ''
    const options = { facts, language, files }
    return respond(call, `${language} ${prefix}`, (status) =>
      pageContent(pages.status({ ...options, prefix, status }), { ...options, connects: false }),
    )
  }

  const route = (path: string, handle: Route['handle']): Route => ({
    ...{ operationId: 'public.status', method: 'GET', path, handle },
  })
  return [
    route('/status', (call) => page(call, languageFor(call))),
    ...languages.map((language) => route(`/status/${language}`, (call) => page(call, language))),
    route('/status.json', (call) =>
      respond(call, 'json', (status) =>
        createStaticContent({ body: JSON.stringify(status), contentType: 'application/json; charset=utf-8' }),
      ),
    ),
    route('/status.rss', (call) =>
      respond(call, 'rss', (status) =>
        createStaticContent({
          body: statusFeed(status, facts.origin),
          contentType: 'application/rss+xml; charset=utf-8',
        }),
      ),
    ),
  ]
}
