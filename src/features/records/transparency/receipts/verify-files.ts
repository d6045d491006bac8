import { existsSync, readFileSync } from 'node:fs'
import type { Route } from '../../../../http/route.ts'
import { builtDirectory, notBuilt } from '../../../../http/static/built-app.ts'
import { createStaticContent, type StaticContent } from '../../../../http/static/static-content.ts'

const scripts = ['page', 'history', 'merkle', 'seen', 'signed', 'verify']
const script = 'text/javascript; charset=utf-8'

/** What the public page `/verify` loads (src/documents/pages.ts). Built from console/site/verify and the verifier of the SDK. */
export const verifyFileRoutes = (): Route[] => [
  ...scripts.map((name) => route(`${name}.js`, script)),
  // For a shell, offline; the same code as the page's.
  route('verify.mjs', script),
  // Of a gateway that does not exist, with its key.
  route('sample.json', 'application/json; charset=utf-8'),
]

/** Loaded on first use, because most gateways never need it. */
function route(name: string, contentType: string): Route {
  const file = new URL(name, builtDirectory('site/verify/'))
  let content: StaticContent | undefined
  return {
    operationId: 'receipts.verify',
    method: 'GET',
    path: `/verify/${name}`,
    handle(call) {
      if (!content && !existsSync(file)) return notBuilt
      content ??= createStaticContent({ body: readFileSync(file, 'utf8'), contentType })
      return content.respond(call)
    },
  }
}
