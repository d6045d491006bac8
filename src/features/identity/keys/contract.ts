import { type Static, Type } from '../../../base/schema.ts'
import { budgetPeriods } from '../../../contract/budget-periods.ts'
import { Choice, DateTime, DisplayName, failsWith, Nullable, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view, write } from '../../../contract/operations/access.ts'
import { CreatedKey, CreateKeyRequest, Key, keyIdPattern } from '../../../contract/schemas/keys.ts'

export const maxGraceSeconds = 604_800
export const maxAllowedAddresses = 20

export const KeyBudget = named('KeyBudget', {
  credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  per: Choice(budgetPeriods, { description: 'Days and months begin at midnight in Shanghai.' }),
})

const addresses = Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ['192.0.2.0/24'] }), {
  maxItems: maxAllowedAddresses,
  description: 'IP addresses or CIDR ranges. Without any, the key can be used from any address.',
})

export const keySettings = {
  name: Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()]),
  budget: Type.Union([KeyBudget, Type.Null()]),
  allowedAddresses: Type.Union([addresses, Type.Null()]),
  showsBalance: Type.Boolean({ description: 'Whether the key can read the balance of the project.' }),
  logsContent: Type.Boolean({ description: 'Whether requests and responses of its calls are kept for 7 days.' }),
}

const optionalSettings = {
  expiresAt: Type.Optional(Type.Union([DateTime(), Type.Null()], { examples: [null], ...failsWith('INVALID_EXPIRY') })),
  budget: Type.Optional(Type.Union([KeyBudget, Type.Null()], failsWith('INVALID_BUDGET'))),
  allowedAddresses: Type.Optional(Type.Union([addresses, Type.Null()], failsWith('INVALID_ADDRESSES'))),
  showsBalance: Type.Optional(
    Type.Boolean({
      description: 'Whether the key can read the balance of the project; true for a new key.',
      ...failsWith('INVALID_JSON'),
    }),
  ),
  logsContent: Type.Optional(
    Type.Boolean({
      description: 'Whether requests and responses of its calls are kept for 7 days, sealed; false for a new key.',
      ...failsWith('INVALID_JSON'),
    }),
  ),
}

export const CreateNamedKeyRequest = request('CreateNamedKeyRequest', {
  name: DisplayName(),
  scopes: CreateKeyRequest.properties.scopes,
  ...optionalSettings,
})

export const UpdateKeyRequest = request('UpdateKeyRequest', {
  name: Type.Optional(Type.Union([DisplayName(), Type.Null()], failsWith('INVALID_NAME'))),
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

const keyPath = {
  tag: 'Keys',
  pathParameters: { keyId: { pattern: keyIdPattern, code: 'KEY_NOT_FOUND' } },
} as const
const settingFaults = ['INVALID_NAME', 'INVALID_EXPIRY', 'INVALID_BUDGET', 'INVALID_ADDRESSES'] as const
const creationFaults = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_CONFLICT'] as const

const created = [
  response(201, 'The new key in plaintext.', CreatedNamedKey),
  response(200, 'The same Idempotency-Key was sent before: its key, without the plaintext.', NamedKey),
] as const

export const namedKeyOperations = [
  view({
    id: 'console.keys.list',
    tag: 'Resources',
    path: '/v1/console/keys',
    summary: 'List the keys and their use',
    description:
      'The metadata of GET /v1/keys, with the settings of each key and its use. The keys of a rotation chain share one budget.',
    response: response(200, 'The keys of the project.', UsedKeyList),
  }),
  write({
    tag: 'Keys',
    id: 'console.keys.create',
    path: '/v1/console/keys',
    takesIdempotencyKey: true,
    summary: 'Create a key with a name, a budget and allowed addresses',
    description:
      'A call that would exceed the budget is refused with 402 before anything is forwarded. Reserved and settled credits count; released ones come back. A budget counts from when it is set.',
    request: CreateNamedKeyRequest,
    responses: created,
    ownErrors: ['STEP_UP_REQUIRED', 'INVALID_SCOPE', ...settingFaults, ...creationFaults],
  }),
  write({
    ...keyPath,
    id: 'console.keys.update',
    path: '/v1/console/keys/{keyId}/update',
    summary: 'Change the settings of a key',
    description:
      'A field that is left out stays as it is; null clears it. The budget is that of the whole rotation chain: other credits keep its count, another period starts a new one.',
    request: UpdateKeyRequest,
    responses: [response(200, 'The key as it is now.', UsedKey)],
    ownErrors: ['STEP_UP_REQUIRED', ...settingFaults, 'KEY_NOT_FOUND'],
  }),
  write({
    ...keyPath,
    id: 'console.keys.rotate',
    path: '/v1/console/keys/{keyId}/rotate',
    takesIdempotencyKey: true,
    summary: 'Replace a key',
    description:
      'Creates a key with the same settings. The old one expires after the grace period and is refused from then on with 401 KEY_EXPIRED. All keys of a rotation chain share one budget.',
    request: RotateKeyRequest,
    responses: created,
    ownErrors: ['STEP_UP_REQUIRED', 'INVALID_GRACE', 'KEY_NOT_FOUND', ...creationFaults],
  }),
]
