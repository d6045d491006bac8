import type { Route } from './route.ts'

export interface Place {
  readonly path: string
  readonly isPreview: boolean
}

/** Every path at which a route is served. The preview paths exist only where the origin is loopback. */
export function placesOf({ path }: Route, isLoopback: boolean): Place[] {
  const place = { path, isPreview: false }
  const preview = isLoopback ? previewPath(path) : undefined
  return preview === undefined ? [place] : [place, { path: preview, isPreview: true }]
}

function previewPath(path: string): string | undefined {
  if (path.startsWith('/v1/')) return `/gateway/api/${path.slice('/v1/'.length)}`
  return /^\/(console|docs|openapi\.json|llms\.txt)(\/|$)/.test(path) ? `/gateway${path}` : undefined
}

/** Answers which methods a path takes, for 405; undefined when nothing is served there. Not on the hot path. */
export function allowTable(routes: readonly Route[], isLoopback: boolean): (target: string) => string | undefined {
  const rows = routes.flatMap((route) =>
    placesOf(route, isLoopback).map(({ path }) => ({ method: route.method, segments: path.split('/') })),
  )
  return (target) => {
    const asked = target.split('?', 1)[0]!.split('/').map(decodeURIComponent)
    const methods = new Set(rows.filter(({ segments }) => covers(segments, asked)).map(({ method }) => method))
    if (methods.size === 0) return undefined
    return (['GET', 'POST'] as const)
      .filter((method) => methods.has(method))
      .map((method) => (method === 'GET' ? 'GET, HEAD' : method))
      .join(', ')
  }
}

function covers(pattern: readonly string[], asked: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? asked.length < pattern.length : asked.length !== pattern.length) return false
  return fixed.every((segment, i) => segment.startsWith('{') || segment === asked[i])
}
