import { type Static, Type } from '../../base/schema.ts'
import { Choice, DateTime, failsWith, Nullable, named, request } from '../field.ts'
import { scopes } from '../prices.ts'

export const keyIdPattern = '^key_[A-Za-z0-9]+$'

const Scopes = () => Type.Array(Choice(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true })
const keyId = Type.String({ pattern: keyIdPattern })
const displayPrefix = Type.String({
  minLength: 1,
  description: 'The start and end of the key. Not usable as a credential.',
})
const expiresAt = Nullable(DateTime('Null means that it does not expire.'))
const rotatedFromKeyId = Type.Union([Type.String({ pattern: keyIdPattern }), Type.Null()])

export const Key = named('Key', {
  keyId,
  displayPrefix,
  scopes: Scopes(),
  state: Choice(['active', 'revoked', 'expired']),
  createdAt: DateTime(),
  revokedAt: Nullable(DateTime()),
  expiresAt,
  rotatedFromKeyId,
})

export const KeyList = named('KeyList', { items: Type.Array(Key) })

export const CreateKeyRequest = request('CreateKeyRequest', {
  scopes: Type.Array(Choice(scopes), {
    minItems: 1,
    maxItems: scopes.length,
    uniqueItems: true,
    ...failsWith('INVALID_SCOPE'),
  }),
})

export const CreatedKey = named('CreatedKey', {
  keyId,
  apiKey: Type.String({ minLength: 1, description: 'The plaintext key. It is shown only once.' }),
  displayPrefix,
  scopes: Scopes(),
  state: Type.Literal('active'),
  expiresAt,
  rotatedFromKeyId,
  shownOnce: Type.Literal(true),
})

export const RevokedKey = named('RevokedKey', { keyId, state: Type.Literal('revoked') })

export type Key = Static<typeof Key>
export type CreateKeyRequest = Static<typeof CreateKeyRequest>
export type CreatedKey = Static<typeof CreatedKey>
