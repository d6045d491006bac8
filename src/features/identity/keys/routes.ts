import { fingerprint, tokenDigest } from '../../../base/signatures.ts'
import type { CreateKeyRequest } from '../../../contract/schemas/keys.ts'
import { endpoint, ok, pathParameter, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import { requireIdempotencyKey } from '../../../http/guards.ts'
import type { Call, Route, RouteResponse } from '../../../http/route.ts'
import type { CreateNamedKeyRequest, RotateKeyRequest, UpdateKeyRequest, UsedKeyList } from './contract.ts'
import type { Keys } from './keys.ts'
import type { NamedKeyResult, NamedKeys } from './named-keys.ts'

export function keyRoutes({ operation, guards, keys }: ViewDeps & { readonly keys: Keys }): Route[] {
  const revoke = operation('keys.revoke')
  return [
    endpoint(operation('keys.list'), async (call) => {
      const { projectId } = await guards.session(call)
      return ok({ items: await keys.list(projectId) })
    }),
    endpoint<CreateKeyRequest>(operation('keys.create'), async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      const { scopes } = await read(call)
      return { status: 201, body: await keys.create(projectId, scopes) }
    }),
    endpoint(revoke, async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
      await read(call)
      const keyId = pathParameter(revoke, call, 'keyId')
      await keys.revoke(projectId, keyId)
      return ok({ keyId, state: 'revoked' })
    }),
  ]
}

export function namedKeyRoutes(deps: ViewDeps & { namedKeys: NamedKeys; maxActiveKeys: number }): Route[] {
  const { operation, guards, namedKeys, maxActiveKeys } = deps
  const update = operation('console.keys.update')
  const rotate = operation('console.keys.rotate')

  /** Origin, session, CSRF, body and Idempotency-Key come before the fields. */
  async function creationOf(call: Call) {
    const { projectId } = await guards.sensitiveWrite(call)
    await call.readJson()
    return { projectId, idempotencyDigest: tokenDigest('idempotency', requireIdempotencyKey(call)) }
  }

  return [
    viewRoute(deps, 'console.keys.list', async ({ session }) =>
      ok({ items: await namedKeys.list(session.projectId), maxActive: maxActiveKeys } satisfies UsedKeyList),
    ),
    endpoint<CreateNamedKeyRequest>(operation('console.keys.create'), async (call, read) => {
      const { projectId, idempotencyDigest } = await creationOf(call)
      const settings = await read(call)
      const request = { idempotencyDigest, requestDigest: fingerprint({ create: settings }) }
      return createdOrReplayed(await namedKeys.create(projectId, settings, request))
    }),
    endpoint<UpdateKeyRequest>(update, async (call, read) => {
      const { projectId } = await guards.sensitiveWrite(call)
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
