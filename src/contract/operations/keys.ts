import { examples } from '../examples.ts'
import { response } from '../operation.ts'
import { CreatedKey, CreateKeyRequest, KeyList, keyIdPattern, RevokedKey } from '../schemas/keys.ts'
import { view, write } from './access.ts'

export const keyOperations = [
  view({
    id: 'keys.list',
    tag: 'Keys',
    path: '/v1/keys',
    summary: 'List the keys',
    description: 'Metadata only; the plaintext of a key is never shown again.',
    response: response(200, 'The keys of the project.', KeyList, { items: [examples.key] }),
  }),
  write({
    id: 'keys.create',
    tag: 'Keys',
    path: '/v1/keys',
    summary: 'Create a key',
    description:
      'Each success creates a new key and shows its plaintext once. If you did not receive it, revoke the key and create another.',
    request: CreateKeyRequest,
    requestExample: { scopes: examples.key.scopes },
    responses: [response(201, 'The new key in plaintext.', CreatedKey, examples.createdKey)],
    ownErrors: ['INVALID_SCOPE', 'STEP_UP_REQUIRED'],
  }),
  write({
    id: 'keys.revoke',
    tag: 'Keys',
    path: '/v1/keys/{keyId}/revoke',
    summary: 'Revoke a key',
    description: 'The next call with the key is refused. After an uncertain result, list the keys first.',
    pathParameters: { keyId: { pattern: keyIdPattern, code: 'KEY_NOT_FOUND', example: examples.key.keyId } },
    responses: [response(200, 'The key was revoked.', RevokedKey, { keyId: examples.key.keyId, state: 'revoked' })],
    ownErrors: ['KEY_NOT_FOUND', 'STEP_UP_REQUIRED'],
  }),
]
