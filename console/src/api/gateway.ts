import createClient from 'openapi-fetch'
import { place } from '../place.ts'
import { createTokenKeeper, waitMs } from './ask.ts'
import type { paths } from './contract.gen.d.ts'
import { fetchOrTakeEarly } from './early-reads.ts'

/** The API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const gateway = createClient<paths>({
  baseUrl: place.api,
  fetch: (request) =>
    fetchOrTakeEarly(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(waitMs)]) }),
})

export const token = createTokenKeeper()
export const { askToWrite } = token
gateway.use(token.middleware)
