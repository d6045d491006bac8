import type { JobPageParameters } from '../../../contract/media/job.ts'
import type { Media } from '../../../media/media.ts'
import { endpoint, pathParameter } from '../../endpoint.ts'
import type { Route } from '../../route.ts'
import { contentResponse } from '../media/content.ts'
import { cancelled } from '../media/jobs.ts'
import { ok, type ViewDeps, view } from './view.ts'

export interface ConsoleMediaDeps extends ViewDeps {
  readonly media: Media
}

/** The media jobs of the signed-in project. */
export function consoleMediaRoutes(deps: ConsoleMediaDeps): Route[] {
  const { operation, guards, media } = deps
  const content = operation('console.media.content')
  const cancel = operation('console.media.cancel')
  return [
    view<JobPageParameters>(deps, 'console.media.list', async ({ session, query }) =>
      ok(await media.page(session.projectId, query)),
    ),
    endpoint(content, async (call) => {
      const { projectId } = await guards.session(call)
      return contentResponse(media, call, await media.find(projectId, pathParameter(content, call, 'jobId')))
    }),
    endpoint(cancel, async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      await read(call)
      return cancelled(await media.cancel(projectId, pathParameter(cancel, call, 'jobId')))
    }),
  ]
}
