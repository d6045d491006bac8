import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RouteResponse } from '../route.ts'
import { pagePolicy } from './page-policy.ts'
import { createStaticContent, type StaticContent } from './static-content.ts'

/** An application that Vite has built: one page, and the files it is made of. */
export interface BuiltApp {
  readonly page: StaticContent
  readonly assets: ReadonlyMap<string, StaticContent>
}

/** Into memory, once: a few hundred kilobytes. Undefined while there is nothing built. */
export function loadBuiltApp(directory: URL, html: string, edit = (page: string) => page): BuiltApp | undefined {
  const at = (path: string) => new URL(path, directory)
  if (!existsSync(at(html))) return undefined
  const names = readdirSync(at('assets/')).filter((name) => !/\.(br|gz)$/.test(name))
  return {
    page: createStaticContent({
      body: edit(readFileSync(at(html), 'utf8')),
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': pagePolicy({ connects: true }) },
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

export const notBuilt: RouteResponse = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The console is not built: run `npm run build` and load this page again.\n',
}
