import type { Operation } from '../../contract/operation.ts'
import type { CreateKeyRequest } from '../../contract/schemas/keys.ts'
import type { Keys } from '../../keys/keys.ts'
import { endpoint, pathParameter } from '../endpoint.ts'
import type { Guards } from '../guards.ts'
import type { Route } from '../route.ts'

export function keyRoutes({
  operation,
  guards,
  keys,
}: {
  operation: (id: string) => Operation
  guards: Guards
  keys: Keys
}): Route[] {
  const revoke = operation('keys.revoke')
  return [
    endpoint(operation('keys.list'), async (call) => {
      const { projectId } = await guards.session(call)
      return { status: 200, body: { items: await keys.list(projectId) } }
    }),
    endpoint<CreateKeyRequest>(operation('keys.create'), async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      const { scopes } = await read(call)
      return { status: 201, body: await keys.create(projectId, scopes) }
    }),
    endpoint(revoke, async (call, read) => {
      const { projectId } = await guards.sessionWrite(call)
      await read(call)
      const keyId = pathParameter(revoke, call, 'keyId')
      await keys.revoke(projectId, keyId)
      return { status: 200, body: { keyId, state: 'revoked' } }
    }),
  ]
}
