import type { TSchema } from 'typebox'
import { requestHeadersOf } from '../headers.ts'
import type { Operation } from '../operations.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: string
}

/** Path parameters, query parameters and headers of an operation. */
export function parametersOf(operation: Operation, origin: string): Parameter[] {
  const path = Object.entries(operation.pathParameters ?? {}).map(
    ([name, { pattern, code, example }]): Parameter => ({
      name,
      in: 'path',
      required: true,
      description: `Anything else is answered ${code}.`,
      schema: { type: 'string', pattern, 'x-error-code': code },
      example,
    }),
  )
  const query = Object.entries(operation.queryParameters ?? {}).map(([name, parameter]): Parameter => {
    const { description, ...schema } = parameter as TSchema & { description?: string }
    return { name, in: 'query', required: false, ...(description !== undefined && { description }), schema }
  })
  const headers = requestHeadersOf(operation, origin).map(
    ({ sample, ...row }): Parameter => ({
      ...row,
      in: 'header',
      example: sample,
    }),
  )
  return [...path, ...query, ...headers]
}
