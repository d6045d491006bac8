import { examples } from '../examples.ts'
import { EmptyRequest } from '../field.ts'
import type { Operation } from '../operation.ts'
import { CreatedKey, CreateKeyRequest, KeyList, keyIdPattern, RevokedKey } from '../schemas/keys.ts'
import { errorsOf } from './access.ts'

const shared = { tag: 'Keys', takesIdempotencyKey: false } as const
const json = 'application/json' as const

export const keyOperations: Operation[] = [
  {
    ...shared,
    id: 'keys.list',
    method: 'GET',
    path: '/v1/keys',
    access: 'session',
    summary: 'List the keys',
    description: 'Metadata only; the plaintext of a key is never shown again.',
    responses: [
      {
        status: 200,
        description: 'The keys of the project.',
        contentType: json,
        schema: KeyList,
        example: { items: [examples.key] },
      },
    ],
    errors: errorsOf('session'),
  },
  {
    ...shared,
    id: 'keys.create',
    method: 'POST',
    path: '/v1/keys',
    access: 'session-write',
    summary: 'Create a key',
    description:
      'Each success creates a new key and shows its plaintext once. If you did not receive it, revoke the key and create another.',
    request: CreateKeyRequest,
    requestExample: { scopes: examples.key.scopes },
    responses: [
      {
        status: 201,
        description: 'The new key, in plaintext.',
        contentType: json,
        schema: CreatedKey,
        example: examples.createdKey,
      },
    ],
    errors: errorsOf('session-write', ['INVALID_SCOPE']),
  },
  {
    ...shared,
    id: 'keys.revoke',
    method: 'POST',
    path: '/v1/keys/{keyId}/revoke',
    access: 'session-write',
    summary: 'Revoke a key',
    description: 'The next call with the key is refused. After an uncertain result, list the keys first.',
    pathParameters: { keyId: { pattern: keyIdPattern, code: 'KEY_NOT_FOUND', example: examples.key.keyId } },
    request: EmptyRequest(),
    requestExample: {},
    responses: [
      {
        status: 200,
        description: 'The key is revoked.',
        contentType: json,
        schema: RevokedKey,
        example: { keyId: examples.key.keyId, state: 'revoked' },
      },
    ],
    errors: errorsOf('session-write', ['KEY_NOT_FOUND']),
  },
]
