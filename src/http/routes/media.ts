import { mediaOperations } from '../../contract/media/operations.ts'
import type { Operation } from '../../contract/operation.ts'
import { type MediaFacts, mediaDocument } from '../../documents/media-document.ts'
import { endpoint } from '../endpoint.ts'
import type { Route } from '../route.ts'
import { createStaticContent } from '../static/static-content.ts'
import { mediaCallbackRoute } from './media/callbacks.ts'
import { type MediaRouteDeps, mediaJobRoutes } from './media/jobs.ts'

export interface MediaRoutesOptions extends Omit<MediaRouteDeps, 'operation'> {
  readonly mediaFacts: MediaFacts
}

/** Media jobs, their callbacks, and the document that describes them. */
export function mediaRoutes({ mediaFacts, ...modules }: MediaRoutesOptions): Route[] {
  const { mediaProviders, mediaCreditsPerSecond } = mediaFacts
  const byId = new Map(mediaOperations(mediaProviders, mediaCreditsPerSecond).map((found) => [found.id, found]))
  const operation = (id: string): Operation => {
    const found = byId.get(id)
    if (!found) throw new Error(`the contract of media jobs has no operation ${id}`)
    return found
  }
  const document = createStaticContent({
    body: JSON.stringify(mediaDocument(mediaFacts)),
    contentType: 'application/json; charset=utf-8',
  })
  return [
    ...mediaJobRoutes({ ...modules, operation }),
    mediaCallbackRoute(operation('media.callbacks.receive'), modules.media),
    endpoint(operation('media.openapi'), document.answer),
  ]
}
