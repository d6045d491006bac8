import { readFileSync } from 'node:fs'
import { Refusal } from '../../contract/errors.ts'
import { product } from '../../documents/guide.ts'
import type { Call, RouteResponse } from '../route.ts'
import { contentHash, createStaticContent, type StaticContent } from './static-content.ts'

export interface DocsPage {
  readonly page: (call: Call) => Promise<RouteResponse>
  /** The scripts of the page, by the name that carries their hash. */
  readonly asset: (call: Call, name: string) => Promise<RouteResponse>
}

/** The reference for people: Scalar, served from here, under a policy that lets nothing in or out. */
export function createDocsPage(): DocsPage {
  // The script is large and few ask for it: it is loaded with the first visit.
  let loading: Promise<Loaded> | undefined
  const loaded = () => {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    page: async (call) => (await loaded()).page.answer(call),
    async asset(call, name) {
      const asset = (await loaded()).assets.get(name)
      if (!asset) throw new Refusal('NOT_FOUND')
      return asset.answer(call)
    },
  }
}

interface Loaded {
  readonly page: StaticContent
  readonly assets: ReadonlyMap<string, StaticContent>
}

async function load(): Promise<Loaded> {
  const scripts = [
    { name: 'start-reference', body: readFileSync(new URL('docs-page/start-reference.js', import.meta.url)) },
    { name: 'reference', body: await readReferenceScript() },
  ].map(({ name, body }) => ({ name: `${name}-${contentHash(body)}.js`, body }))
  return {
    page: createStaticContent({
      body: html(scripts.map(({ name }) => name)),
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
    }),
    assets: new Map(
      scripts.map(({ name, body }) => [
        name,
        createStaticContent({ body, contentType: 'text/javascript; charset=utf-8', isImmutable: true }),
      ]),
    ),
  }
}

/** The browser bundle exists on disk only inside Scalar's Fastify plugin: the plugin is asked for it, in memory. */
async function readReferenceScript(): Promise<Uint8Array> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`the API reference has no script: ${statusCode}`)
  return rawPayload
}

/** docs/decisions/0002-contract-as-data.md says why styles may be inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** All links are relative, so that the page works below /gateway too. */
function html(scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${product.title}: API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>
<h1>${product.title}</h1>
<p>This page needs JavaScript. The same contract without it: <a href="llms.txt">as plain text</a>, <a href="openapi.json">as an OpenAPI document</a>.</p>
</noscript>
<div id="reference"></div>
${scripts.map((name) => `<script src="docs/assets/${name}" defer></script>`).join('\n')}
</body>
</html>
`
}
