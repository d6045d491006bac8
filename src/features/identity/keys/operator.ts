import { type Static, Type } from '../../../base/schema.ts'
import { isoOrNull } from '../../../base/time.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { keyIdPattern } from '../../../contract/schemas/keys.ts'
import { ok } from '../../../http/endpoint.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import {
  idParameter,
  OrNull,
  operatorAction,
  projectIdPattern,
  ReasonRequest,
  Text,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'
import { createActionStore } from '../../../operator-kit/store.ts'
import type { FeatureContext, OperatorPart } from '../../../ops/feature.ts'
import { lockBalance } from '../../../storage/balance-rows.ts'
import type { Engine, Writer } from '../../../storage/engine.ts'
import { addEvent } from '../../../storage/event-rows.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'

const OperatedKeyResponse = named('OperatedKeyAnswer', {
  keyId: Type.String({ pattern: keyIdPattern }),
  projectId: Type.String({ pattern: projectIdPattern }),
  name: OrNull(Text()),
  displayPrefix: Text(),
  revokedAt: TimeOrNull(),
})

type OperatedKeyResponse = Static<typeof OperatedKeyResponse>

export const operatedKeyOperations = [
  operatorAction({
    id: 'operator.keys.revoke',
    tag: 'Accounts',
    path: '/api/keys/{keyId}/revoke',
    summary: 'Revoke a key',
    permission: 'keys',
    pathParameters: { keyId: idParameter(keyIdPattern, 'KEY_NOT_FOUND') },
    request: ReasonRequest,
    commands: [
      {
        shows: (key: OperatedKeyResponse) => ({ ...key, state: 'revoked' }),
        says: ({ keyId, projectId, displayPrefix }: OperatedKeyResponse) =>
          `${keyId} of ${projectId} (${displayPrefix}) is revoked.`,
      },
    ],
    responses: [response(200, 'The key was revoked.', OperatedKeyResponse)],
    ownErrors: ['KEY_NOT_FOUND', 'REASON_INVALID'],
  }),
]

const keys = rowMapper('api_keys', {
  keyId: text(),
  projectId: text(),
  name: orNull(text()),
  displayPrefix: text(),
  revokedAt: orNull(integer()),
})

type RevokedKey = RowOf<typeof keys.columns>

const operatedKeys = (engine: Pick<Engine, 'read' | 'write'>) =>
  createActionStore(
    engine,
    () => ({}),
    (tx: Writer) => ({
      /** Reads a key and locks its project's balance. */
      lockKey: async (keyId: string) => {
        const key = await keys.get(tx, 'WHERE key_id = $1', [keyId])
        if (!key) return undefined
        await lockBalance(tx, key.projectId)
        return keys.get(tx, 'WHERE key_id = $1', [keyId])
      },
      revokeKey: (keyId: string, at: number) => keys.update(tx, { revokedAt: at }, 'key_id = $1', [keyId]),
      addEvent: (event: Parameters<typeof addEvent>[1]) => addEvent(tx, event),
    }),
  )

/** Revokes a key of any project, from its next call on. Revoking twice changes nothing. */
export async function revokeKey(
  { engine, clock }: Pick<FeatureContext, 'engine' | 'clock'>,
  actor: Actor,
  { keyId, reason }: { readonly keyId: string; readonly reason: string },
): Promise<RevokedKey> {
  const at = clock()
  const note = noteOf(actor, { action: 'key.revoke', object: keyId, reason }, at)
  return operatedKeys(engine).write(async (tx) => {
    const key = await tx.lockKey(keyId)
    if (!key) throw operatorRefusal('KEY_NOT_FOUND', `There is no key ${keyId}.`)
    if (key.revokedAt !== null) return key
    await tx.revokeKey(keyId, at)
    const { projectId, displayPrefix } = key
    await tx.addEvent({ type: 'key.revoked', at, projectId, data: { keyId, displayPrefix, by: 'operator' } })
    await tx.audit({ ...note, at, before: { state: 'active' }, after: { state: 'revoked' } })
    return { ...key, revokedAt: at }
  })
}

export const operatedKeyHandlers = (deps: Pick<FeatureContext, 'engine' | 'clock'>): OperatorHandler[] => [
  operatorHandler<{ reason: string }>('operator.keys.revoke', async ({ actor, at, body: { reason } }) => {
    const key = await revokeKey(deps, actor, { keyId: at('keyId'), reason })
    return ok({ ...key, revokedAt: isoOrNull(key.revokedAt) })
  }),
]

export const keysPart: OperatorPart = {
  operations: operatedKeyOperations,
  build: (context) => ({ operatorHandlers: operatedKeyHandlers(context) }),
}
