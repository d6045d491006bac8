import { examples } from '../examples.ts'
import type { Operation } from '../operation.ts'
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
      'Account, project, credits, recent orders and keys. Each read returns a new CSRF token that replaces the previous one.',
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
