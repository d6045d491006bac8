import { Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Media } from '../../../media/media.ts'
import { endpoint, pathParameter } from '../../endpoint.ts'
import { singleHeader } from '../../guards.ts'
import type { Route } from '../../route.ts'

/** Where providers tell that a job has changed. The signature is judged before the content. */
export function mediaCallbackRoute(operation: Operation, media: Media): Route {
  return endpoint<{ id: string }>(operation, async (call, read) => {
    const provider = pathParameter(operation, call, 'provider')
    const body = await call.readBytes()
    const isSigned = media.isSigned(provider, {
      id: singleHeader(call, 'webhook-id') ?? '',
      timestamp: singleHeader(call, 'webhook-timestamp') ?? '',
      signatures: singleHeader(call, 'webhook-signature') ?? '',
      body,
    })
    if (isSigned === undefined) throw new Refusal('NOT_FOUND')
    if (!isSigned) throw new Refusal('UNAUTHORIZED')
    const { id } = await read(call)
    await media.noteCallback(provider, id)
    return { status: 204, body: '' }
  })
}
