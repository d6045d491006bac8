import type { TSchema } from 'typebox'
import { requestHeadersOf } from '../../contract/headers.ts'
import type { AnyOperation } from './any-operation.ts'

export interface OpenapiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: string
}

/** Path parameters, query parameters and headers of an operation. */
export function parametersOf(operation: AnyOperation, origin: string): OpenapiParameter[] {
  const path = Object.entries(operation.pathParameters ?? {}).map(
    ([name, { pattern, code, example }]): OpenapiParameter => ({
      name,
      in: 'path',
      required: true,
      description: `Anything else is answered ${code}.`,
      schema: { type: 'string', pattern, 'x-error-code': code },
      example,
    }),
  )
  const query = Object.entries(operation.queryParameters ?? {}).map(([name, parameter]): OpenapiParameter => {
    const { description, ...schema } = parameter as TSchema & { description?: string }
    return { name, in: 'query', required: false, ...(description !== undefined && { description }), schema }
  })
  const headers = requestHeadersOf(operation, origin).map(
    ({ sample, ...row }): OpenapiParameter => ({
      ...row,
      in: 'header',
      example: sample,
    }),
  )
  return [...path, ...query, ...headers]
}
