import type { OperatorApiOperation } from '../../../../src/app/features.ts'
import { createClient } from '../../api/client.ts'

/** The operator's API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const operatorApi = createClient<OperatorApiOperation, '/api'>({
  baseUrl: '/api',
  fetch: (request, init) => fetch(request, init),
})

export const { token } = operatorApi
export const { askToWrite } = token
