import createClient from 'openapi-fetch'
import { createTokenKeeper, waitMs } from '../../api/ask.ts'
import type { paths } from './contract.gen.d.ts'

/** The operator's API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const operatorApi = createClient<paths>({
  baseUrl: '/api',
  fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(waitMs)]) }),
})

export const token = createTokenKeeper()
export const { askToWrite } = token
operatorApi.use(token.middleware)
