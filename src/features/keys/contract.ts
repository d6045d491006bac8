import { type Static, Type } from 'typebox'
import { budgetPeriods } from '../../contract/budget-periods.ts'
import { Choice, DateTime, failsWith, Nullable, named, request } from '../../contract/field.ts'
import { CreatedKey, CreateKeyRequest, Key } from '../../contract/schemas/keys.ts'

export const maxGraceSeconds = 604_800
export const maxAllowedAddresses = 20

export const KeyBudget = named('KeyBudget', {
  credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  per: Choice(budgetPeriods, { description: 'Days and months are in UTC.' }),
})

const addresses = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: maxAllowedAddresses,
  description: 'IP addresses or CIDR ranges. Without any, every address may use the key.',
})

/** What the owner of a key chooses. */
export const keySettings = {
  name: Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()]),
  budget: Type.Union([KeyBudget, Type.Null()]),
  allowedAddresses: Type.Union([addresses, Type.Null()]),
}

const Name = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    // Not blank, and without control characters.
    pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]+$',
    ...failsWith('INVALID_NAME'),
  })

const optionalSettings = {
  expiresAt: Type.Optional(Type.Union([DateTime(), Type.Null()], failsWith('INVALID_EXPIRY'))),
  budget: Type.Optional(Type.Union([KeyBudget, Type.Null()], failsWith('INVALID_BUDGET'))),
  allowedAddresses: Type.Optional(Type.Union([addresses, Type.Null()], failsWith('INVALID_ADDRESSES'))),
}

export const CreateNamedKeyRequest = request('CreateNamedKeyRequest', {
  name: Name(),
  scopes: CreateKeyRequest.properties.scopes,
  ...optionalSettings,
})

export const UpdateKeyRequest = request('UpdateKeyRequest', {
  name: Type.Optional(Type.Union([Name(), Type.Null()], failsWith('INVALID_NAME'))),
  ...optionalSettings,
})

export const RotateKeyRequest = request('RotateKeyRequest', {
  graceSeconds: Type.Integer({ minimum: 0, maximum: maxGraceSeconds, ...failsWith('INVALID_GRACE') }),
})

const createdSettings = { ...keySettings, createdAt: DateTime() }

export const CreatedNamedKey = named('CreatedNamedKey', { ...CreatedKey.properties, ...createdSettings })

const { apiKey: _, ...metadata } = CreatedKey.properties
export const NamedKey = named('NamedKey', { ...metadata, ...createdSettings, state: Key.properties.state })

export type KeyBudget = Static<typeof KeyBudget>
export type CreateNamedKeyRequest = Static<typeof CreateNamedKeyRequest>
export type UpdateKeyRequest = Static<typeof UpdateKeyRequest>
export type RotateKeyRequest = Static<typeof RotateKeyRequest>
export type CreatedNamedKey = Static<typeof CreatedNamedKey>
export type NamedKey = Static<typeof NamedKey>

export const UsedKey = named('UsedKey', {
  ...Key.properties,
  ...keySettings,
  budgetSpent: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Credits reserved or settled in this period, by all keys of the rotation chain.',
  }),
  budgetResetsAt: Nullable(DateTime()),
  calls: Type.Integer({ minimum: 0, description: 'Billable calls that this key was accepted for.' }),
  lastUsedAt: Nullable(DateTime()),
  lastUsedFrom: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'The masked address of the last call: 203.0.113.x, or a /64 network.',
  }),
})

export const UsedKeyList = named('UsedKeyList', {
  items: Type.Array(UsedKey, { maxItems: 1000 }),
  maxActive: Type.Integer({ minimum: 1, description: 'The most keys of the project that can be active at a time.' }),
})

export type UsedKey = Static<typeof UsedKey>

export type UsedKeyList = Static<typeof UsedKeyList>
