import { queryOptions } from '@tanstack/react-query'
import { Refused, Unreachable } from '../../api/refusal.ts'
import { place } from '../../place.ts'
import type { Schema } from './schema.ts'

export interface PublishedContract {
  readonly paths: Readonly<Record<string, { readonly post?: PublishedOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface PublishedOperation {
  readonly operationId: string
  readonly 'x-credits': number
  readonly 'x-scope': string
  readonly requestBody: { readonly content: { readonly 'application/json': { schema: Schema; example: object } } }
}

/** The public document of the contract, with the provider names that are configured here. */
export const contractQuery = queryOptions({
  queryKey: ['contract'],
  async queryFn(): Promise<PublishedContract> {
    const response = await fetch(place.openapi).catch((cause) => {
      throw new Unreachable(cause)
    })
    if (!response.ok) throw new Refused('INTERNAL_ERROR', response)
    return response.json()
  },
  staleTime: Number.POSITIVE_INFINITY,
})
