import type { CreateNamedKeyRequest, RotateKeyRequest, UpdateKeyRequest } from '../../../contract/console/keys.ts'
import type { UsedKeyList } from '../../../contract/console/resources.ts'
import { tokenDigest } from '../../../identity/digests.ts'
import type { NamedKeyResult, NamedKeys } from '../../../keys/named-keys.ts'
import { fingerprint } from '../../../relay/fingerprint.ts'
import { endpoint, pathParameter } from '../../endpoint.ts'
import { requireIdempotencyKey } from '../../guards.ts'
import type { Call, Route, RouteResponse } from '../../route.ts'
import { ok, type ViewDeps, view } from './view.ts'

export interface NamedKeyRouteDeps extends ViewDeps {
  readonly namedKeys: NamedKeys
  readonly maxActiveKeys: number
}

/** Keys with their settings and use. */
export function namedKeyRoutes(deps: NamedKeyRouteDeps): Route[] {
  const { operation, guards, namedKeys, maxActiveKeys } = deps
  const update = operation('console.keys.update')
  const rotate = operation('console.keys.rotate')

  /** Origin, session, CSRF, body and Idempotency-Key come before the fields. */
  async function creationOf(call: Call) {
    const { projectId } = await guards.sessionWrite(call)
    await call.readJson()
    return { projectId, idempotencyDigest: tokenDigest('idempotency', requireIdempotencyKey(call)) }
  }

  return [
    view(deps, 'console.keys.list', async ({ session }) =>
      ok({ items: await namedKeys.list(session.projectId), maxActive: maxActiveKeys } satisfies UsedKeyList),
    ),
    endpoint<CreateNamedKeyRequest>(operation('console.keys.create'), async (call, read) => {
      const { projectId, idempotencyDigest } = await creationOf(call)
      const settings = await read(call)
      const request = { idempotencyDigest, requestDigest: fingerprint({ create: settings }) }
      return createdOrReplayed(await namedKeys.create(projectId, settings, request))
    }),
    endpoint<UpdateKeyRequest>(update, async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      const changes = await read(call)
      return ok(await namedKeys.update(projectId, pathParameter(update, call, 'keyId'), changes))
    }),
    endpoint<RotateKeyRequest>(rotate, async (call, read) => {
      const { projectId, idempotencyDigest } = await creationOf(call)
      const { graceSeconds } = await read(call)
      const rotation = { keyId: pathParameter(rotate, call, 'keyId'), graceSeconds }
      const request = { idempotencyDigest, requestDigest: fingerprint({ rotate: rotation }) }
      return createdOrReplayed(await namedKeys.rotate(projectId, rotation, request))
    }),
  ]
}

const createdOrReplayed = ({ isReplay, key }: NamedKeyResult): RouteResponse => ({
  status: isReplay ? 200 : 201,
  body: key,
})
