import { existsSync, readFileSync } from 'node:fs'
import type { Route } from '../../../../http/route.ts'
import { builtDirectory, notBuilt, pagePolicy } from '../../../../http/static/built-app.ts'
import { withNotice } from '../../../../http/static/page-notice.ts'
import {
  createStaticContent,
  type StaticContent,
  type StaticContentOptions,
} from '../../../../http/static/static-content.ts'

const scripts = ['page', 'merkle', 'seen', 'signed', 'verify']

/** `GET /verify`: takes a pasted receipt, without a sign-in. Built from console/site/verify and the verifier of the SDK. */
export function verifyPageRoutes(notice: string | null): Route[] {
  return [
    route('/verify', 'page.html', {
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': pagePolicy({ connects: true }) },
      notice,
    }),
    route('/verify/page.css', 'page.css', { contentType: 'text/css; charset=utf-8' }),
    // For a shell, offline; the same code as the page's.
    route('/verify/verify.mjs', 'verify.mjs', { contentType: 'text/javascript; charset=utf-8' }),
    ...scripts.map((name) =>
      route(`/verify/${name}.js`, `${name}.js`, { contentType: 'text/javascript; charset=utf-8' }),
    ),
  ]
}

interface FileOptions extends Pick<StaticContentOptions, 'contentType' | 'headers'> {
  readonly notice?: string | null
}

/** Loaded on first use, because most gateways never need it. */
function route(path: string, name: string, { notice = null, ...options }: FileOptions): Route {
  const file = new URL(name, builtDirectory('site/verify/'))
  let content: StaticContent | undefined
  return {
    operationId: 'receipts.verify',
    method: 'GET',
    path,
    handle(call) {
      if (!content && !existsSync(file)) return notBuilt
      content ??= createStaticContent({ body: withNotice(readFileSync(file, 'utf8'), notice), ...options })
      return content.respond(call)
    },
  }
}
