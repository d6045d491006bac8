import type { Route } from './route.ts'

export interface ServedPath {
  readonly path: string
  readonly isPreview: boolean
}

/** Every path at which a route is served. The preview paths exist only where the origin is loopback. */
export function servedPaths({ path }: Route, isLoopback: boolean): ServedPath[] {
  const place = { path, isPreview: false }
  const preview = isLoopback ? previewPath(path) : undefined
  return preview === undefined ? [place] : [place, { path: preview, isPreview: true }]
}

function previewPath(path: string): string | undefined {
  if (path === '/') return '/gateway'
  if (path.startsWith('/v1/')) return `/gateway/api/${path.slice('/v1/'.length)}`
  return /^\/(console|docs|media|openapi\.json|llms\.txt)(\/|$)/.test(path) ? `/gateway${path}` : undefined
}
