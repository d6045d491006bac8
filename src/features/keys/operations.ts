import { examples } from '../../contract/examples.ts'
import { answer } from '../../contract/operation.ts'
import { view, write } from '../../contract/operations/access.ts'
import { keyIdPattern } from '../../contract/schemas/keys.ts'
import {
  CreatedNamedKey,
  CreateNamedKeyRequest,
  NamedKey,
  RotateKeyRequest,
  UpdateKeyRequest,
  UsedKey,
  UsedKeyList,
} from './contract.ts'

const keySettings: Pick<NamedKey, 'name' | 'budget' | 'allowedAddresses'> = {
  name: 'Production',
  budget: { credits: 500, per: 'day' },
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
}

const { apiKey: _, ...createdKey } = examples.createdKey
const named: NamedKey = { ...createdKey, ...keySettings, createdAt: examples.key.createdAt }

const created: CreatedNamedKey = { ...examples.createdKey, ...keySettings, createdAt: examples.key.createdAt }

const keys: UsedKeyList = {
  items: [
    {
      ...examples.key,
      ...keySettings,
      budgetSpent: 6,
      budgetResetsAt: '2026-09-04T00:00:00.000Z',
      calls: 2,
      lastUsedAt: '2026-09-03T08:12:00.000Z',
      lastUsedFrom: '203.0.113.x',
    },
  ],
  maxActive: 50,
}

const keyPath = {
  tag: 'Keys',
  pathParameters: { keyId: { pattern: keyIdPattern, code: 'KEY_NOT_FOUND', example: examples.key.keyId } },
} as const
const settingFaults = ['INVALID_NAME', 'INVALID_EXPIRY', 'INVALID_BUDGET', 'INVALID_ADDRESSES'] as const
const creationFaults = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_CONFLICT'] as const
const rotated = { keyId: 'key_0VVm9aB4002dC6vTy2Kf', rotatedFromKeyId: created.keyId }
const { name, budget, allowedAddresses } = created

/** How keys with settings of their own are created, changed and rotated. */
export const namedKeyOperations = [
  view({
    id: 'console.keys.list',
    tag: 'Resources',
    path: '/v1/console/keys',
    summary: 'List the keys and their use',
    description:
      'The metadata of GET /v1/keys, with the settings of each key and its use. The keys of a rotation chain share one budget.',
    answer: answer(200, 'The keys of the project.', UsedKeyList, keys),
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
    requestExample: { name, scopes: created.scopes, budget, allowedAddresses },
    answers: creation(created, named),
    ownErrors: ['INVALID_SCOPE', ...settingFaults, ...creationFaults],
  }),
  write({
    ...keyPath,
    id: 'console.keys.update',
    path: '/v1/console/keys/{keyId}/update',
    summary: 'Change the settings of a key',
    description:
      'A field that is left out stays as it is; null clears it. The budget is that of the whole rotation chain: other credits keep its count, another period starts a new one.',
    request: UpdateKeyRequest,
    requestExample: { budget },
    answers: [answer(200, 'The key as it is now.', UsedKey, keys.items[0])],
    ownErrors: [...settingFaults, 'KEY_NOT_FOUND'],
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
    requestExample: { graceSeconds: 86_400 },
    answers: creation({ ...created, ...rotated }, { ...named, ...rotated }),
    ownErrors: ['INVALID_GRACE', 'KEY_NOT_FOUND', ...creationFaults],
  }),
]

function creation(first: CreatedNamedKey, again: NamedKey) {
  return [
    answer(201, 'The new key, in plaintext.', CreatedNamedKey, first),
    answer(200, 'The same Idempotency-Key was sent before: its key, without the plaintext.', NamedKey, again),
  ] as const
}
