import { examples } from '../examples.ts'
import type { Operation } from '../operations.ts'
import { Me } from '../schemas/account.ts'
import { errorsOf } from './access.ts'

export const accountOperations: Operation[] = [
  {
    id: 'account.get',
    tag: 'Account',
    method: 'GET',
    path: '/v1/me',
    access: 'session',
    summary: 'Read the current account',
    description:
      'Account, project, credits, the last orders and the keys. Each read returns a fresh CSRF token that replaces the one before.',
    takesIdempotencyKey: false,
    responses: [
      {
        status: 200,
        description: 'The current account.',
        contentType: 'application/json',
        schema: Me,
        example: examples.me,
      },
    ],
    errors: errorsOf('session'),
  },
]
