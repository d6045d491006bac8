import { jsonType } from '../../../http/errors.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Route } from '../../../http/route.ts'
import { contentHash } from '../../../http/static/static-content.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import { operatorEndpoint } from '../endpoint.ts'
import type { OperatorOverview } from './contract.ts'

/** Pages ask for it every second; an unchanged overview has no body. */
export const overviewRoute = (guard: OperatorGuard, overview: () => Promise<OperatorOverview>): Route =>
  operatorEndpoint(guard, 'operator.overview', async ({ call }) => {
    const body = JSON.stringify(await overview())
    const etag = `"${contentHash(body)}"`
    const headers = { etag, 'content-type': jsonType }
    return singleHeader(call, 'if-none-match') === etag
      ? { status: 304, headers: { etag }, body: '' }
      : { status: 200, headers, body }
  })
