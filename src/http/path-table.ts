import type { Route } from './route.ts'

export interface ServedPath {
  readonly path: string
  readonly isPreview: boolean
}

/** Every path that serves a route. Preview paths exist only on a loopback origin. */
export function servedPaths({ path }: Route, isLoopback: boolean): ServedPath[] {
  const canonical = { path, isPreview: false }
  const preview = isLoopback ? previewPath(path) : undefined
  return preview === undefined ? [canonical] : [canonical, { path: preview, isPreview: true }]
}

function previewPath(path: string): string | undefined {
  if (path.startsWith('/v1/')) return `/gateway/api/${path.slice('/v1/'.length)}`
  return /^\/(console|docs|openapi\.json|llms\.txt)(\/|$)/.test(path) ? `/gateway${path}` : undefined
}

/** Looks up the `Allow` header of a path, for 405 responses; undefined when the path does not exist. */
export function allowedMethodsTable(
  routes: readonly Route[],
  isLoopback: boolean,
): (target: string) => string | undefined {
  const rows = routes.flatMap((route) =>
    servedPaths(route, isLoopback).map(({ path }) => ({ method: route.method, segments: path.split('/') })),
  )
  return (target) => {
    const requested = target.split('?', 1)[0]!.split('/').map(decodeURIComponent)
    const methods = new Set(rows.filter(({ segments }) => matches(segments, requested)).map(({ method }) => method))
    if (methods.size === 0) return undefined
    return (['GET', 'POST'] as const)
      .filter((method) => methods.has(method))
      .map((method) => (method === 'GET' ? 'GET, HEAD' : method))
      .join(', ')
  }
}

function matches(pattern: readonly string[], requested: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? requested.length < pattern.length : requested.length !== pattern.length) return false
  return fixed.every((segment, i) => segment.startsWith('{') || segment === requested[i])
}
